// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CSignals
internal import Foundation
internal import RaceFreeFuture
internal import Synchronization

/// A closure that is called for each of some signals to this process, instead of the effect that they had.
///
/// A signal handler may do hardly anything: this one writes the signal's number into a pipe, which a dispatch source
/// reads. A signal source of Dispatch would need less code, but on Linux it makes all threads that it meets block the
/// signal forever: after its cancellation, the process could no longer be terminated. And child processes don't inherit
/// a handler, while they do inherit that a signal is ignored.
///
/// No signal is lost: a signal that is read when no listener takes it any more is sent again, and has its
/// former effect.
///
/// For each signal, every listener chooses what to do before any of them acts: an action may change what another one
/// would choose, such as end the wait that the signal was to end, which would then take the signal for a second one.
final class SignalListener: Sendable {
  /// What a listener does with a signal; returns true if it has taken it.
  typealias Action = () -> Bool
  /// Chooses what to do with a signal, and changes nothing that another listener asks for; nil to leave it to others.
  typealias Choice = @Sendable () -> Action?

  private struct Entry {
    /// The place in the order in which listeners began.
    let order: UInt64
    let choice: Choice
  }

  private struct Table {
    /// The listeners of each caught signal.
    var entries: [Int32: [ObjectIdentifier: Entry]] = [:]
    var last: UInt64 = 0
    var isReading = false

    /// Returns the pipe if it is new.
    mutating func add(_ id: ObjectIdentifier, _ choice: @escaping Choice, for signals: Set<ProcessSignal>) -> Int32? {
      var newPipe: Int32?
      if !isReading {
        let pipe = rff_openSignalPipe()
        guard pipe != -1 else { return nil }
        isReading = true
        newPipe = pipe
      }
      last += 1
      for number in signals.map(\.rawValue) where entries[number] != nil || rff_catchSignal(number) {
        entries[number, default: [:]][id] = Entry(order: last, choice: choice)
      }
      return newPipe
    }

    /// Returns what it has removed, to be released.
    mutating func remove(_ id: ObjectIdentifier, for signals: Set<ProcessSignal>) -> [Entry] {
      signals.map(\.rawValue).compactMap { number in
        guard let entry = entries[number]?.removeValue(forKey: id) else { return nil }
        if entries[number]?.isEmpty == true {
          entries[number] = nil
          rff_releaseSignal(number)
        }
        return entry
      }
    }
  }

  /// Guards the listeners and, with them, the actions of the signals: `pipe`, `fcntl` and `sigaction`, which don't
  /// wait.
  private static let table = Locked(Table())

  private let signals: Set<ProcessSignal>
  /// True if it has ended, perhaps before it began.
  ///
  /// Relaxed: it is read and written under the lock of the table.
  private let hasEnded = Atomic(false)

  /// Creates a listener that has not begun.
  init(for signals: [ProcessSignal]) { self.signals = Set(signals) }

  deinit { end() }

  /// Begins to listen, unless the listener has ended.
  ///
  /// The closure, and then its action, runs on a thread of a global queue, for one signal at a time. Signals that can't
  /// be caught keep their effect. Signals of one kind that come in quick succession may be one.
  func begin(_ choice: @escaping Choice) {
    let newPipe = Self.table.withLock { table in
      hasEnded.load(ordering: .relaxed) ? nil : table.add(ObjectIdentifier(self), choice, for: signals)
    }
    if let newPipe { Self.readSignals(from: newPipe) }
  }

  /// Ends listening: if nobody else listens, the signals have their former effect again.
  ///
  /// The closure is released before this returns, unless it is running.
  func end() {
    Self.table.release { table in
      hasEnded.store(true, ordering: .relaxed)
      return table.remove(ObjectIdentifier(self), for: signals)
    }
  }

  /// Reads the pipe for the rest of the program: one source, once there was a listener.
  private static func readSignals(from descriptor: Int32) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    // It keeps itself alive, and is never cancelled.
    source.setEventHandler {
      withExtendedLifetime(source) {}
      var number: UInt8 = 0
      while unsafe read(descriptor, &number, 1) == 1 { receive(Int32(number)) }
    }
    source.activate()
  }

  private static func receive(_ number: Int32) {
    let entries = table.withLock { table in table.entries[number].map { Array($0.values) } ?? [] }
    // First all choose, then all act, also if the first one takes it.
    let actions = entries.sorted { $0.order < $1.order }.compactMap { $0.choice() }
    if actions.map({ $0() }).contains(true) { return }
    // Those that it was caught for have ended. Nobody may listen now; other code may still have put the handler back.
    table.withLock { if $0.entries[number] == nil { rff_releaseSignal(number) } }
    kill(getpid(), number)
  }
}
