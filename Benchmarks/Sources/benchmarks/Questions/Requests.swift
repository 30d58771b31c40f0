// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOEmbedded
import RaceFreeFuture

extension Question {
  static var requests: Question {
    Question(
      name: "whole requests",
      asks: "What does that cost which programs really do: a request with all that belongs to it, many values at once?",
      rows: [
        Row(
          "a request: deadline, 2 children, 3 handlers, a map",
          against: "SwiftNIO promises, scheduleTask",
          goal: .times(1)
        ) {
          Sides(ours: handleRequest(), peer: handlePromises())
        }
        .counted("request", pieces: 200),
        Row("one of 100 background values, all", against: "task group", goal: .times(2)) {
          Sides(burst: burst, ours: awaitAll(), peer: awaitGroup())
        },
        Row("await what another thread completes", against: "checked continuation", goal: .times(1.1)) {
          Sides(burst: burst, ours: awaitOtherThread(), peer: resumeFromOtherThread())
        },
      ]
    )
  }
}

// MARK: - A request

/// Its answer comes in time; the children are what it has asked others for.
private func handleRequest() -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let request = ValueFuture<Int>()
        request.cancel(after: .seconds(3600))
        let user = Future(linkedTo: request)
        let page = Future(linkedTo: request)
        user.onComplete(on: .inline) { tally.add(index) }
        page.onComplete(on: .inline) { tally.add(index) }
        request.map { $0 &+ 1 }.onValue(on: .inline) { tally.add($0) }
        user.complete()
        page.complete()
        request.complete(with: index)
      }
    }
  }
}

private func handlePromises() -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      for index in 0..<count {
        let request = loop.makePromise(of: Int.self)
        let deadline = loop.scheduleTask(in: .hours(1)) { request.fail(ChannelError.connectTimeout(.hours(1))) }
        let user = loop.makePromise(of: Void.self)
        let page = loop.makePromise(of: Void.self)
        request.futureResult.cascadeFailure(to: user)
        request.futureResult.cascadeFailure(to: page)
        user.futureResult.whenSuccess { tally.add(index) }
        page.futureResult.whenSuccess { tally.add(index) }
        request.futureResult.map { $0 &+ 1 }.whenSuccess { tally.add($0) }
        user.succeed(())
        page.succeed(())
        request.succeed(index)
        deadline.cancel()
        // Takes the cancelled task out of the loop, as the next turn of a real one would.
        loop.run()
      }
    }
  }
}

// MARK: - Many values at once

/// So many values are computed at a time.
private let burst = 100

private func awaitAll() -> Sides.Side {
  let tally = Tally()
  return inTasks(of: burst) {
    let values = (0..<burst).map { index in ValueFuture.background { _ in index &+ 1 } }
    for value in try await ValueFuture.all(values).value { tally.add(value) }
  }
}

private func awaitGroup() -> Sides.Side {
  let tally = Tally()
  return inTasks(of: burst) {
    await withTaskGroup(of: Int.self) { group in
      for index in 0..<burst { group.addTask { index &+ 1 } }
      for await value in group { tally.add(value) }
    }
  }
}

// MARK: - Across threads

private func awaitOtherThread() -> Sides.Side {
  let tally = Tally()
  let otherThread = DispatchQueue(label: "other thread")
  return inTasks(of: burst) {
    for index in 0..<burst {
      let future = ValueFuture<Int>()
      otherThread.async { future.complete(with: index) }
      tally.add(try await future.value)
    }
  }
}

private func resumeFromOtherThread() -> Sides.Side {
  let tally = Tally()
  let otherThread = DispatchQueue(label: "other thread")
  return inTasks(of: burst) {
    for index in 0..<burst {
      let value = await withCheckedContinuation { continuation in
        otherThread.async { continuation.resume(returning: index) }
      }
      tally.add(value)
    }
  }
}
