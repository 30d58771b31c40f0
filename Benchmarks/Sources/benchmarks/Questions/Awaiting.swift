// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

extension Question {
  static var awaiting: Question {
    let peer = "withCheckedThrowingContinuation"
    let completed = Goal.times(1.5)
    let pending = Goal.times(1.6)
    return Question(
      name: "awaiting",
      asks: "What does `await` cost on a future, beside a bare continuation?",
      rows: [
        Row("create, complete, await value", against: peer, goal: completed) {
          Sides(ours: completeThenAwait(), peer: resumeAtOnce())
        }
        .counted("await-completed"),
        Row("create, await value, complete", against: peer, goal: pending) {
          Sides(ours: awaitThenComplete(), peer: suspendThenResume())
        }
        .counted("await-pending"),
        Row("create, complete(with:), await value", against: peer, goal: completed) {
          Sides(ours: completeWithThenAwait(), peer: resumeReturningAtOnce())
        }
        .counted("await-completed-value"),
        Row("create, await value, complete(with:)", against: peer, goal: pending) {
          Sides(ours: awaitThenCompleteWith(), peer: suspendThenResumeReturning())
        }
        .counted("await-pending-value"),
      ]
    )
  }
}

// Everything runs on the thread of the benchmark: neither side waits for another thread.

// MARK: - Without a value

private func completeThenAwait() -> Sides.Side {
  { count in
    TaskLoop.start {
      for _ in 0..<count {
        let future = Future()
        future.complete()
        try await future.value
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

private func resumeAtOnce() -> Sides.Side {
  { count in
    TaskLoop.start {
      for _ in 0..<count {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          continuation.resume()
        }
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

private func awaitThenComplete() -> Sides.Side {
  { count in
    let handover = Handover<Future>()
    TaskLoop.start {
      for _ in 0..<count {
        let future = Future()
        handover.content = future
        try await future.value
      }
    }
    return timed {
      TaskLoop.runUntilIdle()
      for _ in 0..<count {
        handover.content?.complete()
        TaskLoop.runUntilIdle()
      }
    }
  }
}

private func suspendThenResume() -> Sides.Side {
  { count in
    let handover = Handover<CheckedContinuation<Void, any Error>>()
    TaskLoop.start {
      for _ in 0..<count {
        try await withCheckedThrowingContinuation { handover.content = $0 }
      }
    }
    return timed {
      TaskLoop.runUntilIdle()
      for _ in 0..<count {
        handover.content?.resume()
        TaskLoop.runUntilIdle()
      }
    }
  }
}

// MARK: - With a value

private func completeWithThenAwait() -> Sides.Side {
  let tally = Tally()
  return { count in
    TaskLoop.start {
      for index in 0..<count {
        let future = ValueFuture<Int>()
        future.complete(with: index)
        tally.add(try await future.value)
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

private func resumeReturningAtOnce() -> Sides.Side {
  let tally = Tally()
  return { count in
    TaskLoop.start {
      for index in 0..<count {
        let value = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
          continuation.resume(returning: index)
        }
        tally.add(value)
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

private func awaitThenCompleteWith() -> Sides.Side {
  let tally = Tally()
  return { count in
    let handover = Handover<ValueFuture<Int>>()
    TaskLoop.start {
      for _ in 0..<count {
        let future = ValueFuture<Int>()
        handover.content = future
        tally.add(try await future.value)
      }
    }
    return timed {
      TaskLoop.runUntilIdle()
      for index in 0..<count {
        handover.content?.complete(with: index)
        TaskLoop.runUntilIdle()
      }
    }
  }
}

private func suspendThenResumeReturning() -> Sides.Side {
  let tally = Tally()
  return { count in
    let handover = Handover<CheckedContinuation<Int, any Error>>()
    TaskLoop.start {
      for _ in 0..<count {
        tally.add(try await withCheckedThrowingContinuation { handover.content = $0 })
      }
    }
    return timed {
      TaskLoop.runUntilIdle()
      for index in 0..<count {
        handover.content?.resume(returning: index)
        TaskLoop.runUntilIdle()
      }
    }
  }
}
