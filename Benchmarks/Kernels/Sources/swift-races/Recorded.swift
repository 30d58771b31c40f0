// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What earlier runs showed.
enum Recorded {
  /// The kernels in which ThreadSanitizer sees a race (`--tsan`): those with a variable that nothing guards.
  static let sanitizer: Set<String> = [
    "openusage-1059", "swift-nio-2436", "nuke-decoders", "sourcekit-lsp-connection", "sourcekit-lsp-rename",
    "tca-3475", "tca-669",
  ]
  /// The kernels that the explorer doesn't find.
  ///
  /// - `swift-nio-3455`: the lock is held over a suspension, and what hangs is a pool whose threads all wait for it. The
  ///   explorer gives each task a thread of its own where it waits for a lock.
  static let notFound: Set<String> = ["swift-nio-3455"]
}
