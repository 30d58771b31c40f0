// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Tasks that wait until so many timers are set.
///
/// Pure: it answers whom to resume.
struct TimerWaits: Sendable {
  typealias Continuation = CheckedContinuation<Void, any Error>

  private enum Wait {
    case announced
    case suspended(count: Int, Continuation)
    case givenUp(any Error)
  }

  /// From their announcement until they are over.
  private var waits: [Int: Wait] = [:]
  private var next = 0

  /// Announces a wait, which may be given up from now on.
  mutating func announce() -> Int {
    next += 1
    waits[next] = .announced
    return next
  }

  /// Suspends the one who waits; returns how the wait ends, if it does so at once.
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

  /// Gives up a wait; returns who is to be told, if it is suspended.
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

  /// Takes out all who are suspended.
  mutating func takeAll() -> [Continuation] { takeEnded(of: .max) }

  /// Takes out those whose timers are set, the one first who waited first.
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
  /// Suspends the running task until so many timers are set.
  func timersSet(atLeast count: Int, fileID: String, line: Int) async throws {
    let wait = state.withLock { $0.timerWaits.announce() }
    let late = DeadlineError(
      expectation: times(count, "timer") + (count == 1 ? " is set" : " are set"),
      limit: Self.patience,
      fileID: fileID,
      line: line,
      state: ""
    )
    // In an order that is explored this would be told of as a dead-lock at once.
    if !Scheduling.isOnScheduledThread {
      Watchdog.bark(after: Self.patience) { [weak self] in self?.giveUp(wait, late) }
    }
    defer { state.withLock { $0.timerWaits.end(wait) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let end = state.withLock { state -> Result<Void, any Error>? in
          // Asked under the lock: what comes before the end is found by it.
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
      // Nobody will advance the clock any more: whoever sleeps is told so when its timer is dropped.
      guard isScheduling else { return (true, []) }
      return (state.lines.start(timer, at: deadline, fire), state.timerWaits.takeEnded(of: state.lines.timerCount))
    }
    for continuation in ended { continuation.resume() }
    return isSet
  }
}
