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

/// Text that is put together in a signal handler: in memory that is there already, by nothing but copying.
///
/// There is one such text in a process, and one thread that writes it: ``CrashHandler`` sees to it. That makes each use
/// of the pointer safe, together with the bound that `add` checks.
@safe struct LastWords {
  private static let capacity = 16_384
  nonisolated(unsafe) private static let page = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)

  private let bytes: UnsafeMutablePointer<UInt8>
  private var count = 0

  init() { unsafe bytes = Self.page }

  mutating func add(_ byte: UInt8) {
    guard count < Self.capacity else { return }
    unsafe bytes[count] = byte
    count += 1
  }

  mutating func add(_ text: [UInt8]) {
    var index = 0
    while index < text.count {
      add(text[index])
      index += 1
    }
  }

  mutating func add(_ text: StaticString) {
    var index = 0
    while index < text.utf8CodeUnitCount {
      // In bounds: the index is less than the count.
      unsafe add(text.utf8Start[index])
      index += 1
    }
  }

  /// Adds a number that isn't negative, with its digits in groups of three.
  mutating func add(_ number: Int) {
    var divisor = 1
    var digits = 1
    while number / divisor > 9 {
      divisor *= 10
      digits += 1
    }
    while divisor > 0 {
      add(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
      digits -= 1
      if digits > 0, digits % 3 == 0 { add(UInt8(ascii: ",")) }
    }
  }

  /// Writes it all to a file descriptor, as far as that takes it.
  func write(to descriptor: CInt) {
    var done = 0
    while done < count {
      // In bounds: no more than `count` bytes were added.
      #if canImport(Darwin)
        let written = unsafe Darwin.write(descriptor, bytes + done, count - done)
      #elseif canImport(Musl)
        let written = unsafe Musl.write(descriptor, bytes + done, count - done)
      #elseif canImport(Android)
        let written = unsafe Android.write(descriptor, bytes + done, count - done)
      #else
        let written = unsafe Glibc.write(descriptor, bytes + done, count - done)
      #endif
      if written < 0, errno == EINTR { continue }
      if written <= 0 { return }
      done += written
    }
  }
}
