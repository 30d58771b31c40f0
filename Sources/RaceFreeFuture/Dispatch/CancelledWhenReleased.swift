// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// Cancels a dispatch source when it is released: with the closure that holds it, whether that has run or was dropped.
final class CancelledWhenReleased: Sendable {
  /// Dispatch sources are thread-safe; only Dispatch hasn't said so to the compiler.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) {
    unsafe self.source = source
  }

  deinit { cancel() }

  /// Cancels the source; any number of times.
  func cancel() { unsafe source.cancel() }
}
