// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What is to be explored: actors, whose steps are taken in every order, and what has to hold.
///
/// The closure that is given to ``explore(_:_:seed:maxSteps:scenario:)`` fills it in, anew for each order: make
/// everything that the actors share inside of that closure. All of it runs on one thread, one step at a time. So
/// nothing in here has to be `Sendable`, but for the handlers of futures, which are by their type: see ``Variable``.
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
  ///   - steps: What it does. Between any two of them all others may act.
  public func actor(_ name: String, _ steps: Step...) {
    actors.append((name, .steps(steps)))
  }

  /// Adds an actor that takes its steps in the given order.
  ///
  /// - Parameters:
  ///   - name: The title of its column in the diagram.
  ///   - steps: What it does. Between any two of them all others may act.
  public func actor(_ name: String, _ steps: [Step]) {
    actors.append((name, .steps(steps)))
  }

  /// Adds an actor that is a task: it takes steps by calling ``Actor/step(_:touches:when:_:)``, and may await.
  ///
  /// What it does between two steps belongs to the first of them; what it does before its first step is done before
  /// all steps, actor by actor. It may await futures that are made in the scenario, `async` functions, tasks and Swift
  /// actors, all of which then run under the explorer's control; after such an `await` it goes on in a step of its own.
  /// What the explorer doesn't control is reported: a future of somewhere else, a thread, a queue of Dispatch.
  ///
  /// - Parameters:
  ///   - name: The title of its column in the diagram.
  ///   - body: What it does. An error that it throws is a failure.
  public func actor(_ name: String, _ body: @escaping @concurrent (Actor) async throws -> Void) {
    actors.append((name, .tasks(body)))
  }

  /// Adds an actor that is a thread: ordinary synchronous code, which needn't be cut into steps.
  ///
  /// It stops by itself before each use of a mutex, an atomic, a semaphore, a condition or a queue that is one of
  /// ``Explored``, and before each use of a ``Variable``; there all others may act. What it does between two of these
  /// belongs to the first, and what it does before the first of them is done before all steps, actor by actor.
  ///
  /// So all that threads share has to be one of these, or be guarded by them: else ``Explored/switchPoint(_:)`` says where
  /// others may act. Orders that differ only in when threads use different primitives count as one; a scenario with an
  /// invariant is explored in full. Invariants and the state are looked at between critical sections: not while a thread
  /// holds an explored lock.
  ///
  /// Each is a thread of its own of the system, and one at a time runs; a real lock that one of them holds while another
  /// wants it blocks all, which is reported as a step that doesn't return.
  ///
  /// - Parameters:
  ///   - name: The title of its column in the diagram.
  ///   - body: What it does. An error that it throws is a failure.
  public func thread(_ name: String, _ body: @escaping () throws -> Void) {
    actors.append((name, .thread(body)))
  }

  // MARK: What has to hold

  /// Has a condition checked before the first step and after each step of every order.
  ///
  /// - Parameter check: Says in one sentence what is wrong; nil if nothing is.
  public func invariant(_ check: @escaping () -> String?) {
    invariants.append(check)
  }

  /// Has a condition checked at the end of every order, when all actors have ended and nothing is in line.
  ///
  /// - Parameter check: Says in one sentence what is wrong; nil if nothing is.
  public func atEnd(_ check: @escaping () -> String?) {
    endings.append(check)
  }

  /// Says what is shown beside each step in the diagram.
  ///
  /// - Parameter describe: The state in a few words. Called only for the order that is drawn.
  public func state(_ describe: @escaping () -> String) {
    state = describe
  }
}
