// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import RaceFreeFuture

extension Question {
  static var cancellation: Question {
    Question(
      name: "cancellation",
      asks: "What does the whole life of a future with a handler of each kind cost, if it is cancelled?",
      rows: [
        Row(
          "create, 3 inline handlers, cancel",
          against: "SwiftNIO promise, 3 callbacks, fails",
          goal: .times(1)
        ) {
          Sides(ours: ours(), peer: promise())
        }
      ]
    )
  }
}

private func ours() -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let future = Future()
        future.onComplete(on: .inline) { tally.add(index) }
        future.onCancel(on: .inline) { tally.add(index) }
        future.onCleanUp(on: .inline) { tally.add(index) }
        future.cancel()
      }
    }
  }
}

private func promise() -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      for index in 0..<count {
        let promise = loop.makePromise(of: Void.self)
        promise.futureResult.whenSuccess { tally.add(index) }
        promise.futureResult.whenFailure { _ in tally.add(index) }
        promise.futureResult.whenComplete { _ in tally.add(index) }
        promise.fail(CancellationError())
      }
    }
  }
}
