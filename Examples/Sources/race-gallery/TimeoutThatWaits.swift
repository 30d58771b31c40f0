// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

/// A timeout made of a task group returns no sooner than the child that lost.
enum TimeoutThatWaits {
  static func naive() async {
    try? await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await withCheckedContinuation { continuation in ask { continuation.resume() } } }
      group.addTask {
        try await Task.sleep(for: .milliseconds(10))
        throw CancellationError()
      }
      try await group.next()  // throws after 10 ms, but the group waits for the answer
    }
  }

  static func ours() async {
    let answer = Future()
    ask { answer.complete() }
    answer.cancel(after: .milliseconds(10))
    try? await answer.value
  }

  /// Calls back after three seconds, and can't be stopped.
  private static func ask(_ callback: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 3, execute: callback)
  }

  /// Says when a wait returns.
  static func end(of wait: () async -> Void) async -> String {
    let time = await ContinuousClock().measure { await wait() }
    return time < .seconds(3) ? "returned before the answer" : "returned after the answer"
  }
}
