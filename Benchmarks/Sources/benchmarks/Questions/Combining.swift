// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import OpenCombine
import RaceFreeFuture

extension Question {
  static var combining: Question {
    let all = "all of \(thousand), completed one by one"
    let any = "any of \(thousand), completed one by one"
    return Question(
      name: "combining",
      asks: "What does it cost to make one future from many, and to complete them?",
      rows: [
        Row("all of 100, completed one by one", against: "SwiftNIO whenAllSucceed", goal: .times(0.8)) {
          Sides(ours: allOurs(100), peer: allPromises(100))
        }
        .counted("all-of-100", pieces: 20),
        Row(all, against: "SwiftNIO whenAllSucceed") {
          Sides(ours: allOurs(), peer: allPromises())
        },
        Row(all, against: "OpenCombine flatMap, collect") {
          Sides(ours: allOurs(), peer: allSubjects())
        },
        Row(
          "any of 100, completed one by one",
          against: "SwiftNIO cascadeSuccess to one promise",
          goal: .times(1)
        ) {
          Sides(ours: anyOurs(100), peer: anyPromises(100))
        }
        .counted("any-of-100", pieces: 20),
        Row(any, against: "SwiftNIO cascadeSuccess to one promise") {
          Sides(ours: anyOurs(), peer: anyPromises())
        },
        Row(any, against: "OpenCombine flatMap, first") {
          Sides(ours: anyOurs(), peer: anySubjects())
        },
      ]
    )
  }
}

let thousand = 1000

// MARK: - All

func allOurs(_ number: Int = thousand) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for _ in 0..<count {
        let futures = (0..<number).map { _ in ValueFuture<Int>() }
        ValueFuture.all(futures).onValue(on: .inline) { tally.add($0.count) }
        for (index, future) in futures.enumerated() { future.complete(with: index) }
      }
    }
  }
}

func allPromises(_ number: Int = thousand) -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      for _ in 0..<count {
        let promises = (0..<number).map { _ in loop.makePromise(of: Int.self) }
        EventLoopFuture.whenAllSucceed(promises.map(\.futureResult), on: loop).whenSuccess { tally.add($0.count) }
        for (index, promise) in promises.enumerated() { promise.succeed(index) }
      }
    }
  }
}

private func allSubjects(_ number: Int = thousand) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for _ in 0..<count {
        let subjects = (0..<number).map { _ in PassthroughSubject<Int, any Error>() }
        // In the order in which they come, which here is that of the subjects.
        let subscription = Publishers.Sequence<[PassthroughSubject<Int, any Error>], any Error>(sequence: subjects)
          .flatMap { $0 }
          .collect()
          .sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0.count) })
        for (index, subject) in subjects.enumerated() { subject.complete(with: index) }
        withExtendedLifetime(subscription) {}
      }
    }
  }
}

// MARK: - Any

private func anyOurs(_ number: Int = thousand) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for _ in 0..<count {
        let futures = (0..<number).map { _ in ValueFuture<Int>() }
        ValueFuture.any(futures).onValue(on: .inline) { tally.add($0) }
        for (index, future) in futures.enumerated() { future.complete(with: index) }
      }
    }
  }
}

/// It has nothing of this kind; this doesn't notice if all fail.
private func anyPromises(_ number: Int = thousand) -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      for _ in 0..<count {
        let promises = (0..<number).map { _ in loop.makePromise(of: Int.self) }
        let first = loop.makePromise(of: Int.self)
        for promise in promises { promise.futureResult.cascadeSuccess(to: first) }
        first.futureResult.whenSuccess { tally.add($0) }
        for (index, promise) in promises.enumerated() { promise.succeed(index) }
      }
    }
  }
}

/// The first failure ends it.
private func anySubjects(_ number: Int = thousand) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for _ in 0..<count {
        let subjects = (0..<number).map { _ in PassthroughSubject<Int, any Error>() }
        let subscription = Publishers.Sequence<[PassthroughSubject<Int, any Error>], any Error>(sequence: subjects)
          .flatMap { $0 }
          .first()
          .sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
        for (index, subject) in subjects.enumerated() { subject.complete(with: index) }
        withExtendedLifetime(subscription) {}
      }
    }
  }
}

extension PassthroughSubject where Failure == any Error {
  fileprivate func complete(with value: Output) {
    send(value)
    send(completion: .finished)
  }
}
