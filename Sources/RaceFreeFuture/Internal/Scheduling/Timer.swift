// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// Fires once when a time has passed, unless it is stopped or released before.
///
/// It keeps its closure until it has been stopped; firing doesn't stop it.
final class Timer: Sendable {
  private enum Kind {
    case dispatch(any DispatchSourceTimer)
    case scheduled(ScheduledTimer, any Scheduler)
  }

  /// Dispatch sources are thread-safe; only Dispatch hasn't said so to the compiler.
  private nonisolated(unsafe) let kind: Kind
  private let interval: Duration

  /// Makes the timer of a future; `start` has to be called next, and once: an inactive source can't be released.
  init(after interval: Duration, for future: Future) {
    self.interval = interval
    unsafe kind =
      if let queue = future.scheduledQueue {
        .scheduled(ScheduledTimer(interval: interval, name: queue.name), queue.scheduler)
      } else {
        .dispatch(DispatchSource.makeTimerSource())
      }
  }

  deinit { stop() }

  /// Lets the time run from now on.
  func start(_ fire: @escaping @Sendable () -> Void) {
    switch unsafe kind {
    case .dispatch(let source):
      source.setEventHandler(handler: fire)
      source.schedule(deadline: .after(interval))
      source.activate()
    case .scheduled(let timer, let scheduler):
      scheduler.start(timer, fire)
    }
  }

  /// Stops the timer and lets go of its closure; any number of times.
  func stop() {
    switch unsafe kind {
    case .dispatch(let source): source.cancel()
    case .scheduled(let timer, let scheduler): scheduler.stop(timer)
    }
  }
}
