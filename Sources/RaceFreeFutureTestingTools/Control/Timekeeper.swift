// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import RaceFreeFuture
internal import Synchronization

/// A source of time, which wakes sleeping tasks.
package protocol Timekeeper: AnyObject, Sendable {
  /// Nanoseconds since the beginning.
  var now: Int { get }

  /// The instant of the beginning, for conversions to instants that aren't virtual.
  var epoch: ContinuousClock.Instant { get }

  /// Sets a timer, unless its deadline has passed; returns true if it is set.
  ///
  /// It fires at most once, and holds the closure until then or until it is stopped.
  func start(_ timer: ScheduledTimer, at deadline: Int, _ fire: @escaping @Sendable () -> Void) -> Bool

  /// Stops a timer and releases its closure; any number of times.
  func stop(_ timer: ScheduledTimer)
}

/// A scheduler that has to know when the running task sleeps.
package protocol SleepObserver {
  /// Notes that the running task begins to sleep, or that it has ended.
  func runningTask(sleeps: Bool)
}

extension Timekeeper {
  /// The current instant, in the form of deadlines.
  package var instant: ContinuousClock.Instant { epoch.advanced(by: .nanoseconds(now)) }

  /// Suspends the running task until an instant.
  package func sleep(until deadline: ManualClock.Instant) async throws {
    try Task.checkCancellation()
    let left = now.duration(to: deadline)
    guard left > 0 else { return }
    let timer = ScheduledTimer(interval: .nanoseconds(left), name: nameOfSleeper)
    let observer = Scheduling.current as? any SleepObserver
    observer?.runningTask(sleeps: true)
    defer { observer?.runningTask(sleeps: false) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let sleeper = Sleeper(continuation)
        if !start(timer, at: deadline.nanoseconds, { sleeper.wake() }) { return sleeper.wake() }
        // An earlier cancellation found no timer to stop. A cancellation now finds it, here or there or both.
        if Task.isCancelled { stop(timer) }
      }
    } onCancel: {
      stop(timer)
    }
  }
}

/// The name of the running task in quotation marks, if it is available.
private var nameOfSleeper: String { nameOfRunningTask.map { "\"\($0)\"" } ?? "a sleep" }

extension Int {
  fileprivate func duration(to deadline: ManualClock.Instant) -> Int {
    let (left, overflow) = deadline.nanoseconds.subtractingReportingOverflow(self)
    return overflow ? 0 : left
  }
}

extension ManualClock.Instant {
  /// The duration in nanoseconds, rounded up.
  var nanoseconds: Int {
    let down = offset.nanoseconds
    return down < .max && Duration.nanoseconds(down) < offset ? down + 1 : down
  }
}

/// A task that sleeps.
///
/// It is kept only by its timer. If it is dropped, because the timer was stopped or released with its clock, the task
/// is notified.
final class Sleeper: Sendable {
  private let continuation: CheckedContinuation<Void, any Error>
  /// True if it was woken.
  ///
  /// At most once, because a timer fires once. Relaxed: the end of the object comes after all of its uses.
  private let isAwake = Atomic(false)

  init(_ continuation: CheckedContinuation<Void, any Error>) { self.continuation = continuation }

  func wake() {
    isAwake.store(true, ordering: .relaxed)
    continuation.resume()
  }

  deinit {
    if !isAwake.load(ordering: .relaxed) { continuation.resume(throwing: CancellationError()) }
  }
}

/// The name of the running task, if it is available.
var nameOfRunningTask: String? {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return Task.name }
  return nil
}
