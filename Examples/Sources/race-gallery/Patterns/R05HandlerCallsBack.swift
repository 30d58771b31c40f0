// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

/// Handlers are run while the lock is held, and one of them calls back in.
enum R05HandlerCallsBack {
  static let pattern = Pattern(
    id: "R5",
    title: "Handler calls back in",
    published: [
      "FutureKit/FutureKit#33", "apple/containerization#908", "Shopify/promise-swift#13", "onevcat/Kingfisher#2539",
    ],
    rounds: 1_000,
    naive: naive,
    ours: ours
  )

  // `lock` guards everything, which is the mistake.
  private final class Token: @unchecked Sendable {
    private let lock = NSLock()
    private var cancelled = false
    private var handlers: [() -> Void] = []

    var isCancelled: Bool { lock.withLock { cancelled } }

    func onCancel(_ handler: @escaping @Sendable () -> Void) {
      lock.withLock { if cancelled { handler() } else { handlers.append(handler) } }
    }

    func cancel() {
      lock.withLock {
        cancelled = true
        for handler in handlers { handler() }
      }
    }
  }

  static func naive() async -> Bool {
    let token = Token()
    token.onCancel { [unowned token] in precondition(token.isCancelled) }
    token.cancel()  // never returns
    return false
  }

  static func ours() async -> Bool {
    let token = Future()
    token.onCancel(on: .inline) { [unowned token] in precondition(token.isCancelled) }
    token.cancel()
    return false
  }
}
