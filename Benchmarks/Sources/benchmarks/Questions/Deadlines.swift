// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

extension Question {
  static var deadlines: Question {
    Question(
      name: "deadlines and cancellable code",
      asks: "What does it cost to end work in time, and to run asynchronous code until a future is cancelled?",
      rows: [
        Row("create, cancel(after:), complete", against: "dispatch timer, made and cancelled") {
          Sides(ours: setAndComplete(), peer: makeAndCancelTimer())
        }
        .counted("deadline"),
        Row("extend a deadline", against: "schedule(deadline:) of a dispatch timer") {
          Sides(ours: extend(), peer: reschedule())
        },
        Row("token.run, empty", against: "withTaskCancellationHandler") {
          Sides(ours: runWithToken(), peer: runWithHandler())
        },
        Row("one element of a stream, until(token)", against: "for await without it") {
          Sides(ours: iterateUntilCancelled(), peer: iterate())
        },
      ]
    )
  }
}

// MARK: - Deadlines

// None of them comes.

private func setAndComplete() -> Sides.Side {
  { count in
    timedWithOthers {
      for _ in 0..<count {
        let future = Future()
        future.cancel(after: .seconds(3600))
        future.complete()
      }
    }
  }
}

private func makeAndCancelTimer() -> Sides.Side {
  let tally = Tally()
  return { count in
    timedWithOthers {
      for index in 0..<count {
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { tally.add(index) }
        timer.schedule(deadline: .now() + 3600)
        timer.activate()
        timer.cancel()
      }
    }
  }
}

private func extend() -> Sides.Side {
  // Cancelled with the row, which stops its timer.
  let future = Future()
  let (deadline, life) = (future.cancel(after: .seconds(3600)), future.cancelOnDeinit())
  return { count in
    withExtendedLifetime(life) {
      timedWithOthers {
        for _ in 0..<count { deadline.extend(fromNow: .seconds(3600)) }
      }
    }
  }
}

private func reschedule() -> Sides.Side {
  let timer = DispatchSource.makeTimerSource()
  timer.schedule(deadline: .now() + 3600)
  timer.activate()
  return { count in
    timedWithOthers {
      for _ in 0..<count { timer.schedule(deadline: .now() + 3600) }
    }
  }
}

// MARK: - Code that runs until a future is cancelled

// Everything runs on the thread of the benchmark.

private func runWithToken() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  return { count in
    TaskLoop.start {
      for index in 0..<count {
        try await future.run { tally.add(index) }
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

private func runWithHandler() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  return { count in
    TaskLoop.start {
      for index in 0..<count {
        await withTaskCancellationHandler {
          tally.add(index)
        } onCancel: {
          future.cancel()
        }
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

// MARK: - Streams

/// A stream whose elements are all there.
private func numbers(_ count: Int) -> AsyncStream<Int> {
  AsyncStream { continuation in
    for index in 0..<count { continuation.yield(index) }
    continuation.finish()
  }
}

private func iterateUntilCancelled() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  return { count in
    let stream = numbers(count)
    TaskLoop.start {
      for await number in stream.until(future) { tally.add(number) }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

private func iterate() -> Sides.Side {
  let tally = Tally()
  return { count in
    let stream = numbers(count)
    TaskLoop.start {
      for await number in stream { tally.add(number) }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}
