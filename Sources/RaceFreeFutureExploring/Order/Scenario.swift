// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A scenario to explore: actors, whose steps are taken in every order, and conditions that have to hold.
///
/// The closure that is given to ``explore(_:_:fileID:filePath:line:column:scenario:)`` defines it, from the start for each order:
/// make everything that the actors share inside that closure. All of it runs on one thread, one step at a time. So
/// nothing in a scenario has to be `Sendable`, except the handlers of futures, because of their type: see ``Variable``.
public final class Scenario {
  enum Script {
    case steps([Step])
    case tasks(@concurrent (Actor) async throws -> Void)
    case thread(() throws -> Void)
  }

  private(set) var actors: [(name: String, script: Script)] = []
  private(set) var invariants: [() -> String?] = []
  private(set) var endings: [() -> String?] = []
  private(set) var state: (() -> String)?

  init() {}

  // MARK: Who acts

  /// Adds an actor that takes its steps in the given order.
  ///
  /// - Parameters:
  ///   - name: The title of its column in the diagram.
  ///   - steps: Its steps. Between any two of them all others may act.
  public func actor(_ name: String, _ steps: Step...) {
    actors.append((name, .steps(steps)))
  }

  /// Adds an actor that takes its steps in the given order.
  ///
  /// - Parameters:
  ///   - name: The title of its column in the diagram.
  ///   - steps: Its steps. Between any two of them all others may act.
  public func actor(_ name: String, _ steps: [Step]) {
    actors.append((name, .steps(steps)))
  }

  /// Adds an actor that is a task: it takes steps by calling ``Actor/step(_:touches:when:_:)``, and may await.
  ///
  /// Its code between two steps belongs to the first of them; its code before its first step runs before all steps,
  /// actor by actor. It may await futures that are made in the scenario, `async` functions, tasks and Swift actors, all
  /// of which then run under the explorer's control; after such an `await` it continues in a step of its own. Code that
  /// the explorer doesn't control is reported: a future from outside the scenario, a thread, a queue of Dispatch.
  ///
  /// - Parameters:
  ///   - name: The title of its column in the diagram.
  ///   - body: The code of the actor. An error that it throws is a failure.
  public func actor(_ name: String, _ body: @escaping @concurrent (Actor) async throws -> Void) {
    actors.append((name, .tasks(body)))
  }

  /// Adds an actor that is a thread: ordinary synchronous code, which needn't be split into steps.
  ///
  /// It stops by itself before each use of a mutex, an atomic, a semaphore, a condition or a queue that is one of
  /// ``Explored``, and before each use of a ``Variable``; there all others may act. Its code between two of these
  /// belongs to the first, and its code before the first of them runs before all steps, actor by actor.
  ///
  /// So all data that threads share has to be one of these, or be guarded by them: otherwise use
  /// ``Explored/switchPoint(_:)`` to mark points where others may act. Orders that differ only in the times at which
  /// threads use different primitives count as one; a scenario with an invariant is explored in full. Invariants and
  /// the state are evaluated between critical sections: not while a thread holds an explored lock.
  ///
  /// Each is a system thread of its own, and one at a time runs; a real lock that one of them holds while another waits
  /// for it blocks all, which is reported as a step that doesn't return.
  ///
  /// - Parameters:
  ///   - name: The title of its column in the diagram.
  ///   - body: The code of the actor. An error that it throws is a failure.
  public func thread(_ name: String, _ body: @escaping () throws -> Void) {
    actors.append((name, .thread(body)))
  }

  // MARK: What has to hold

  /// Adds a condition that is checked before the first step and after each step of every order.
  ///
  /// - Parameter check: Returns a sentence that describes the failure; nil if there is none.
  public func invariant(_ check: @escaping () -> String?) {
    invariants.append(check)
  }

  /// Adds a condition that is checked at the end of every order, when all actors have ended and nothing is queued.
  ///
  /// - Parameter check: Returns a sentence that describes the failure; nil if there is none.
  public func atEnd(_ check: @escaping () -> String?) {
    endings.append(check)
  }

  /// Sets the description that is shown beside each step in the diagram.
  ///
  /// - Parameter describe: Returns the state in a few words. Called only for the order that is drawn.
  public func state(_ describe: @escaping () -> String) {
    state = describe
  }
}
