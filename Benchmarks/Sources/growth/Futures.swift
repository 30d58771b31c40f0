// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CMeasuring
import RaceFreeFuture

private func liveWithHandler() {
  let future = Future()
  future.onComplete(on: .inline) {}
  future.complete()
}

/// Counts lives of futures when so many others have been lived, with a setting of the whole program.
private func livesAfter(_ size: Int, _ counter: Counter, _ live: () -> Void) {
  for _ in 0..<size { live() }
  counter.countEach(size, live)
}

let futureRows: [Row] = [
  Row("a handler added and removed, beside n") { size, counter in
    let future = Future()
    for _ in 0..<size { future.onCancel(on: .inline) {} }
    counter.countEach(size) { future.onCancel(on: .inline) {}.unregister() }
  },
  Row("one of n handlers, added and run") { size, counter in
    counter.countAll(size) {
      let future = Future()
      for _ in 0..<size { future.onComplete(on: .inline) {} }
      future.complete()
    }
  },
  Row("a late handler, after n") { size, counter in
    let future = Future()
    future.complete()
    livesAfter(size, counter) { future.onComplete(on: .inline) {} }
  },
  Row("a life with a handler, after n") { size, counter in livesAfter(size, counter, liveWithHandler) },
  Row("… with context propagation") { size, counter in
    Future.contextPropagation = { { body in body() } }
    livesAfter(size, counter, liveWithHandler)
    Future.contextPropagation = nil
  },
  Row("… with an observer") { size, counter in
    Future.observer = { _ in }
    livesAfter(size, counter, liveWithHandler)
    Future.observer = nil
  },
  Row("a child made and ended, beside n") { size, counter in
    let parent = Future()
    let others = (0..<size).map { _ in Future(linkedTo: parent) }
    counter.countEach(size) { Future(linkedTo: parent).complete() }
    withExtendedLifetime(others) {}
  },
  Row("one of n below one, with a handler each, cancelled") { size, counter in
    counter.countAll(size) {
      let root = Future()
      let children = (0..<size).map { _ in Future(linkedTo: root) }
      for child in children { child.onCancel(on: .inline) {} }
      root.cancel()
    }
  },
  Row("one of a line of n, cancelled") { size, counter in
    counter.countAll(size) {
      let root = Future()
      var line = [root]
      for index in 0..<size { line.append(Future(linkedTo: line[index])) }
      root.cancel()
    }
  },
  Row("one of n tokens that all() needs, completed") { size, counter in
    counter.countAll(size) {
      let futures = (0..<size).map { _ in Future() }
      let all = Future.all(futures)
      for future in futures { future.complete() }
      precondition(all.isCompleted)
    }
  },
  Row("one of n futures that control passes to, dropped") { size, counter in
    counter.countAll(size) {
      let outer = Future()
      var inner = (0..<size).map { _ in Future() }
      for future in inner { outer.passControl(to: future) }
      inner = []
      precondition(outer.cancellationReason is AbandonedError)
    }
  },
  Row("a wait that times out, beside n handlers") { size, counter in
    let future = Future()
    for _ in 0..<size { future.onCancel(on: .inline) {} }
    counter.countEach(size) { precondition(future.wait(timeout: .zero) == nil) }
  },
  Row("one of n tasks that await the outcome") { size, counter in
    let future = Future()
    counter.count(size, pieces: size) {
      for _ in 0..<size { runTask { _ = await future.outcome } }
      future.complete()
      run_tasks()
    }
    keep_tasks(false)
  },
  Row("an activity ended, beside n tasks that await the end") { size, counter in
    let future = Future()
    let last = future.beginActivity("last")
    let activities = (0..<100).map { _ in future.beginActivity("work") }
    for _ in 0..<size { runTask { _ = await future.handlersFinished } }
    future.complete()
    counter.count(size, pieces: 100) { for activity in activities { activity.end() } }
    last.end()
    run_tasks()
    keep_tasks(false)
  },
  Row("an activity begun and ended, beside n") { size, counter in
    let future = Future()
    let others = (0..<size).map { _ in future.beginActivity("work") }
    counter.countEach(size) { future.beginActivity("work").end() }
    withExtendedLifetime(others) {}
  },
  Row("the latest future replaced, after n") { size, counter in
    let slot = LatestFuture()
    livesAfter(size, counter) { slot.replace(with: Future()) }
  },
]
