// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting

/// Work that can be cancelled, with a channel that is closed then: Go's `context.Context`.
final class Context: Sendable {
  private let work = Future(label: "context")
  let done = Channel<Never>()

  var token: CancelToken { work.cancelToken }

  /// Creates a context that is cancelled with its parent.
  init(_ parent: CancelToken = .never) {
    work.onCancel(on: .inline) { [done] in done.close() }
    parent.cascadeCancellation(to: work)
  }

  func cancel() { work.cancel() }
}
