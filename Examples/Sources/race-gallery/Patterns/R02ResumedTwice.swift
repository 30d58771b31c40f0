// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// Completion and cancellation both see a live continuation.
enum R02ResumedTwice {
  static let pattern = Pattern(
    id: "R2",
    title: "Continuation resumed twice",
    published: [
      "meshtastic/Meshtastic-Apple#1755", "livekit/client-sdk-swift#528", "mhayes853/swift-cactus#31",
      "onevcat/Kingfisher#1911", "mullvad/mullvadvpn-app#6045", "robinebers/openusage#1059",
    ],
    rounds: 10_000,
    naive: naive,
    ours: ours
  )

  // Wrong on purpose: two threads use the continuation at the same time.
  private final class Request: @unchecked Sendable {
    private var continuation: CheckedContinuation<Int, any Error>?
    let parked = DispatchSemaphore(value: 0)

    func value() async throws -> Int {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          self.continuation = continuation
          parked.signal()
        }
      } onCancel: {
        cancel()
      }
    }

    func complete() {
      continuation?.resume(returning: 1)  // resume first, forget afterwards
      continuation = nil
    }

    private func cancel() {
      continuation?.resume(throwing: CancellationError())
      continuation = nil
    }
  }

  static func naive() async -> Bool {
    let request = Request()
    let task = Task { try await request.value() }
    atOnce(after: request.parked, { request.complete() }, { task.cancel() })
    _ = try? await task.value
    return false  // the second resume traps
  }

  private final class Replies: Sendable {
    let completer = Mutex<Completer<ValueFuture<Int>>?>(nil)
    let parked = DispatchSemaphore(value: 0)

    func value() async throws -> Int {
      try await withFuture { completer in
        self.completer.withLock { $0 = completer }
        parked.signal()
      }
    }

    func complete() -> Bool { completer.withLock { $0 }?.tryComplete(with: 1) ?? false }
  }

  static func ours() async -> Bool {
    let replies = Replies()
    let isCompleted = Atomic(false)
    let task = Task { try await replies.value() }
    atOnce(
      after: replies.parked,
      { isCompleted.store(replies.complete(), ordering: .releasing) },
      { task.cancel() }
    )
    // The replying side knows the result of the task.
    return ((try? await task.value) != nil) != isCompleted.load(ordering: .acquiring)
  }
}
