// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import Synchronization

/// Handlers of finished work stay on a long-lived token.
enum R12HandlersStay {
  static let pattern = Pattern(
    id: "R12",
    title: "Handlers on a long-lived token",
    published: [
      "sindresorhus/p-queue#235", "langchain-ai/langchainjs#9905", "nodejs/node#51091", "oven-sh/bun#29898",
      "jacobheun/any-signal#23", "whatwg/dom#946", "dotnet/runtime#78180", "dotnet/roslyn#20111",
      "Particular/NServiceBus#6256", "microsoft/cpprestsdk#589", "ReactiveX/RxSwift#2364",
    ],
    rounds: 500,
    naive: naive,
    ours: ours
  )

  // `lock` guards `handlers`.
  private final class Token: @unchecked Sendable {
    private let lock = NSLock()
    private var handlers: [@Sendable () -> Void] = []

    func onCancel(_ handler: @escaping @Sendable () -> Void) { lock.withLock { handlers.append(handler) } }
  }

  static func naive() async -> Bool {
    let shutdown = Token()
    let alive = Counter()
    for _ in 0..<100 {
      let request = Request(alive)
      shutdown.onCancel { request.abort() }
      // The request is done; the handler isn't unregistered.
    }
    return withExtendedLifetime(shutdown) { alive.value.load(ordering: .acquiring) > 0 }
  }

  static func ours() async -> Bool {
    let shutdown = Future()
    let alive = Counter()
    for _ in 0..<100 {
      let request = Request(alive)
      let future = Future(linkedTo: shutdown)
      future.onCancel { request.abort() }
      future.complete()  // the shutdown forgets it here
    }
    return withExtendedLifetime(shutdown) { alive.value.load(ordering: .acquiring) > 0 }
  }

  private final class Counter: Sendable { let value = Atomic(0) }

  private final class Request: Sendable {
    private let alive: Counter

    init(_ alive: Counter) {
      self.alive = alive
      alive.value.add(1, ordering: .acquiringAndReleasing)
    }

    deinit { alive.value.subtract(1, ordering: .acquiringAndReleasing) }

    func abort() {}
  }
}
