// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture

private typealias Value = ValueFuture<Int>

/// Runs the body while a thread that computes a value blocks in a wait for another one: both have nothing to do with it.
private func besideBlockedThread(_ body: () -> Void) {
  let unrelated = Value()
  let begins = DispatchSemaphore(value: 0)
  let blocked = Value.background { _ in
    begins.signal()
    return try unrelated.wait()
  }
  begins.wait()
  // Until it really blocks. If that took longer, the row would say less, and be level all the same.
  _ = begins.wait(timeout: .now() + .milliseconds(200))
  body()
  unrelated.complete(with: 1)
  _ = try? blocked.wait()
}

private func combine(_ size: Int, _ combined: ([Value]) -> Void) {
  let sources = (0..<size).map { _ in Value() }
  combined(sources)
  for source in sources { source.complete(with: 1) }
}

private func allOf(_ size: Int) { combine(size) { ValueFuture.all($0).onValue(on: .inline) { _ in } } }
private func anyOf(_ size: Int) { combine(size) { Value.any($0).onValue(on: .inline) { _ in } } }
private func raceOf(_ size: Int) { combine(size) { Value.race($0).onValue(on: .inline) { _ in } } }

/// Each step needs one that is pending when it is chosen.
private func flatMaps(_ size: Int) {
  let first = Value()
  let steps = (0..<size).map { _ in Value() }
  var last = first
  for step in steps { last = last.flatMap { _ in step } }
  last.onValue(on: .inline) { _ in }
  first.complete(with: 1)
  for step in steps { step.complete(with: 1) }
}

/// Each step chooses the one before, which is pending and made from the one before that, and so on.
private func flatMapsOfPending(_ size: Int) {
  let first = Value()
  var last = first
  for _ in 0..<size {
    let (start, previous) = (Value(), last)
    last = start.flatMap { _ in previous }
    last.map { $0 }.onValue(on: .inline) { _ in }
    start.complete(with: 1)
  }
  first.complete(with: 1)
}

let valueRows: [Row] = [
  Row("one of a line of n maps, completed") { size, counter in
    counter.countAll(size) {
      let first = Value()
      var last = first
      for _ in 0..<size { last = last.map { $0 + 1 } }
      last.onValue(on: .inline) { _ in }
      first.complete(with: 1)
    }
  },
  Row("one of n maps of a future, completed") { size, counter in
    counter.countAll(size) {
      let first = Value()
      let maps = (0..<size).map { _ in first.map { $0 + 1 } }
      first.complete(with: 1)
      precondition(maps[size - 1].isCompleted)
    }
  },
  Row("one of n values that all() needs") { size, counter in counter.countAll(size) { allOf(size) } },
  Row("one of n values of any()") { size, counter in counter.countAll(size) { anyOf(size) } },
  Row("one of n values of race()") { size, counter in counter.countAll(size) { raceOf(size) } },
  Row("one of a line of n flatMaps") { size, counter in counter.countAll(size) { flatMaps(size) } },
  Row(
    "one of a line of n flatMaps that choose pending ones",
    grows: "a choice is checked against 256 futures at most"
  ) { size, counter in
    counter.countAll(size) { flatMapsOfPending(size) }
  },
  Row("one of n values that all() needs, beside a blocked thread") { size, counter in
    besideBlockedThread { counter.countAll(size) { allOf(size) } }
  },
  Row("one of n values of any(), beside a blocked thread") { size, counter in
    besideBlockedThread { counter.countAll(size) { anyOf(size) } }
  },
  Row("one of a line of n flatMaps, beside a blocked thread") { size, counter in
    besideBlockedThread { counter.countAll(size) { flatMaps(size) } }
  },
  Row("one that joins shared work, of n") { size, counter in
    counter.countAll(size) {
      let work = Value()
      let shared = SharedFuture(work)
      let joined = (0..<size).map { _ in shared.join() }
      work.complete(with: 1)
      precondition(joined[size - 1]?.isCompleted == true)
    }
  },
]
