// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// Looks after waits that may never end.
enum Watchdog {
  /// Has a thread of its own if it needs one, so that it barks also when the shared pool is blocked.
  private static let queue = DispatchQueue(label: "RaceFreeFutureTesting.Watchdog")

  /// Runs a quick block after a time.
  static func bark(after time: Duration, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + time.dispatchInterval, execute: body)
  }
}

extension Duration {
  /// The same for Dispatch; as long as it can express if it is longer.
  var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    // Some 290 years are 2^63 nanoseconds; Dispatch adds the time of day to it.
    guard seconds < 1_000_000_000 else { return .never }
    return .nanoseconds(Int(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
  }
}
