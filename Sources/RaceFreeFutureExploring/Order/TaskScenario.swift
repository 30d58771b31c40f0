// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// The environment of the body of ``exploreTasks(_:_:fileID:filePath:line:column:body:)``: its conditions, and its clock.
///
/// A new one for each order. All of it may be used from every task of the order.
public final class TaskScenario: Sendable {
  struct Checks: Sendable {
    var invariants: [@Sendable () -> String?] = []
    var endings: [@Sendable () -> String?] = []
    var state: (@Sendable () -> String)?
  }

  private struct Content: Sendable {
    var checks = Checks()
    var failure: String?
    var notes: [String] = []
    var tracked: [TrackedObject] = []
    var sharesOnlyExplored = false
  }

  private let content = Locked(Content())

  /// The clock of the order, for code that takes a clock.
  public let clock: ScenarioClock

  init(_ run: OrderRun) { clock = ScenarioClock(run: run) }

  var checks: Checks { content.withLock { $0.checks } }
  var tracked: [TrackedObject] { content.withLock { $0.tracked } }
  var failure: String? { content.withLock { $0.failure } }

  var isAllExplored: Bool { content.withLock { $0.sharesOnlyExplored } }

  func takeNotes() -> [String] {
    content.withLock { content in
      defer { content.notes = [] }
      return content.notes
    }
  }

  /// Adds a condition that is checked after each step from now on.
  ///
  /// - Parameter check: Returns a sentence that describes the failure; nil if there is none. It must not wait for
  ///   anything.
  public func invariant(_ check: @escaping @Sendable () -> String?) {
    content.withLock { $0.checks.invariants.append(check) }
  }

  /// Adds a condition that is checked at the end of the order, when the body has returned and no task can continue.
  ///
  /// - Parameter check: Returns a sentence that describes the failure; nil if there is none. It must not wait for
  ///   anything.
  public func atEnd(_ check: @escaping @Sendable () -> String?) {
    content.withLock { $0.checks.endings.append(check) }
  }

  /// States that the tasks share nothing but actors, other tasks, and primitives of ``Explored``: no lock or atomic of
  /// another kind, no stream, no unsafe memory.
  ///
  /// Then orders that differ only in the positions of steps which use none of these in common count as one, and one of
  /// them is run: steps on different actors, for example. Call it at the beginning of the body. Without it, the explorer
  /// can't know what else the tasks share, and runs the others as well; if the statement is wrong, it may miss a mistake.
  public func sharesOnlyActorsAndExplored() {
    content.withLock { $0.sharesOnlyExplored = true }
  }

  /// Makes the order fail if an object is still alive when everything in it has ended: when the body has returned, no
  /// task is left, and all that the explorer kept is released.
  ///
  /// Not checked in an order in which control was lost (``Exploration/uncontrolled``): another thread may release it
  /// later. The result of a task is released with the task.
  ///
  /// - Parameters:
  ///   - object: The object that should be released; it isn't kept.
  ///   - label: Its name in the report; by default its type.
  /// - Returns: The object.
  @discardableResult
  public func expectReleased<Object: AnyObject>(
    _ object: Object,
    _ label: String = "\(Object.self)",
    fileID: String = #fileID,
    line: Int = #line
  ) -> Object {
    let tracked = TrackedObject(object, label, "\(fileID):\(line)")
    content.withLock { $0.tracked.append(tracked) }
    return object
  }

  /// Sets the description that is shown beside each step in the diagram.
  ///
  /// - Parameter describe: Returns the state in a few words. Called only for the order that is drawn.
  public func state(_ describe: @escaping @Sendable () -> String) {
    content.withLock { $0.checks.state = describe }
  }

  /// Makes the order fail unless a condition holds.
  ///
  /// The caller continues to the end of its step; then the order is over. The first failure is reported.
  ///
  /// - Parameters:
  ///   - condition: The condition that has to hold now.
  ///   - message: A sentence that describes the failure otherwise.
  public func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    let message = message()
    content.withLock { content in
      if content.failure == nil { content.failure = message }
    }
  }

  /// Suspends the calling task until nothing else can continue: all other tasks have ended, sleep, or wait for something.
  ///
  /// No time passes. Then the caller can look at what has been done, go on, and settle again:
  ///
  /// ```swift
  /// model.query = "cat"
  /// await scenario.settle()
  /// scenario.check(model.results.isEmpty, "it didn't wait for more letters")
  /// try await Task.sleep(for: .seconds(1))
  /// await scenario.settle()
  /// scenario.check(!model.results.isEmpty, "it found nothing")
  /// ```
  ///
  /// If two tasks settle, either is next when both are left. Work that the explorer doesn't control isn't waited for
  /// (``Exploration/uncontrolled``). Called by a task that isn't part of the order, it stops the program.
  public func settle() async { await clock.run.settle() }

  /// Writes something beside the running step in the diagram.
  ///
  /// - Parameter text: The event, in a few words.
  public func note(_ text: String) {
    content.withLock { $0.notes.append(text) }
  }
}
