// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

extension Question {
  static var awaiting: Question {
    let peer = "withCheckedThrowingContinuation"
    return Question(
      name: "awaiting",
      asks: "What does `await` cost on a future, beside a bare continuation?",
      rows: [
        Row("create, complete, await value", against: peer) {
          Sides(ours: completeThenAwait(), peer: resumeAtOnce())
        },
        Row("create, await value, complete", against: peer) {
          Sides(ours: awaitThenComplete(), peer: suspendThenResume())
        },
      ]
    )
  }
}

// Everything runs on the thread of the benchmark: neither side waits for another thread.

private func completeThenAwait() -> Sides.Side {
  { count in
    let loop = JobLoop()
    Task(executorPreference: loop) {
      for _ in 0..<count {
        let future = Future()
        future.complete()
        try await future.value
      }
    }
    return timed { loop.runUntilIdle() }
  }
}

private func resumeAtOnce() -> Sides.Side {
  { count in
    let loop = JobLoop()
    Task(executorPreference: loop) {
      for _ in 0..<count {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          continuation.resume()
        }
      }
    }
    return timed { loop.runUntilIdle() }
  }
}

/// What the task that waits gives to the thread that resolves.
///
/// `@unchecked Sendable`: the task runs on that very thread.
private final class Handover<Content>: @unchecked Sendable {
  var content: Content?
}

private func awaitThenComplete() -> Sides.Side {
  { count in
    let loop = JobLoop()
    let handover = Handover<Future>()
    Task(executorPreference: loop) {
      for _ in 0..<count {
        let future = Future()
        handover.content = future
        try await future.value
      }
    }
    return timed {
      loop.runUntilIdle()
      for _ in 0..<count {
        handover.content?.complete()
        loop.runUntilIdle()
      }
    }
  }
}

private func suspendThenResume() -> Sides.Side {
  { count in
    let loop = JobLoop()
    let handover = Handover<CheckedContinuation<Void, any Error>>()
    Task(executorPreference: loop) {
      for _ in 0..<count {
        try await withCheckedThrowingContinuation { handover.content = $0 }
      }
    }
    return timed {
      loop.runUntilIdle()
      for _ in 0..<count {
        handover.content?.resume()
        loop.runUntilIdle()
      }
    }
  }
}
