// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import RaceFreeFuture

extension Question {
  static var fanOut: Question {
    Question(
      name: "fan-out",
      asks: "What does one handler of very many cost, from adding it to running it?",
      rows: [
        Row("one of 1,000,000 inline handlers", against: "SwiftNIO promise, as many callbacks") {
          Sides(burst: 1_000_000, ours: addAndDeliver(1_000_000), peer: addAndDeliverByPromise(1_000_000))
        }
      ]
    )
  }
}

/// The pieces are the handlers; each burst of them belongs to one future.
func addAndDeliver(_ number: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      inBursts(of: number, count) {
        let future = Future()
        for index in 0..<number { future.onComplete(on: .inline) { tally.add(index) } }
        future.complete()
      }
    }
  }
}

func addAndDeliverByPromise(_ number: Int) -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      inBursts(of: number, count) {
        let promise = loop.makePromise(of: Void.self)
        for index in 0..<number { promise.futureResult.whenSuccess { tally.add(index) } }
        promise.succeed()
      }
    }
  }
}
