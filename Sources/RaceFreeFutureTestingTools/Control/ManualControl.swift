// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch
public import RaceFreeFuture

/// Manual control of the queues of futures: work that futures made inside of ``withManualControl(_:)-8662u`` would
/// dispatch waits here until the test runs it.
///
/// ```swift
/// try await withManualControl { control in
///   let future = Future(label: "load")
///   future.onComplete(on: .main) { view.show() }
///   future.cancel(after: .seconds(3))
///   control.clock.advance(by: .seconds(3))
///   #expect(future.isCancelled && control.pending.isEmpty)
/// }
/// ```
///
/// Work runs on the thread that calls `run…`, one piece at a time. The work of one queue runs in order; on a global
/// queue, which keeps no order, each piece is independent. `performAndWait` and similar calls first run the work that
/// is queued before them. Use it from one task: a `run…` that begins while another runs stops the program.
public final class ManualControl: Sendable {
  let scheduler = ManualScheduler()

  init() {}

  /// The clock that the timers of the futures follow.
  public var clock: ManualClock { ManualClock(scheduler: scheduler) }

  /// The pending work, the oldest first: its queue, kind and future, as in `main: onComplete of "load"`.
  ///
  /// Timers aren't listed here, but in ``ManualClock/timers``.
  public var pending: [String] { scheduler.pending }

  /// Runs the oldest piece of work.
  ///
  /// - Returns: False if nothing waits.
  @discardableResult
  public func runNext() -> Bool { scheduler.runNext { $0.oldest } }

  /// Runs the first piece of work that is pending on a queue.
  ///
  /// - Parameter queue: A queue that was given to a handler, like `DispatchQueue.main`.
  /// - Returns: False if nothing waits there.
  @discardableResult
  public func runNext(on queue: DispatchQueue) -> Bool { scheduler.runNext { $0.line(of: queue) } }

  /// Runs the first piece of work that is pending on the private queue of a future.
  ///
  /// - Parameter future: A future that was made under this control.
  /// - Returns: False if nothing waits there.
  @discardableResult
  public func runNext(of future: Future) -> Bool {
    guard let queue = future.scheduledQueue, queue.scheduler === scheduler else {
      fatalError("\(future) wasn't made under this control, so its work doesn't wait here")
    }
    return scheduler.runNext { $0.line(of: queue) }
  }

  /// Runs all pending work, and work that is added meanwhile, the oldest first.
  ///
  /// - Parameter limit: If that many pieces have run and more are pending, the program stops with a message: they would
  ///   never end.
  /// - Returns: The number of pieces of work that have run.
  @discardableResult
  public func runAll(limit: Int = 10_000) -> Int {
    var count = 0
    while runNext() {
      count += 1
      if count >= limit, let next = pending.first {
        fatalError("\(count) pieces of work have run and there is no end; the next one is \(next)")
      }
    }
    return count
  }

  /// Drops all pending work, without running it.
  ///
  /// - Returns: The dropped work.
  @discardableResult
  public func dropAll() -> [String] { scheduler.dropAll() }
}
