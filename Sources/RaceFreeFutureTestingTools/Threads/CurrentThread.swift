// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// The calling thread, in numbers.
package enum CurrentThread {
  /// A number that distinguishes it from all other living threads; never 0.
  ///
  /// Safe in a signal handler.
  package static var key: UInt {
    #if canImport(Glibc)
      return pthread_self()
    #elseif canImport(Android)
      return UInt(bitPattern: pthread_self())
    #else
      return unsafe UInt(bitPattern: pthread_self())
    #endif
  }

  /// The time that it has had a core, in nanoseconds.
  package static var processorTime: Int {
    var time = timespec()
    // Writes the time into the variable, and nothing else.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// The system's number for it, for looking into `/proc`; 0 where there is none.
  static var systemNumber: Int {
    #if os(Linux) || os(Android)
      var path = [CChar](repeating: 0, count: 64)
      // Writes no more than the given number of bytes; they are `<process>/task/<thread>`.
      let length = unsafe readlink("/proc/thread-self", &path, path.count - 1)
      guard length > 0 else { return 0 }
      let text = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return text.split(separator: "/").last.flatMap { Int($0) } ?? 0
    #else
      return 0
    #endif
  }
}
