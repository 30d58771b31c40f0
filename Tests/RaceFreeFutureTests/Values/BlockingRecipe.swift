// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

/// Runs work that blocks, on a serial queue that was made for it.
func blocking<Value: Sendable>(
  on queue: DispatchQueue,
  label: String? = nil,
  _ work: @escaping @Sendable (CancelToken) throws -> Value
) -> ValueFuture<Value> {
  let future = ValueFuture<Value>(label: label)
  let running = future.beginActivity("blocking work")  // drain waits for it
  queue.async {
    if future.isPending {
      future.complete(with: Result { try work(future.cancelToken) })
    }
    running.end()
  }
  return future
}
