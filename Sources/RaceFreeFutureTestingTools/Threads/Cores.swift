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

  // These functions aren't in the module: their type for a set of cores is a macro. Here it is a plain array of words.
  @_silgen_name("sched_getaffinity") private func schedGetAffinity(
    _ thread: Int32,
    _ bytes: Int,
    _ words: UnsafeMutablePointer<UInt>
  ) -> Int32
  @_silgen_name("sched_setaffinity") private func schedSetAffinity(
    _ thread: Int32,
    _ bytes: Int,
    _ words: UnsafePointer<UInt>
  ) -> Int32
#endif

/// The cores that this program may use.
enum Cores {
  /// Their numbers, in ascending order; where the system gives only a count, the numbers below it.
  static let available: [Int] = {
    #if canImport(Glibc)
      var words = [UInt](repeating: 0, count: 64)
      // The call writes no more than the given number of bytes.
      let length = unsafe schedGetAffinity(0, words.count * MemoryLayout<UInt>.size, &words)
      let cores = (0..<words.count * UInt.bitWidth).filter {
        words[$0 / UInt.bitWidth] >> (UInt($0 % UInt.bitWidth)) & 1 == 1
      }
      if length == 0, !cores.isEmpty { return cores }
    #endif
    return Array(0..<max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN)))))
  }()

  /// Keeps the calling thread on a core, where the system supports it; it affects only the frequency of overlaps.
  static func pin(to core: Int) {
    #if canImport(Glibc)
      var words = [UInt](repeating: 0, count: core / UInt.bitWidth + 1)
      words[core / UInt.bitWidth] = 1 << UInt(core % UInt.bitWidth)
      // The call reads no more than the given number of bytes.
      _ = unsafe schedSetAffinity(0, words.count * MemoryLayout<UInt>.size, words)
    #endif
  }
}
