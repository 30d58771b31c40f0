// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// What happened, in order, written by any thread.
///
/// ```swift
/// let log = EventLog<String>("downloads")
/// download.onComplete { log.add("completed") }
/// try await log.wait(for: 1)
/// ```
public final class EventLog<Event: Sendable>: Sendable {
  /// How messages name it.
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

  /// Makes an empty log.
  public init(_ name: String = "the log") { self.name = name }

  /// What happened so far.
  public var events: [Event] { state.withLock { $0.events } }

  /// How much.
  public var count: Int { state.withLock { $0.events.count } }

  /// Writes an event down.
  ///
  /// From any thread. Doesn't block.
  public func add(_ event: Event) {
    let (events, waiting) = state.withLock { state in
      state.events.append(event)
      return (state.waiting.isEmpty ? [] : state.events, state.waiting)
    }
    // Nobody's condition is asked, and nobody is resumed, under the lock.
    for (number, waiter) in waiting where waiter.condition(events) { finish(number, events) }
  }

  /// Forgets what happened so far.
  public func removeAll() {
    let forgotten = state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
    // Released here, because events may be objects.
    _ = consume forgotten
  }

  /// Suspends until so many events are there, and returns all that are.
  ///
  /// Blocks no thread.
  ///
  /// - Parameters:
  ///   - count: How many events at least.
  ///   - limit: For how long. The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for it.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  /// - Returns: All events.
  /// - Throws: ``DeadlineError``, with what is in the log.
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

  /// Suspends until the events are as they ought to be, and returns them.
  ///
  /// Blocks no thread. Cancelling the task doesn't end the wait.
  ///
  /// - Parameters:
  ///   - expectation: What is waited for, as a sentence that ought to become true.
  ///   - limit: For how long. The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for it.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
  ///   - condition: Whether these events will do. Asked when an event was added, on the thread that added it; so it is
  ///     quick, and several threads may ask at the same time.
  /// - Returns: All events.
  /// - Throws: ``DeadlineError``, with what is in the log.
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
      // Looked at only now, so that no event falls between the look and the wait.
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

  /// Ends a wait, unless somebody else did.
  private func finish(_ number: Int, _ events: [Event]?) {
    let waiter = state.withLock { $0.waiting.removeValue(forKey: number) }
    waiter?.continuation.resume(returning: events)
  }
}
