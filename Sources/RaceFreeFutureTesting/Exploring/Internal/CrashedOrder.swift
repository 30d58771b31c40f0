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

/// What is written to standard error if the process dies in the middle of an order: which one it was.
///
/// A trap can't become a report, because the process is gone: a continuation that is resumed twice, an index out of
/// range. Signal handlers may call next to nothing, so the text is kept ready, and only written.
enum CrashedOrder {
  private static let capacity = 4_096
  /// Written by the thread that explores, read by the same thread in a signal handler; that is enough for both to agree.
  nonisolated(unsafe) private static let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  nonisolated(unsafe) private static var length = 0
  nonisolated(unsafe) private static var thread = pthread_self()
  /// What was set before, by the numbers of the signals.
  nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

  /// Has the signals tell; called by the exploration that has the turn.
  static func listen() {
    for signal in signals {
      var action = sigaction()
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = died
      #else
        unsafe action.__sigaction_handler.sa_handler = died
      #endif
      var before = sigaction()
      unsafe sigaction(signal, &action, &before)
      unsafe (previous + Int(signal)).initialize(to: before)
    }
  }

  /// Puts the signals back as they were.
  static func rest() {
    unsafe length = 0
    for signal in signals { unsafe sigaction(signal, previous + Int(signal), nil) }
  }

  /// An order of this exploration begins, on this thread.
  static func begin(_ name: String) {
    unsafe length = 0
    unsafe thread = pthread_self()
    write("\nexplore \"\(name.onOneLine.prefix(200))\": the process died in this order; to run it alone: .replay(\"")
  }

  /// A step of this line is taken.
  static func step(_ line: Int) { write(OrderText.character(line)) }

  /// The order is over.
  static func end() { unsafe length = 0 }

  private static func write(_ words: String) {
    for byte in words.utf8 where unsafe length < capacity - 3 {
      unsafe text[length] = byte
      unsafe length += 1
    }
  }

  /// Writes what is ready, and lets the signal take its course.
  private static let died: @convention(c) (Int32) -> Void = { number in
    if unsafe length > 0, unsafe pthread_equal(thread, pthread_self()) != 0 {
      unsafe text[length] = UInt8(ascii: "\"")
      unsafe text[length + 1] = UInt8(ascii: ")")
      unsafe text[length + 2] = UInt8(ascii: "\n")
      #if canImport(Darwin)
        _ = unsafe Darwin.write(2, text, length + 3)
      #elseif canImport(Musl)
        _ = unsafe Musl.write(2, text, length + 3)
      #elseif canImport(Android)
        _ = unsafe Android.write(2, text, length + 3)
      #else
        _ = unsafe Glibc.write(2, text, length + 3)
      #endif
    }
    unsafe sigaction(number, previous + Int(number), nil)
    raise(number)
  }
}
