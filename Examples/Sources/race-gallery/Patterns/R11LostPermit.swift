// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

/// A permit is granted to a waiter that is cancelled at the same time, and is lost.
enum R11LostPermit {
  static let pattern = Pattern(
    id: "R11",
    title: "Permit granted to a cancelled waiter",
    published: [
      "Kotlin/kotlinx.coroutines#2233", "Kotlin/kotlinx.coroutines#3504", "microsoft/vs-threading#521",
      "microsoft/vs-threading#955", "madelson/DistributedLock#120", "apache/httpcomponents-client#309",
      "moonbitlang/async#160",
    ],
    rounds: 2_000,
    naive: { await isPermitLost(Naive()) },
    ours: { await isPermitLost(Ours()) }
  )

  private protocol Semaphore: Actor {
    var permits: Int { get }
    var waiting: Int { get }
    func acquire() async throws
    func release()
  }

  private actor Naive: Semaphore {
    var permits = 1
    private var waiters: [CheckedContinuation<Void, Never>] = []
    var waiting: Int { waiters.count }

    func acquire() async throws {
      if permits > 0 { permits -= 1 } else { await withCheckedContinuation { waiters.append($0) } }
      try Task.checkCancellation()  // granted, then thrown away
    }

    func release() {
      if waiters.isEmpty { permits += 1 } else { waiters.removeFirst().resume() }
    }
  }

  private actor Ours: Semaphore {
    var permits = 1
    private var waiters: [Completer<ValueFuture<Void>>] = []
    var waiting: Int { waiters.count }

    func acquire() async throws {
      if permits > 0 { return permits -= 1 }
      try await withFuture { waiters.append($0) }
    }

    func release() {
      while !waiters.isEmpty { if waiters.removeFirst().tryComplete(with: ()) { return } }  // refused: try the next
      permits += 1
    }
  }

  /// Runs a round: a waiter is cancelled while the permit is returned.
  private static func isPermitLost(_ semaphore: some Semaphore) async -> Bool {
    try? await semaphore.acquire()
    let waiter = Task {
      try await semaphore.acquire()
      await semaphore.release()
    }
    while await semaphore.waiting == 0 { await Task.yield() }
    async let released: Void = semaphore.release()
    waiter.cancel()
    await released
    _ = try? await waiter.value
    return await semaphore.permits != 1
  }
}
