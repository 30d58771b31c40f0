// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOEmbedded
import RaceFreeFuture

extension Question {
  static var lateHandlers: Question {
    Question(
      name: "late handlers",
      asks: "What does a handler cost that comes when the future is completed already, or was cancelled?",
      rows: [
        Row("late inline handler", against: "SwiftNIO promise, late callback") {
          Sides(ours: lateInline(), peer: lateCallback())
        }
        .counted("late-inline"),
        Row("late handler that doesn't match", against: "SwiftNIO promise, late callback") {
          Sides(ours: lateInVain(), peer: lateCallbackInVain())
        }
        .counted("late-in-vain"),
        Row("late handler on a queue", against: "queue.async") {
          Sides(burst: burst, ours: lateOnQueue(), peer: blocks())
        },
        Row("late handler on the private queue", against: "queue.async") {
          Sides(burst: burst, ours: lateOnPrivateQueue(), peer: blocks())
        },
      ]
    )
  }
}

/// So many pieces are given to the queue, then the thread waits until the queue is empty.
private let burst = 1000

// MARK: - On this thread

private func lateInline() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  future.complete()
  return { count in
    timed {
      for index in 0..<count { future.onComplete(on: .inline) { tally.add(index) } }
    }
  }
}

private func lateCallback() -> Sides.Side {
  let tally = Tally()
  let future = EmbeddedEventLoop().makeSucceededVoidFuture()
  return { count in
    timed {
      for index in 0..<count { future.whenSuccess { tally.add(index) } }
    }
  }
}

private func lateInVain() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  future.complete()
  return { count in
    timed {
      for index in 0..<count { future.onCancel(on: .inline) { tally.add(index) } }
    }
  }
}

private func lateCallbackInVain() -> Sides.Side {
  let tally = Tally()
  let future = EmbeddedEventLoop().makeSucceededVoidFuture()
  return { count in
    timed {
      for index in 0..<count { future.whenFailure { _ in tally.add(index) } }
    }
  }
}

// MARK: - On a queue

private func lateOnQueue() -> Sides.Side {
  let tally = Tally()
  let queue = DispatchQueue(label: "given")
  let future = Future()
  future.complete()
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for index in 0..<burst { future.onComplete(on: queue) { tally.add(index) } }
        queue.sync {}
      }
    }
  }
}

private func lateOnPrivateQueue() -> Sides.Side {
  let tally = Tally()
  let future = Future()
  future.complete()
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for index in 0..<burst { future.onComplete { tally.add(index) } }
        future.performAndWait {}
      }
    }
  }
}

private func blocks() -> Sides.Side {
  let tally = Tally()
  let queue = DispatchQueue(label: "given")
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for index in 0..<burst { queue.async { tally.add(index) } }
        queue.sync {}
      }
    }
  }
}
