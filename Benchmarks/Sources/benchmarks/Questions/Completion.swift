// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import OpenCombine
import RaceFreeFuture

extension Question {
  static var completion: Question {
    let work = "create, 1 inline handler, complete"
    return Question(
      name: "completion",
      asks: "What does the whole life of a future with inline handlers cost, if it is completed?",
      rows: [
        Row("create, complete", against: "SwiftNIO promise, no callback") {
          Sides(ours: ours(handlers: 0), peer: promise(callbacks: 0))
        }
        .counted("create-complete"),
        Row(work, against: "SwiftNIO promise, 1 callback", goal: .times(0.5)) {
          Sides(ours: ours(), peer: promise())
        }
        .counted("handler-1-complete"),
        Row(work, against: "OpenCombine Future, sink") {
          Sides(ours: ours(), peer: combineFuture())
        },
        Row(work, against: "OpenCombine PassthroughSubject, sink") {
          Sides(ours: ours(), peer: subject())
        },
        Row("create, 3 inline handlers, complete", against: "SwiftNIO promise, 3 callbacks") {
          Sides(ours: ours(handlers: 3), peer: promise(callbacks: 3))
        }
        .counted("handlers-3-complete"),
        Row("create, 10 inline handlers, complete", against: "SwiftNIO promise, 10 callbacks") {
          Sides(ours: ours(handlers: 10), peer: promise(callbacks: 10))
        }
        .counted("handlers-10-complete", pieces: 300),
      ]
    )
  }
}

// MARK: - One handler

private func ours() -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let future = Future()
        future.onComplete(on: .inline) { tally.add(index) }
        future.complete()
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
        promise.succeed()
      }
    }
  }
}

private func combineFuture() -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        var complete: OpenCombine.Future<Void, any Error>.Promise?
        let future = OpenCombine.Future<Void, any Error> { complete = $0 }
        let subscription = future.sink(receiveCompletion: { _ in }, receiveValue: { tally.add(index) })
        complete?(.success(()))
        withExtendedLifetime(subscription) {}
      }
    }
  }
}

private func subject() -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let subject = PassthroughSubject<Void, any Error>()
        let subscription = subject.sink(receiveCompletion: { _ in tally.add(index) }, receiveValue: {})
        subject.send(completion: .finished)
        withExtendedLifetime(subscription) {}
      }
    }
  }
}

// MARK: - Any number of handlers

private func ours(handlers: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let future = Future()
        for _ in 0..<handlers { future.onComplete(on: .inline) { tally.add(index) } }
        future.complete()
      }
    }
  }
}

private func promise(callbacks: Int) -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      for index in 0..<count {
        let promise = loop.makePromise(of: Void.self)
        for _ in 0..<callbacks { promise.futureResult.whenSuccess { tally.add(index) } }
        promise.succeed()
      }
    }
  }
}
