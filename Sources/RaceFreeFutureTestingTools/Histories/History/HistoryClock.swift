// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// The time at which calls begin and end, in nanoseconds.
///
/// The system's monotonic clock, because reading it doesn't synchronize threads: a counter that all of them write would
/// be contended, and synchronize them.
///
/// A processor may read the clock before others see what it wrote. The fences make it wait, so that a call whose effect
/// isn't visible yet hasn't ended: otherwise even a plain atomic variable would seem to be stale at times.
enum HistoryClock {
  /// Reads the time before a call: nothing of the call is earlier.
  ///
  /// Later than the time given, when the thread's last call ended: where the clock is coarse, this waits for the next
  /// tick. So a thread's own calls never seem to overlap.
  static func begin(after last: UInt64) -> UInt64 {
    var time = now
    while time <= last { time = now }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return time
  }

  /// Reads the time after a call: nothing of the call is later.
  static func end() -> UInt64 {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return now
  }

  private static var now: UInt64 {
    #if canImport(Darwin)
      return clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
    #else
      var time = timespec()
      // Writes the time into the variable, and nothing else.
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    #endif
  }
}
