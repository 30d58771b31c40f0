// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Diagnose

extension CancellableWork {
  /// The label or the place where the future was created, its state, the reason if it was cancelled, and the number of
  /// waiting handlers.
  ///
  /// A snapshot, meant for people to read; the format may change.
  public var description: String { cancelToken.future.description(of: "Future") }

  /// The parts of ``description``, for debuggers, `dump` and failed expectations.
  ///
  /// A value is omitted: it may be large or secret. A snapshot; the format may change. Types of your own have it by
  /// conforming to `CustomReflectable`.
  public var customMirror: Mirror { cancelToken.future.mirror(of: self) }

  /// The label of the future, and the place where it was created.
  public var origin: Origin { cancelToken.future.origin }

  /// The cancellation, with its path and place; nil unless the future was cancelled.
  public var cancellation: Cancellation? { cancelToken.future.resolution?.cancellation }
}
