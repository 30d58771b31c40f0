// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

/// A continuation whose second answer is a violation of the scene.
///
/// A checked continuation would end the process there, and a loop couldn't count.
struct Answer<Value: Sendable>: Sendable {
  private final class Flag: Sendable { let isAnswered = Synchronization.Atomic(false) }

  private let continuation: CheckedContinuation<Value, any Error>
  private let scene: Scene
  private let flag = Flag()

  init(_ continuation: CheckedContinuation<Value, any Error>, _ scene: Scene) {
    self.continuation = continuation
    self.scene = scene
  }

  func resume(with result: Result<Value, any Error>) {
    // Relaxed: the continuation orders what comes before its resumption.
    if flag.isAnswered.exchange(true, ordering: .relaxed) { return scene.fail("answered twice") }
    continuation.resume(with: result)
  }

  func resume(returning value: Value) { resume(with: .success(value)) }
  func resume(throwing error: any Error) { resume(with: .failure(error)) }
}

extension Answer where Value == Void {
  func resume() { resume(returning: ()) }
}

/// Suspends until the answer is given, as `withCheckedThrowingContinuation`.
func withAnswer<Value: Sendable>(
  _ scene: Scene,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (Answer<Value>) -> Void
) async throws -> Value {
  try await withCheckedThrowingContinuation(isolation: isolation) { body(Answer($0, scene)) }
}
