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

/// Text that is assembled in a signal handler: in existing memory, by copying only.
///
/// There is one such text in a process, and one thread that writes it: ``CrashHandler`` ensures that. That makes each
/// use of the pointer safe, together with the bound that `add` checks.
@safe struct LastWords {
  private static let capacity = 65_536
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

  /// Adds a number that isn't negative.
  mutating func addPlain(_ number: Int) {
    var divisor = 1
    while number / divisor > 9 { divisor *= 10 }
    while divisor > 0 {
      add(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  /// Writes the text that was added since then to a new file.
  func write(to path: [CChar], from before: Self) {
    // The path ends with a zero; the mode is that of a file which its owner may write.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { return }
    write(to: descriptor, from: before.count)
    close(descriptor)
  }

  /// Writes the text to a file descriptor, as far as that accepts it.
  func write(to descriptor: CInt, from first: Int = 0) {
    // In bounds: no more than `count` bytes were added.
    unsafe writeAll(UnsafeRawBufferPointer(start: bytes + first, count: count - first), to: descriptor)
  }
}
