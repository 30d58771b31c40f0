// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// A timer that fires after an interval, unless it is stopped or released earlier.
///
/// It keeps its closure until it has been stopped; firing doesn't stop it.
final class Timer: Sendable {
  private enum Kind {
    case dispatch(any DispatchSourceTimer)
    case scheduled(VirtualTimer)
  }

  /// Dispatch sources are thread-safe, but not declared so.
  private nonisolated(unsafe) let kind: Kind

  /// Creates the timer of a future; `start` has to be called once, even after `stop`: an inactive source can't be
  /// released.
  init(for future: Future) {
    unsafe kind =
      if let queue = future.scheduledQueue {
        .scheduled(VirtualTimer(queue))
      } else {
        .dispatch(DispatchSource.makeTimerSource())
      }
  }

  deinit { stop() }

  /// Starts the interval now, unless it has been stopped.
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

  /// Starts another interval now; a stopped timer stays stopped.
  func restart(after interval: Duration) {
    switch unsafe kind {
    case .dispatch(let source): source.schedule(deadline: .after(interval))
    case .scheduled(let timer): timer.restart(after: interval)
    }
  }

  /// Stops the timer and releases its closure; it can be called any number of times.
  func stop() {
    switch unsafe kind {
    case .dispatch(let source): source.cancel()
    case .scheduled(let timer): timer.stop()
    }
  }

  /// True if it belongs to a scheduler, which shows its timers and their instants: it has to be set to the exact
  /// instant.
  var isScheduled: Bool {
    if case .scheduled = unsafe kind { true } else { false }
  }
}

/// A timer of a scheduler, whose timers each fire once: it sets a new one each time.
private final class VirtualTimer: Sendable {
  private struct State {
    var timer: ScheduledTimer?
    var fire: (@Sendable () -> Void)?
    var isStopped = false
  }

  private let queue: ScheduledQueue
  /// Guards the current timer and its closure; the scheduler isn't called inside.
  private let state = Locked(State())

  init(_ queue: ScheduledQueue) { self.queue = queue }

  func start(after interval: Duration, _ fire: @escaping @Sendable () -> Void) {
    state.withLock { state in if !state.isStopped { state.fire = fire } }
    restart(after: interval)
  }

  func restart(after interval: Duration) {
    // Its time no longer passes.
    guard queue.scheduler.isScheduling else { return }
    let timer = interval.passes ? ScheduledTimer(interval: interval.wholeNanoseconds, name: queue.name) : nil
    // The former contents are released after the lock.
    let (old, fire) = state.withLock { state -> (ScheduledTimer?, (@Sendable () -> Void)?) in
      guard let fire = state.fire else { return (nil, nil) }
      let old = state.timer
      state.timer = timer
      return (old, fire)
    }
    if let old { queue.scheduler.stop(old) }
    guard let timer, let fire else { return }
    let firing = Firing(self, timer, fire)
    queue.scheduler.start(timer) { firing.run() }
    // Stopped meanwhile, or restarted: that call may not have found it yet.
    if state.withLock({ $0.timer !== timer }) { queue.scheduler.stop(timer) }
  }

  func stop() {
    let old = state.withLock { state -> State in
      let old = state
      state = State(isStopped: true)
      return old
    }
    if let timer = old.timer { queue.scheduler.stop(timer) }
    withExtendedLifetime(old) {}
  }

  /// Releases the closure: the scheduler has dropped this timer, so it will never fire.
  fileprivate func drop(_ timer: ScheduledTimer) {
    let old = state.withLock { state -> State? in
      guard state.timer === timer else { return nil }
      let old = state
      state = State()
      return old
    }
    withExtendedLifetime(old) {}
  }
}

/// One firing of a virtual timer, kept by the scheduler.
///
/// The timer keeps the closure, which keeps the future, which keeps the timer. A scheduler that ends drops its timers:
/// then this ends the cycle.
private final class Firing: Sendable {
  private let timer: VirtualTimer
  private let scheduled: ScheduledTimer
  private let fire: @Sendable () -> Void
  /// Relaxed: the scheduler runs the closure before it drops it.
  private let hasFired = Atomic(false)

  init(_ timer: VirtualTimer, _ scheduled: ScheduledTimer, _ fire: @escaping @Sendable () -> Void) {
    self.timer = timer
    self.scheduled = scheduled
    self.fire = fire
  }

  func run() {
    hasFired.store(true, ordering: .relaxed)
    fire()
  }

  deinit {
    if !hasFired.load(ordering: .relaxed) { timer.drop(scheduled) }
  }
}
