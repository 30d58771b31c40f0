// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// A timeout made of a task group can't return before the child that lost.
enum R07TimeoutThatWaits {
  static let pattern = Pattern(
    id: "R7",
    title: "Timeout that waits for the work",
    published: [
      "pnikolaidis/icemelt#42", "swiftlang/swift#82396", "AvdLee/Swift-Concurrency-Course#91",
      "facebook/meta-wearables-dat-ios#61",
    ],
    rounds: 20,
    naive: naive,
    ours: ours
  )

  static func naive() async -> Bool {
    let service = Service()
    try? await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await withCheckedContinuation { continuation in service.ask { continuation.resume() } } }
      group.addTask {
        try await Task.sleep(for: .milliseconds(10))
        throw CancellationError()
      }
      try await group.next()  // the timeout is here at once, but the group waits for the answer
    }
    return false
  }

  static func ours() async -> Bool {
    let service = Service()
    let reply = Future()
    service.ask { reply.complete() }
    reply.cancel(after: .milliseconds(10))
    try? await reply.value
    return reply.isCompleted
  }

  /// Keeps the callback and never calls it.
  private final class Service: Sendable {
    private let callbacks = Mutex<[@Sendable () -> Void]>([])

    func ask(_ callback: @escaping @Sendable () -> Void) { callbacks.withLock { $0.append(callback) } }
  }
}
