// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import Dispatch
internal import RaceFreeFutureTestingTools

/// The time of an order, which its threads read in place of the real one.
///
/// `ContinuousClock`, `SuspendingClock`, `DispatchTime` and Foundation's `Date` then show the time to which sleeps and
/// timers have advanced. Used by the one thread of an order that runs: that makes it `@unchecked Sendable`.
@safe final class VirtualTime: @unchecked Sendable {
  /// The instant at which an exploration begins: the same for each of its orders.
  struct Start: Sendable {
    fileprivate let time: rff_VirtualTime
    let epoch: ContinuousClock.Instant

    /// nil where threads can't have a time of their own.
    init?() {
      guard VirtualTime.isAvailable else { return nil }
      self.init(unchecked: ())
    }

    fileprivate init(unchecked: Void) {
      var time = rff_VirtualTime()
      unsafe rff_startVirtualTime(&time)
      self.time = time
      epoch = VirtualTime.reading(time) { .now }
    }
  }

  private let time: UnsafeMutablePointer<rff_VirtualTime>
  let epoch: ContinuousClock.Instant

  init(_ start: Start) {
    unsafe time = .allocate(capacity: 1)
    unsafe time.initialize(to: start.time)
    epoch = start.epoch
  }

  deinit { unsafe time.deallocate() }

  /// Nanoseconds since the beginning.
  var now: Int {
    get { unsafe Int(time.pointee.now) }
    set { unsafe time.pointee.now = Int64(newValue) }
  }

  /// True if the running step has read it.
  var wasRead: Bool { unsafe time.pointee.readings > 0 }

  /// Begins a step, after a number of steps in which tasks did nothing but read the time and yield.
  func beginStep(afterPolls polls: Int) {
    if polls > 0 { unsafe rff_passVirtualTime(time, Int64(polls)) }
    unsafe time.pointee.readings = 0
  }

  // MARK: Threads

  /// Makes the calling thread read this time, until it uses the real one again; the caller keeps this object till then.
  func use() { _ = unsafe rff_useVirtualTime(time) }

  static func useReal() { _ = unsafe rff_useVirtualTime(nil) }

  /// Runs code of the explorer's own that measures how long something takes.
  static func withRealTime<T>(_ body: () -> T) -> T {
    let before = unsafe rff_useVirtualTime(nil)
    defer { _ = unsafe rff_useVirtualTime(before) }
    return body()
  }

  private static func reading<T>(_ time: rff_VirtualTime, _ body: () -> T) -> T {
    var time = time
    return unsafe withUnsafeMutablePointer(to: &time) { time in
      let before = unsafe rff_useVirtualTime(time)
      defer { _ = unsafe rff_useVirtualTime(before) }
      return body()
    }
  }

  /// True if all clocks follow.
  static let isAvailable: Bool = {
    let start = Start(unchecked: ())
    var later = start.time
    let day = Duration.seconds(86_400)
    later.now = Int64(day.nanoseconds)
    let (first, second) = (reading(start.time, Reading.init), reading(later, Reading.init))
    return second.continuous - first.continuous == day && second.suspending - first.suspending == day
      && second.dispatch - first.dispatch == UInt64(day.nanoseconds)
  }()

  private struct Reading {
    let continuous = ContinuousClock.now
    let suspending = SuspendingClock.now
    let dispatch = DispatchTime.now().uptimeNanoseconds
  }
}
