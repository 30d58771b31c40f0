// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// A permit is given to a waiter that is cancelled at the same time, and is lost.
enum LostPermit {
  protocol Semaphore: Actor {
    var permits: Int { get }
    var hasWaiters: Bool { get }
    func acquire() async throws
    func release()
  }

  actor Naive: Semaphore {
    var permits = 1
    private var waiters: [CheckedContinuation<Void, Never>] = []
    var hasWaiters: Bool { !waiters.isEmpty }

    func acquire() async throws {
      if permits > 0 { permits -= 1 } else { await withCheckedContinuation { waiters.append($0) } }
      try Task.checkCancellation()  // was given a permit, and throws it away
    }

    func release() {
      if waiters.isEmpty { permits += 1 } else { waiters.removeFirst().resume() }
    }
  }

  actor Ours: Semaphore {
    var permits = 1
    private var waiters: [Completer<ValueFuture<Void>>] = []
    var hasWaiters: Bool { !waiters.isEmpty }

    func acquire() async throws {
      if permits > 0 { permits -= 1 } else { try await withFuture { waiters.append($0) } }
    }

    func release() {
      while !waiters.isEmpty { if waiters.removeFirst().tryComplete(with: ()) { return } }  // refused: the next one
      permits += 1
    }
  }

  /// Says how many permits are left after a waiter was given one, and was cancelled before it continued.
  static func permits(of semaphore: some Semaphore) async -> String {
    try? await semaphore.acquire()
    let waiter = Task {
      try await semaphore.acquire()
      await semaphore.release()
    }
    while await !semaphore.hasWaiters { await Task.yield() }
    await release(semaphore, andCancel: waiter)
    _ = await waiter.result
    return "\(await semaphore.permits) of 1 permits are left"
  }

  /// Does both in one turn of the actor, on which the waiter has to continue.
  private static func release<S: Semaphore>(_ semaphore: isolated S, andCancel waiter: Task<Void, any Error>) {
    semaphore.release()
    waiter.cancel()
  }
}
