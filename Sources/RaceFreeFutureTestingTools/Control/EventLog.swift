// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// An ordered log of events, written by any thread.
///
/// ```swift
/// let log = EventLog<String>("downloads")
/// download.onComplete { log.add("completed") }
/// try await log.wait(for: 1)
/// ```
public final class EventLog<Event: Sendable>: Sendable {
  /// The name of the log in messages.
  public let name: String

  private let state = Locked(State())

  private struct State: Sendable {
    var events: [Event] = []
    var next = 0
    var waiting: [Int: Waiter] = [:]
  }

  private struct Waiter: Sendable {
    let condition: @Sendable ([Event]) -> Bool
    let continuation: CheckedContinuation<[Event]?, Never>
  }

  /// Creates an empty log.
  public init(_ name: String = "the log") { self.name = name }

  /// The events so far.
  public var events: [Event] { state.withLock { $0.events } }

  /// The number of events so far.
  public var count: Int { state.withLock { $0.events.count } }

  /// Adds an event.
  ///
  /// Callable from any thread; never blocks.
  public func add(_ event: Event) {
    let (events, waiting) = state.withLock { state in
      state.events.append(event)
      return (state.waiting.isEmpty ? [] : state.events, state.waiting)
    }
    // Conditions are evaluated, and waiters resumed, outside of the lock.
    for (number, waiter) in waiting where waiter.condition(events) { finish(number, events) }
  }

  /// Removes all events.
  public func removeAll() {
    let forgotten = state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
    // Released here, because events may be objects.
    _ = consume forgotten
  }

  /// Suspends until the log has a number of events, and returns all events.
  ///
  /// Blocks no thread.
  ///
  /// - Parameters:
  ///   - count: The minimum number of events.
  ///   - limit: The longest time to wait. The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for it.
  /// - Returns: All events.
  /// - Throws: ``DeadlineError``, with the contents of the log.
  @discardableResult
  public func wait(
    for count: Int,
    within limit: Duration = .seconds(60),
    fileID: String = #fileID,
    line: Int = #line
  ) async throws -> [Event] {
    try await wait(until: "\(name) has \(times(count, "event"))", within: limit, fileID: fileID, line: line) {
      $0.count >= count
    }
  }

  /// Suspends until the events meet a condition, and returns them.
  ///
  /// Blocks no thread. Cancelling the task doesn't end the wait.
  ///
  /// - Parameters:
  ///   - expectation: The expectation, as a sentence that should become true.
  ///   - limit: The longest time to wait. The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for it.
  ///   - condition: Returns true if the events meet the condition. Called when an event was added, on the thread that
  ///     added it, perhaps by several threads at the same time; it should be quick.
  /// - Returns: All events.
  /// - Throws: ``DeadlineError``, with the contents of the log.
  @discardableResult
  public func wait(
    until expectation: String,
    within limit: Duration = .seconds(60),
    fileID: String = #fileID,
    line: Int = #line,
    _ condition: @escaping @Sendable ([Event]) -> Bool
  ) async throws -> [Event] {
    let limit = limit.patiently
    let events: [Event]? = await withCheckedContinuation { continuation in
      let number = state.withLock { state in
        state.next += 1
        state.waiting[state.next] = Waiter(condition: condition, continuation: continuation)
        return state.next
      }
      // Read only now, so that no event falls between the check and the wait.
      let now = self.events
      if condition(now) { return finish(number, now) }
      Watchdog.bark(after: limit) { [weak self] in self?.finish(number, nil) }
    }
    if let events { return events }
    throw DeadlineError(
      expectation: expectation,
      limit: limit,
      fileID: fileID,
      line: line,
      state: "\(name): \(self.events)"
    )
  }

  /// Ends a wait, unless it has ended.
  private func finish(_ number: Int, _ events: [Event]?) {
    let waiter = state.withLock { $0.waiting.removeValue(forKey: number) }
    waiter?.continuation.resume(returning: events)
  }
}
