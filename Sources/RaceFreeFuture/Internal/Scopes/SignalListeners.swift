// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFutureRuntime

/// The listeners for the signals of this process.
///
/// A signal handler may do hardly anything: this one writes the signal's number into a pipe, which a dispatch source
/// reads. A signal source of Dispatch would need less code, but on Linux it makes all threads that it meets block the
/// signal forever: after its cancellation, the process could no longer be terminated. And child processes don't inherit
/// a handler, while they do inherit that a signal is ignored.
enum SignalListeners {
  private struct Listener {
    let id: UInt64
    let body: @Sendable () -> Void
  }

  private struct Table {
    var listeners: [Int32: [Listener]] = [:]
    var last: UInt64 = 0
    var isReading = false

    /// Returns the listener's number, 0 if the signal can't be caught, and the pipe if it is new; nil if there is none.
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

  /// Guards the table and, with it, the actions of the signals: the calls of the C functions.
  private static let table = Locked(Table())

  /// Registers a closure that is called for each such signal instead of the system's default action.
  ///
  /// It runs on a thread of a global queue, one at a time. Signals of one kind that come in quick succession may be one.
  ///
  /// - Returns: A closure that unregisters it; nil if this signal can't be caught.
  static func listen(for signal: ProcessSignal, _ body: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    let number = signal.rawValue
    guard let (id, newPipe) = table.withLock({ $0.add(body, for: number) }) else { return nil }
    if let newPipe { forwardSignals(from: newPipe) }
    if id == 0 { return nil }
    // The listener is released outside of the lock.
    return { table.release { $0.remove(id, for: number) } }
  }

  /// Reads the pipe for the rest of the program: one source, once there was a listener.
  private static func forwardSignals(from descriptor: Int32) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    // It keeps itself alive, and is never cancelled.
    source.setEventHandler {
      withExtendedLifetime(source) {}
      var number: UInt8 = 0
      while unsafe read(descriptor, &number, 1) == 1 {
        let signal = Int32(number)
        for listener in table.withLock({ $0.listeners[signal] ?? [] }) { listener.body() }
      }
    }
    source.activate()
  }
}
