// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

private let hour = Duration.seconds(3_600)

let deadlineRows: [Row] = [
  Row("a deadline set and ended, after n") { size, counter in
    func live() {
      let future = Future()
      future.cancel(after: hour)
      future.complete()
    }
    for _ in 0..<size { live() }
    counter.countEach(size, live)
  },
  Row("a deadline set and ended, beside n of other futures") { size, counter in
    let others = (0..<size).map { _ in Future() }
    for other in others { other.cancel(after: hour) }
    counter.countEach(size) {
      let future = Future()
      future.cancel(after: hour)
      future.complete()
    }
    for other in others { other.complete() }
  },
  Row("a deadline set and removed, beside n of the same future") { size, counter in
    let future = Future()
    for _ in 0..<size { future.cancel(after: hour) }
    counter.countEach(size) { future.cancel(after: hour).unregister() }
    future.complete()
  },
  Row("a deadline moved later, beside n of the same future") { size, counter in
    let future = Future()
    for _ in 0..<size { future.cancel(after: hour) }
    let deadline = future.cancel(after: hour)
    counter.countEach(size) { deadline.move(to: deadline.instant + .seconds(1)) }
    future.complete()
  },
  Row("a deadline moved to and fro, beside n of other futures") { size, counter in
    let others = (0..<size).map { _ in Future() }
    for other in others { other.cancel(after: hour) }
    let future = Future()
    let deadline = future.cancel(after: hour)
    counter.countEach(size) {
      deadline.move(to: deadline.instant - .seconds(1))
      deadline.move(to: deadline.instant + .seconds(1))
    }
    for other in others + [future] { other.complete() }
  },
  Row("one of n deadlines of a future, set and ended") { size, counter in
    counter.countAll(size) {
      let future = Future()
      for _ in 0..<size { future.cancel(after: hour) }
      future.complete()
    }
  },
  Row("`deadline` read, of one with n deadlines", grows: "looks at each deadline of each future") { size, counter in
    let future = Future()
    for _ in 0..<size { future.cancel(after: hour) }
    counter.countEach(size) { precondition(future.deadline != nil) }
    future.complete()
  },
  Row("`deadline` read, of one of n children") { size, counter in
    let parent = Future()
    parent.cancel(after: hour)
    let children = (0..<size).map { _ in Future(linkedTo: parent) }
    counter.countEach(size) { precondition(children[0].deadline != nil) }
    parent.complete()
  },
  Row("`deadline` read, below a line of n", grows: "takes the lock of each future it finds") { size, counter in
    let root = Future()
    root.cancel(after: hour)
    var line = [root]
    for index in 0..<size { line.append(Future(linkedTo: line[index])) }
    counter.countEach(size) { precondition(line[size].deadline != nil) }
    root.cancel()
  },
  Row("`deadline` read, of one of n maps of a future") { size, counter in
    let source = ValueFuture<Int>()
    source.cancel(after: hour)
    let maps = (0..<size).map { _ in source.map { $0 } }
    counter.countEach(size) { precondition(maps[0].deadline != nil) }
    source.complete(with: 1)
  },
]
