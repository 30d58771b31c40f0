// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import Synchronization

/// Who knows the time, and wakes those who sleep.
protocol Timekeeper: AnyObject, Sendable {
  /// Nanoseconds since the beginning.
  var now: Int { get }

  /// The instant that stands for the beginning where an instant is asked for that isn't virtual.
  var epoch: ContinuousClock.Instant { get }

  /// Sets a timer, unless its time has come already; returns whether it is set.
  ///
  /// It fires at most once, and holds the closure until then or until it is stopped.
  func start(_ timer: ScheduledTimer, at deadline: Int, _ fire: @escaping @Sendable () -> Void) -> Bool

  /// Stops a timer and releases its closure; any number of times.
  func stop(_ timer: ScheduledTimer)
}

extension Timekeeper {
  /// The present instant, as deadlines have it.
  var instant: ContinuousClock.Instant { epoch.advanced(by: .nanoseconds(now)) }

  /// Suspends the running task until an instant.
  func sleep(until deadline: ManualClock.Instant) async throws {
    try Task.checkCancellation()
    let left = now.duration(to: deadline)
    guard left > 0 else { return }
    let timer = ScheduledTimer(interval: .nanoseconds(left), name: nameOfSleeper)
    let run = Scheduling.current as? OrderRun
    run?.runningTask(sleeps: true)
    defer { run?.runningTask(sleeps: false) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let sleeper = Sleeper(continuation)
        if !start(timer, at: deadline.nanoseconds, { sleeper.wake() }) { return sleeper.wake() }
        // A cancellation that came before found no timer to stop. One that comes now finds it, here or there or both.
        if Task.isCancelled { stop(timer) }
      }
    } onCancel: {
      stop(timer)
    }
  }
}

/// The name of the running task in quotation marks, where it has one that can be had.
private var nameOfSleeper: String { nameOfRunningTask.map { "\"\($0)\"" } ?? "a sleep" }

extension Int {
  fileprivate func duration(to deadline: ManualClock.Instant) -> Int {
    let (left, overflow) = deadline.nanoseconds.subtractingReportingOverflow(self)
    return overflow ? 0 : left
  }
}

extension ManualClock.Instant {
  /// The first full nanosecond that isn't before it.
  var nanoseconds: Int {
    let down = offset.nanoseconds
    return down < .max && Duration.nanoseconds(down) < offset ? down + 1 : down
  }
}

/// A task that sleeps.
///
/// Whoever sets a timer keeps it there, and nowhere else. Where it is dropped, because the timer was stopped or went with
/// its clock, the task is told so.
final class Sleeper: Sendable {
  private let continuation: CheckedContinuation<Void, any Error>
  /// Whether it was woken.
  ///
  /// At most once, because a timer fires once. Relaxed: the end of the object comes after all that was done with it.
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

/// The name that the running task was given, where it can be had.
var nameOfRunningTask: String? {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return Task.name }
  return nil
}
