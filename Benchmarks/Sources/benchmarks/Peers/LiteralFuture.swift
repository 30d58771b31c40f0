// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch

/// RXFuture of 2011, word for word in Swift: every call is one block on the future's own serial queue, and every handler one on the global queue.
///
/// It can't be inspected, a handler can't be removed, and handlers are kept until the future goes.
///
/// `@unchecked Sendable`: what varies is touched by blocks of the serial queue alone.
final class LiteralFuture: @unchecked Sendable {
  private let queue = DispatchQueue(label: "literal")
  private var isCompleted = false
  private var isCancelled = false
  private var completionHandlers: [@Sendable () -> Void] = []
  private var cancellationHandlers: [@Sendable () -> Void] = []

  func onComplete(_ handler: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      if isCompleted {
        DispatchQueue.global().async(execute: handler)
      } else {
        completionHandlers.append(handler)
      }
    }
  }

  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      if isCancelled {
        DispatchQueue.global().async(execute: handler)
      } else {
        cancellationHandlers.append(handler)
      }
    }
  }

  func complete() {
    queue.async { [self] in
      guard !isCompleted, !isCancelled else { return }
      isCompleted = true
      for handler in completionHandlers { DispatchQueue.global().async(execute: handler) }
    }
  }

  func cancel() {
    queue.async { [self] in
      guard !isCompleted, !isCancelled else { return }
      isCancelled = true
      for handler in cancellationHandlers { DispatchQueue.global().async(execute: handler) }
    }
  }
}
