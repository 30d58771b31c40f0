// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import OpenCombine
import RaceFreeFuture

extension Question {
  static var chains: Question {
    Question(
      name: "chains",
      asks: "What does a chain of `map` cost, from building it to reading its end?",
      rows: [1, 10, 100].flatMap { length in
        let work = "chain of \(length) map\(length == 1 ? "" : "s")"
        return [
          Row(work, against: "SwiftNIO promise, the same chain", goal: length == 10 ? .times(1) : .none) {
            Sides(ours: ours(length), peer: promise(length))
          }
          .counted("map-chain-\(length)", pieces: 1000 / length),
          Row(work, against: "OpenCombine subject, the same chain") {
            Sides(ours: ours(length), peer: subject(length))
          },
        ]
      }
    )
  }
}

private func ours(_ length: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let first = ValueFuture<Int>()
        var last = first
        for step in 0..<length { last = last.map { $0 &+ step } }
        last.onValue(on: .inline) { tally.add($0) }
        first.complete(with: index)
      }
    }
  }
}

private func promise(_ length: Int) -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      for index in 0..<count {
        let first = loop.makePromise(of: Int.self)
        var last = first.futureResult
        for step in 0..<length { last = last.map { $0 &+ step } }
        last.whenSuccess { tally.add($0) }
        first.succeed(index)
      }
    }
  }
}

private func subject(_ length: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let first = PassthroughSubject<Int, any Error>()
        // Erased, or the type would tell how long the chain is.
        var last = first.eraseToAnyPublisher()
        for step in 0..<length { last = last.map { $0 &+ step }.eraseToAnyPublisher() }
        let subscription = last.sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
        first.send(index)
        first.send(completion: .finished)
        withExtendedLifetime(subscription) {}
      }
    }
  }
}
