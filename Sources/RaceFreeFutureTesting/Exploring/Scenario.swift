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
