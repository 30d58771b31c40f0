// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

extension Question {
  static var ancestor: Question {
    let peer = "RXFuture, ported literally"
    return Question(
      name: "the ancestor",
      asks: "What is gained by not going through a queue with every call, as RXFuture did?",
      rows: [1, 3, 10].flatMap { number in
        let handlers = "\(number) handler\(number == 1 ? "" : "s")"
        return [
          Row("create, \(handlers), complete, until the last has run", against: peer) {
            Sides(burst: burst, ours: completed(number), peer: literallyCompleted(number))
          },
          Row("create, \(handlers), cancel, until the last has run", against: peer) {
            Sides(burst: burst, ours: cancelled(number), peer: literallyCancelled(number))
          },
        ]
      }
    )
  }
}

// The handlers run where each side runs them if it isn't told otherwise: on the future's queue, and on the global one.

/// So many futures are made, then the thread waits until the last handler of all has run.
private let burst = 100

private func completed(_ number: Int) -> Sides.Side {
  { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let latch = Latch(burst * number)
        for _ in 0..<burst {
          let future = Future()
          for _ in 0..<number { future.onComplete { latch.arrive() } }
          future.complete()
        }
        latch.wait()
      }
    }
  }
}

private func literallyCompleted(_ number: Int) -> Sides.Side {
  { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let latch = Latch(burst * number)
        for _ in 0..<burst {
          let future = LiteralFuture()
          for _ in 0..<number { future.onComplete { latch.arrive() } }
          future.complete()
        }
        latch.wait()
      }
    }
  }
}

private func cancelled(_ number: Int) -> Sides.Side {
  { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let latch = Latch(burst * number)
        for _ in 0..<burst {
          let future = Future()
          for _ in 0..<number { future.onCancel { latch.arrive() } }
          future.cancel()
        }
        latch.wait()
      }
    }
  }
}

private func literallyCancelled(_ number: Int) -> Sides.Side {
  { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let latch = Latch(burst * number)
        for _ in 0..<burst {
          let future = LiteralFuture()
          for _ in 0..<number { future.onCancel { latch.arrive() } }
          future.cancel()
        }
        latch.wait()
      }
    }
  }
}
