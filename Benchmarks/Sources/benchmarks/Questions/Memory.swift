// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOEmbedded
import RaceFreeFuture

extension Question {
  static var memory: Question {
    Question(
      name: "memory",
      asks: "How much memory does a pending future take?",
      rows: [
        row("pending future, no handler", callbacks: 0),
        row("pending future, 1 handler", callbacks: 1, goal: .most(160)),
        row("pending future, 3 handlers", callbacks: 3),
        Row(
          "pending future, 1 deadline",
          against: "dispatch timer",
          goal: .most(400),
          bytes: withDeadline,
          peerBytes: timer
        ),
      ]
    )
  }
}

private func row(_ work: String, callbacks: Int, goal: Goal = .none) -> Row {
  Row(
    work,
    against: "SwiftNIO promise, \(callbacks) callback\(callbacks == 1 ? "" : "s")",
    goal: goal,
    bytes: { ours(handlers: callbacks) },
    peerBytes: { promise(callbacks: callbacks) }
  )
}

private func ours(handlers: Int) -> Double {
  let tally = Tally()
  return bytesPerObject { index in
    let future = Future()
    for _ in 0..<handlers { future.onComplete(on: .inline) { tally.add(index) } }
    return future
  }
}

private func withDeadline() -> Double {
  bytesPerObject { _ in
    let future = Future()
    future.cancel(after: .seconds(3_600))
    return future
  } end: { future in
    future.complete()
  }
}

private func timer() -> Double {
  let tally = Tally()
  return bytesPerObject { index in
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { tally.add(index) }
    timer.schedule(deadline: .now() + 3_600)
    timer.activate()
    return timer
  } end: { timer in
    timer.cancel()
  }
}

private func promise(callbacks: Int) -> Double {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return bytesPerObject { index in
    let promise = loop.makePromise(of: Void.self)
    for _ in 0..<callbacks { promise.futureResult.whenSuccess { tally.add(index) } }
    return promise
  } end: { promise in
    promise.succeed()
  }
}
