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

/// The state of a thread of this process, as far as it is known: on Linux, running, or waiting for something.
struct ThreadStatus {
  /// The state, as the end of a sentence.
  let words: String

  /// - Parameters:
  ///   - thread: The system's number for it; 0: unknown.
  ///   - names: The names of the threads that may hold a lock, by their numbers.
  init(of thread: Int, _ names: [Int: String] = [:]) {
    guard thread != 0, let text = contents(of: "/proc/self/task/\(thread)/syscall") else {
      words = "doesn't return"
      return
    }
    // "running", or the number of the system call, its six arguments, and two registers.
    let fields = text.split { $0 == " " || $0 == "\n" }
    let numbers = fields.dropFirst().map { UInt64($0.dropFirst(2), radix: 16) ?? 0 }
    guard let call = fields.first.flatMap({ Int($0) }), numbers.count >= 6 else {
      words = "runs, and doesn't come to an end"
      return
    }
    words = Self.words(for: call, numbers, names)
  }

  private static func words(for call: Int, _ arguments: [UInt64], _ names: [Int: String]) -> String {
    switch SystemCall(rawValue: call) {
    case .futex:
      let address = "0x" + String(arguments[0], radix: 16)
      // The low bits are the command; 6 and 13 take a lock whose word has the number of the thread that holds it.
      guard [6, 13].contains(arguments[1] & 0x7f) else {
        return "waits to be woken (by a semaphore, a condition or a plain lock, at \(address))"
      }
      let holder = word(at: arguments[0]).map { Int($0 & 0x3fff_ffff) }
      let whose = holder.map { names[$0] ?? "thread \($0)" }.map { " that \($0) holds" } ?? ""
      return "waits for a lock\(whose), at \(address)"
    case .read: return "reads from descriptor \(arguments[0])"
    case .write: return "writes to descriptor \(arguments[0])"
    case .poll, .wait: return "waits for a descriptor to be ready"
    case .sleep, .sleepUntil: return "sleeps"
    case .child, .childID: return "waits for a child process"
    case nil: return "is in system call \(call)"
    }
  }

  /// Returns four bytes of this process, read by the system: an address that isn't valid any more is an error and not a
  /// crash.
  private static func word(at address: UInt64) -> UInt32? {
    let descriptor = unsafe open("/proc/self/mem", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var word: UInt32 = 0
    // Writes no more than four bytes.
    return unsafe pread(descriptor, &word, 4, off_t(truncatingIfNeeded: address)) == 4 ? word : nil
  }
}

#if arch(x86_64)
  private enum SystemCall: Int {
    case read = 0, write = 1, poll = 7, sleep = 35, child = 61, futex = 202, sleepUntil = 230, wait = 232, childID = 247
  }
#else
  /// The numbers of all newer architectures.
  private enum SystemCall: Int {
    case wait = 22, read = 63, write = 64, poll = 73, childID = 95, futex = 98, sleep = 101, sleepUntil = 115
    case child = 260
  }
#endif

/// Returns the text of a file without a length, such as one of the system; nil if it can't be read.
private func contents(of path: String) -> String? {
  // The path is copied.
  let descriptor = unsafe open(path, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 4_096)
  // Reads no more than the buffer holds.
  let count = unsafe read(descriptor, &bytes, bytes.count)
  return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
}
