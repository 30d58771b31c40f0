// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What earlier runs showed.
enum Recorded {
  /// The kernels in which ThreadSanitizer sees a race (`--tsan`).
  static let sanitizer: Set<String> = []
  /// The kernels that the explorer doesn't find.
  static let notFound: Set<String> = []
}
