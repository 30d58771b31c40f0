// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture

/// Turns Ctrl-C into a cancellation, and a second one into an exit.
///
/// A signal may come at any time: before the first download, in the middle, when everything has just ended. A future
/// accepts it at any time.
struct Interruptions {
  /// Ends the watch: the signals have their previous effect again.
  private let watch = Future(label: "watch for signals")

  /// Starts the watch, and returns when it is on: a signal that comes before that ends the process as usual.
  ///
  /// - Parameters:
  ///   - run: The work that the first signal cancels.
  ///   - restore: Called before a second one ends the process.
  init(cancelling run: CancelToken, restore: @escaping @Sendable () -> Void) async {
    // The reader of our output may disappear; that is no reason to leave partial files behind.
    _ = signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    let first = Future(label: "first signal")
    for number in [SIGINT, SIGTERM] {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        guard first.tryComplete() else {
          restore()
          _exit(128 + number)
        }
        run.cancel(throwing: Interruption(signal: number))
      }
      await on(source, number)
    }
  }

  /// Ends the watch.
  func end() { watch.complete() }

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
