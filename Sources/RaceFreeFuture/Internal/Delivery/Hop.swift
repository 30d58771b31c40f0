// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// A hop off the private queue before a continuation is resumed (law L6).
///
/// A task's cancellation handler runs under a lock of the Swift runtime, which resuming also takes. If the handler
/// waited for a private queue on which another thread was resuming, both would wait forever. A scheduler never waits.
enum Hop {
  static func perform(_ body: @escaping @Sendable () -> Void) {
    if Scheduling.current?.isScheduling == true { return body() }
    DispatchQueue.global().async(execute: body)
  }
}
