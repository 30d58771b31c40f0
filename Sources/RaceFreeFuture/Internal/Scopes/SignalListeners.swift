// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFutureRuntime

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Who listens for which signal of this process.
///
/// A signal handler may do next to nothing: ours writes the signal's number into a pipe, which a dispatch source reads.
/// A signal source of Dispatch would need less code, but on Linux it has all threads that it meets block the signal for
/// ever: taken back, the process couldn't be terminated any more. And a handler isn't inherited by child processes, as it
/// is that a signal is ignored.
enum SignalListeners {
  private struct Listener {
    let id: UInt64
    let body: @Sendable () -> Void
  }

  private struct Table {
    var listeners: [Int32: [Listener]] = [:]
    var last: UInt64 = 0
    var isReading = false

    /// Returns what the listener is called, 0 if the system lets nobody catch the signal, and the pipe if it is new; nil
    /// if there is none.
    mutating func add(_ body: @escaping @Sendable () -> Void, for number: Int32) -> (id: UInt64, newPipe: Int32?)? {
      var newPipe: Int32?
      if !isReading {
        let pipe = rff_openSignalPipe()
        guard pipe != -1 else { return nil }
        isReading = true
        newPipe = pipe
      }
      guard listeners[number] != nil || rff_catchSignal(number) else { return (0, newPipe) }
      last += 1
      listeners[number, default: []].append(Listener(id: last, body: body))
      return (last, newPipe)
    }

    /// Returns the listener, to be released.
    mutating func remove(_ id: UInt64, for number: Int32) -> Listener? {
      guard let index = listeners[number]?.firstIndex(where: { $0.id == id }) else { return nil }
      let listener = listeners[number]?.remove(at: index)
      if listeners[number]?.isEmpty == true {
        listeners[number] = nil
        rff_releaseSignal(number)
      }
      return listener
    }
  }

  /// Guards the table and, with it, what the signals do: the calls of the C functions.
  private static let table = Locked(Table())

  /// Has a closure called for each such signal instead of what the system does by default, until it is taken back.
  ///
  /// It runs on a thread of a global queue, one at a time. Signals of one kind that come in quick succession may be one.
  ///
  /// - Returns: What takes it back; nil if the system lets nobody catch this signal.
  static func listen(for signal: ProcessSignal, _ body: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    let number = signal.rawValue
    guard let (id, newPipe) = table.withLock({ $0.add(body, for: number) }) else { return nil }
    if let newPipe { read(from: newPipe) }
    if id == 0 { return nil }
    // The listener is released outside of the lock.
    return { _ = table.withLock { $0.remove(id, for: number) } }
  }

  /// Reads the pipe for the rest of the program: one source, once there was a listener.
  private static func read(from descriptor: Int32) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    // It holds itself, and is never cancelled.
    source.setEventHandler {
      withExtendedLifetime(source) {}
      var number: UInt8 = 0
      while unsafe systemRead(descriptor, &number) == 1 {
        let signal = Int32(number)
        for listener in table.withLock({ $0.listeners[signal] ?? [] }) { listener.body() }
      }
    }
    source.activate()
  }

  private static func systemRead(_ descriptor: Int32, _ byte: UnsafeMutablePointer<UInt8>) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.read(descriptor, byte, 1)
    #elseif canImport(Musl)
      unsafe Musl.read(descriptor, byte, 1)
    #elseif canImport(Android)
      unsafe Android.read(descriptor, byte, 1)
    #else
      unsafe Glibc.read(descriptor, byte, 1)
    #endif
  }
}
