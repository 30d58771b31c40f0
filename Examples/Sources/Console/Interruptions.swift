// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
public import RaceFreeFuture

/// The user pressed Ctrl-C, or another signal to end was sent to the process.
public struct Interruption: Error, Hashable, CustomStringConvertible {
  /// The signal's number.
  public let signal: Int32

  /// Makes an interruption by a signal.
  public init(signal: Int32) {
    self.signal = signal
  }

  /// A one-line description.
  public var description: String { signal == SIGINT ? "Ctrl-C" : "signal \(signal)" }

  /// The exit status of a program that the signal ended, as a shell reports it.
  public var exitStatus: Int32 { 128 + signal }
}

/// Turns Ctrl-C into a cancellation, and a second one into an exit.
///
/// A signal may come at any time: before the first download, in the middle, when everything has just ended. A future
/// accepts it at any time.
public struct Interruptions: Sendable {
  /// Ends the watch: the signals have their previous effect again.
  private let watch = Future(label: "watch for signals")

  /// Starts the watch, and returns when it is on.
  ///
  /// A signal that comes before that ends the process as usual.
  ///
  /// - Parameters:
  ///   - run: The work that the first signal cancels.
  ///   - restore: Called before a second one ends the process.
  public init(cancelling run: CancelToken, restore: @escaping @Sendable () -> Void = {}) async {
    // The reader of our output may disappear; that is no reason to leave partial files behind.
    _ = signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    let first = Future(label: "first signal")
    for number in [SIGINT, SIGTERM] {
      let interruption = Interruption(signal: number)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        guard first.tryComplete() else {
          restore()
          _exit(interruption.exitStatus)
        }
        run.cancel(throwing: interruption)
      }
      await on(source, number)
    }
  }

  /// Ends the watch.
  public func end() { watch.complete() }

  private func on(_ source: any DispatchSourceSignal, _ number: Int32) async {
    let isOn = Future(label: "signal \(number) is watched")
    source.setRegistrationHandler {
      #if canImport(Darwin)
        // Dispatch sees the signal also when the process ignores it. On Linux Dispatch itself prevents the signal from
        // ending the process.
        _ = signal(number, SIG_IGN)
      #endif
      isOn.complete()
    }
    source.setCancelHandler { _ = signal(number, SIG_DFL) }
    watch.attach(source)
    _ = await isOn.outcome
  }
}
