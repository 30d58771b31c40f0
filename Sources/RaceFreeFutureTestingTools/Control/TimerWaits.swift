// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Tasks that wait until a number of timers are set.
///
/// Pure: it returns the tasks to resume.
struct TimerWaits: Sendable {
  typealias Continuation = CheckedContinuation<Void, any Error>

  private enum Wait {
    case announced
    case suspended(count: Int, Continuation)
    case givenUp(any Error)
  }

  /// The waits from their announcement to their end.
  private var waits: [Int: Wait] = [:]
  private var next = 0

  /// Announces a wait, which may be given up from now on.
  mutating func announce() -> Int {
    next += 1
    waits[next] = .announced
    return next
  }

  /// Suspends the waiting task; returns the result of the wait, if it ends at once.
  mutating func suspend(
    _ wait: Int,
    until count: Int,
    of timers: Int,
    _ continuation: Continuation
  ) -> Result<Void, any Error>? {
    if case .givenUp(let error) = waits[wait] { return .failure(error) }
    if timers >= count { return .success(()) }
    waits[wait] = .suspended(count: count, continuation)
    return nil
  }

  /// Gives up a wait; returns the continuation to resume, if it is suspended.
  mutating func giveUp(_ wait: Int, _ error: any Error) -> Continuation? {
    switch waits[wait] {
    case .suspended(_, let continuation):
      waits[wait] = nil
      return continuation
    case .announced:
      waits[wait] = .givenUp(error)
      return nil
    case .givenUp, nil:
      return nil
    }
  }

  mutating func end(_ wait: Int) { waits[wait] = nil }

  /// Removes and returns all suspended waits.
  mutating func takeAll() -> [Continuation] { takeEnded(of: .max) }

  /// Removes and returns the waits whose timers are set, in the order of their beginning.
  mutating func takeEnded(of timers: Int) -> [Continuation] {
    guard !waits.isEmpty else { return [] }
    var ended: [Continuation] = []
    for (wait, state) in waits.sorted(by: { $0.key < $1.key }) {
      guard case .suspended(let count, let continuation) = state, count <= timers else { continue }
      waits[wait] = nil
      ended.append(continuation)
    }
    return ended
  }
}

extension ManualScheduler: Timekeeper {
  /// Suspends the running task until a number of timers are set.
  func timersSet(atLeast count: Int, fileID: String, line: Int) async throws {
    let wait = state.withLock { $0.timerWaits.announce() }
    let late = DeadlineError(
      expectation: times(count, "timer") + (count == 1 ? " is set" : " are set"),
      limit: Self.patience,
      fileID: fileID,
      line: line,
      state: ""
    )
    Watchdog.bark(after: Self.patience) { [weak self] in self?.giveUp(wait, late) }
    defer { state.withLock { $0.timerWaits.end(wait) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let end = state.withLock { state -> Result<Void, any Error>? in
          // Checked under the lock: waits that begin before the end are found by it.
          guard isScheduling else { return .failure(CancellationError()) }
          return state.timerWaits.suspend(wait, until: count, of: state.lines.timerCount, continuation)
        }
        if let end { continuation.resume(with: end) }
      }
    } onCancel: {
      giveUp(wait, CancellationError())
    }
  }

  private func giveUp(_ wait: Int, _ error: any Error) {
    state.withLock { $0.timerWaits.giveUp(wait, error) }?.resume(throwing: error)
  }

  func start(_ timer: ScheduledTimer, at deadline: Int, _ fire: @escaping @Sendable () -> Void) -> Bool {
    let (isSet, ended) = state.withLock { state -> (Bool, [TimerWaits.Continuation]) in
      // The clock won't be advanced any more: sleeping tasks are notified when their timers are dropped.
      guard isScheduling else { return (true, []) }
      return (state.lines.start(timer, at: deadline, fire), state.timerWaits.takeEnded(of: state.lines.timerCount))
    }
    for continuation in ended { continuation.resume() }
    return isSet
  }
}
