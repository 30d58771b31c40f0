// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Synchronization

/// A way to make an `async` function of the service's callbacks; each instance is for one call.
protocol Wrapper: Sendable {
  func lease(from service: Service) async throws -> Lease

  /// Ends the call if nothing else will, when the request is over and the task has been cancelled.
  ///
  /// - Returns: How often the call was resumed again.
  func sweep() -> Int
}

// MARK: - With a future

/// The complete wrapper with a future.
struct WithFuture: Wrapper {
  func lease(from service: Service) async throws -> Lease {
    try await withFuture(onUndelivered: { service.giveBack($0) }) { completer in
      completer.attach {
        service.request { completer.complete(with: $0) }
      } stop: { request in
        request.stop()
      }
    }
  }

  // It has nothing to count: the service notices a lease that is lost, or has two owners.
  func sweep() -> Int { 0 }
}

// MARK: - By hand

/// A continuation and a cancellation handler that share a box: the commonly published way, wrong in four places.
final class ByHand: Wrapper {
  func lease(from service: Service) async throws -> Lease {
    let lease = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        box.withLock { $0.continuation = continuation }
        // 1. The service may answer twice, and resumes twice. It may never answer; then nothing resumes.
        let request = service.request { lease in self.resume(with: .success(lease)) }
        box.withLock { $0.request = request }
      }
    } onCancel: {
      // 2. If this comes early there is no request to stop yet, and no continuation to resume: it is lost.
      box.withLock(\.request)?.stop()
      // 3. If it comes while the answer is on its way to the task, both resume.
      resume(with: .failure(CancellationError()))
    }
    // 4. If it comes late the lease is forgotten.
    try Task.checkCancellation()
    return lease
  }

  private struct Box {
    var request: Request?
    var continuation: CheckedContinuation<Lease, any Error>?
    var resumes = 0
  }

  /// The lock spares it a fifth mistake: the handler runs on another thread.
  private let box = Mutex(Box())

  /// Resumes the continuation; a second time it only counts what would have stopped the program.
  private func resume(with result: Result<Lease, any Error>) {
    let continuation = box.withLock { box in
      if box.continuation != nil { box.resumes += 1 }
      return box.resumes == 1 ? box.continuation : nil
    }
    continuation?.resume(with: result)
  }

  func sweep() -> Int {
    if box.withLock(\.resumes) == 0 { resume(with: .failure(LostError())) }
    return box.withLock(\.resumes) - 1
  }
}

/// Thrown by a call that would never have returned.
struct LostError: Error {}
