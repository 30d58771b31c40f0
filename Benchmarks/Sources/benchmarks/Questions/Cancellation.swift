// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CStopToken
import NIOCore
import NIOEmbedded
import RaceFreeFuture

extension Question {
  static var cancellation: Question {
    Question(
      name: "cancellation",
      asks: "What does the whole life of a future with inline handlers cost, if it is cancelled?",
      rows: [
        Row("create, 1 inline handler, cancel", against: "SwiftNIO promise, 1 callback, fails") {
          Sides(ours: ours(handlers: 1), peer: promise(callbacks: 1))
        }
        .counted("handler-1-cancel"),
        Row("create, 1 inline handler, cancel", against: "Task, cancellation handler, cancel") {
          Sides(ours: ours(handlers: 1), peer: task())
        },
        Row("create, 1 inline handler, cancel", against: "std::stop_token, 1 callback", goal: .times(1.6)) {
          Sides(ours: ours(handlers: 1), peer: { count in timed { blackHole(stop_callbacks(count)) } })
        },
        Row(
          "create, 3 inline handlers, cancel",
          against: "SwiftNIO promise, 3 callbacks, fails",
          goal: .times(1)
        ) {
          Sides(ours: oursOfEachKind(), peer: promiseWithEachKind())
        }
        .counted("handlers-3-cancel"),
        Row("create, 10 inline handlers, cancel", against: "SwiftNIO promise, 10 callbacks, fails") {
          Sides(ours: ours(handlers: 10), peer: promise(callbacks: 10))
        }
        .counted("handlers-10-cancel", pieces: 300),
      ]
    )
  }
}

// MARK: - Handlers of one kind

private func ours(handlers: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let future = Future()
        for _ in 0..<handlers { future.onCancel(on: .inline) { tally.add(index) } }
        future.cancel()
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
        for _ in 0..<callbacks { promise.futureResult.whenFailure { _ in tally.add(index) } }
        promise.fail(CancellationError())
      }
    }
  }
}

/// What the language offers: only a task can be cancelled, so it takes one.
private func task() -> Sides.Side {
  let tally = Tally()
  return { count in
    TaskLoop.start {
      for index in 0..<count {
        let task = Task.detached {
          await withTaskCancellationHandler {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          } onCancel: {
            tally.add(index)
          }
        }
        await task.value
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

// MARK: - One handler of each kind

private func oursOfEachKind() -> Sides.Side {
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

private func promiseWithEachKind() -> Sides.Side {
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
