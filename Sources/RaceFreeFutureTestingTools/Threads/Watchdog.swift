// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture

/// Watches waits that may never end.
enum Watchdog {
  /// Has a thread of its own if it needs one, so that it also works when the shared pool is blocked.
  private static let queue = DispatchQueue(label: "RaceFreeFutureTesting.Watchdog")

  /// Runs a quick block after a time; not in an explored order, where a wait without an end is a deadlock at once.
  static func bark(after time: Duration, _ body: @escaping @Sendable () -> Void) {
    if !Scheduling.isOnScheduledThread { queue.asyncAfter(deadline: .after(time), execute: body) }
  }
}
