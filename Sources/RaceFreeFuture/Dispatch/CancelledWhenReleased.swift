// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// An object that cancels a dispatch source when it is released, with the closure that holds it, even if that has never
/// run.
final class CancelledWhenReleased: Sendable {
  /// Dispatch sources are thread-safe, but not declared so.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) {
    unsafe self.source = source
  }

  deinit { cancel() }

  /// Cancels the source; it can be called any number of times.
  func cancel() { unsafe source.cancel() }
}
