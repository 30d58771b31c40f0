// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// Fires when a time has passed, unless it is stopped or released before.
///
/// It keeps its closure until it has been stopped; firing doesn't stop it.
final class Timer: Sendable {
  private enum Kind {
    case dispatch(any DispatchSourceTimer)
    case scheduled(VirtualTimer)
  }

  /// Dispatch sources are thread-safe; only Dispatch hasn't said so to the compiler.
  private nonisolated(unsafe) let kind: Kind

  /// Makes the timer of a future; `start` has to be called next, and once: an inactive source can't be released.
  init(for future: Future) {
    unsafe kind =
      if let queue = future.scheduledQueue {
        .scheduled(VirtualTimer(queue))
      } else {
        .dispatch(DispatchSource.makeTimerSource())
      }
  }

  deinit { stop() }

  /// Lets the time run from now on.
  func start(after interval: Duration, _ fire: @escaping @Sendable () -> Void) {
    switch unsafe kind {
    case .dispatch(let source):
      source.setEventHandler(handler: fire)
      source.schedule(deadline: .after(interval))
      source.activate()
    case .scheduled(let timer):
      timer.start(after: interval, fire)
    }
  }

  /// Lets another time run from now on; a stopped timer stays so.
  func restart(after interval: Duration) {
    switch unsafe kind {
    case .dispatch(let source): source.schedule(deadline: .after(interval))
    case .scheduled(let timer): timer.restart(after: interval)
    }
  }

  /// Stops the timer and lets go of its closure; any number of times.
  func stop() {
    switch unsafe kind {
    case .dispatch(let source): source.cancel()
    case .scheduled(let timer): timer.stop()
    }
  }

  /// Whether it is somebody's who shows which timers are set, and when: it has to be set to the very instant.
  var isScheduled: Bool {
    if case .scheduled = unsafe kind { true } else { false }
  }
}

/// A timer of a scheduler's, of which each fires once: it sets a new one each time.
private final class VirtualTimer: Sendable {
  private struct State {
    var timer: ScheduledTimer?
    var fire: (@Sendable () -> Void)?
  }

  private let queue: ScheduledQueue
  /// Guards the present timer and its closure; the scheduler isn't called inside.
  private let state = Locked(State())

  init(_ queue: ScheduledQueue) { self.queue = queue }

  func start(after interval: Duration, _ fire: @escaping @Sendable () -> Void) {
    state.withLock { $0.fire = fire }
    restart(after: interval)
  }

  func restart(after interval: Duration) {
    // Nobody lets its time pass any more.
    guard queue.scheduler.isScheduling else { return }
    let timer = ScheduledTimer(interval: interval.wholeNanoseconds, name: queue.name)
    // What was there is released after the lock.
    let (old, fire) = state.withLock { state -> (ScheduledTimer?, (@Sendable () -> Void)?) in
      guard let fire = state.fire else { return (nil, nil) }
      let old = state.timer
      state.timer = timer
      return (old, fire)
    }
    guard let fire else { return }
    if let old { queue.scheduler.stop(old) }
    queue.scheduler.start(timer, fire)
    // Stopped meanwhile, or started anew: whoever did that may have found it not yet there.
    if state.withLock({ $0.timer !== timer }) { queue.scheduler.stop(timer) }
  }

  func stop() {
    let old = state.withLock { state -> State in
      let old = state
      state = State()
      return old
    }
    if let timer = old.timer { queue.scheduler.stop(timer) }
    withExtendedLifetime(old) {}
  }
}
