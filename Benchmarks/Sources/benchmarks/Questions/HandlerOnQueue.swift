// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

extension Question {
  static var handlerOnQueue: Question {
    let peer = "queue.async"
    return Question(
      name: "handler on a given queue",
      asks: "What does a handler on a given queue cost, beside a block that is given to the queue directly?",
      rows: [
        Row("create, 1 handler on a queue, complete", against: peer, goal: .times(1.4)) {
          Sides(burst: burst, ours: wholeLife(), peer: blocks())
        }
        .counted("given-queue", isSteady: false),
        Row("one of \(burst) handlers on a queue", against: peer) {
          Sides(burst: burst, ours: manyHandlers(), peer: blocks())
        },
        Row("handler on an idle queue, until it has run", against: peer) {
          Sides(ours: wholeLifeAwaited(), peer: blockAwaited())
        },
      ]
    )
  }
}

/// So many pieces are given to the queue, then the thread waits until the queue is empty.
private let burst = 1000

private func wholeLife() -> Sides.Side {
  let tally = Tally()
  let queue = DispatchQueue(label: "given")
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for index in 0..<burst {
          let future = Future()
          future.onComplete(on: queue) { tally.add(index) }
          future.complete()
        }
        queue.sync {}
      }
    }
  }
}

private func manyHandlers() -> Sides.Side {
  let tally = Tally()
  let queue = DispatchQueue(label: "given")
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let future = Future()
        for index in 0..<burst {
          future.onComplete(on: queue) { tally.add(index) }
        }
        future.complete()
        queue.sync {}
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
        for index in 0..<burst {
          queue.async { tally.add(index) }
        }
        queue.sync {}
      }
    }
  }
}

// One at a time: the queue sleeps when the piece comes, and the thread waits until it has run.

private func wholeLifeAwaited() -> Sides.Side {
  let done = DispatchSemaphore(value: 0)
  let queue = DispatchQueue(label: "given")
  return { count in
    timedWithOthers {
      for _ in 0..<count {
        let future = Future()
        future.onComplete(on: queue) { done.signal() }
        future.complete()
        done.wait()
      }
    }
  }
}

private func blockAwaited() -> Sides.Side {
  let done = DispatchSemaphore(value: 0)
  let queue = DispatchQueue(label: "given")
  return { count in
    timedWithOthers {
      for _ in 0..<count {
        queue.async { done.signal() }
        done.wait()
      }
    }
  }
}
