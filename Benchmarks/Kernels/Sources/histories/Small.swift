// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

// The histories of lincheck's guide, "Invalid execution results", and of Porcupine's tests.

private typealias CounterHistory = History<Counter.Operation, Int>
private typealias CollectionHistory = History<Collection.Operation, [Int]>

let lincheck: [Example] = [
  Example(
    "two increments that both return 1",
    CounterHistory([
      .init(thread: 0, .increment, answer: 1, begun: 0, ended: 10),
      .init(thread: 1, .increment, answer: 1, begun: 0, ended: 10),
    ]),
    of: Counter.model,
    isLinearizable: false,
    source: "lincheck, first test"
  ),
  Example(
    "a deque whose last element is one that was removed",
    CollectionHistory([
      .init(thread: 0, .addLast(1), answer: [], begun: 0, ended: 1),
      .init(thread: 0, .removeFirst, answer: [1], begun: 10, ended: 30),
      .init(thread: 1, .addFirst(0), answer: [], begun: 10, ended: 20),
      .init(thread: 1, .last, answer: [1], begun: 21, ended: 30),
    ]),
    of: Collection.model,
    isLinearizable: false,
    source: "lincheck, README: ConcurrentLinkedDeque"
  ),
  multiMap(keeps: 0),
  multiMap(keeps: -1),
  Example(
    "a stack that returns the other thread's element",
    CollectionHistory([
      .init(thread: 0, .addLast(1), answer: [], begun: 0, ended: 30),
      .init(thread: 1, .addLast(2), answer: [], begun: 0, ended: 10),
      .init(thread: 1, .removeLast, answer: [1], begun: 11, ended: 30),
    ]),
    of: Collection.model,
    isLinearizable: true,
    source: "lincheck, results verification"
  ),
]

/// Two add a value for the same key, and one is lost.
private func multiMap(keeps value: Int) -> Example {
  Example(
    "a multimap that keeps \(value) alone",
    CollectionHistory([
      .init(thread: 0, .addLast(0), answer: [], begun: 0, ended: 10),
      .init(thread: 1, .addLast(-1), answer: [], begun: 0, ended: 10),
      .init(thread: 0, .all, answer: [value], begun: 11, ended: 12),
    ]),
    of: Collection.model,
    isLinearizable: false,
    source: "lincheck, modular testing"
  )
}

// MARK: Porcupine's tests

private typealias RegisterHistory = History<RegisterModel.Operation, RegisterModel.Answer>
private typealias RegisterCall = RegisterHistory.Call

let porcupine: [Example] = [
  register("a read of 0 while 100 is written", true, write: 100, reads: [(100, 25, 75), (0, 30, 60)]),
  register("a read of 0 after one of 200", false, write: 200, reads: [(200, 10, 30), (0, 40, 90)]),
  register("two reads of 0 that take no time", true, write: 100, reads: [(100, 25, 75), (0, 30, 30), (0, 30, 30)]),
  register(
    "0 after two reads of 200 that take no time",
    false,
    write: 200,
    reads: [(200, 10, 10), (200, 10, 10), (0, 40, 90)]
  ),
  set("a set: a read of one of two elements", true, inserts: [100, 0], [100]),
  set("a set: a read of both", true, inserts: [100, 110], [100, 110]),
  set("a set: a read whose answer isn't known", true, inserts: [100, 110], nil),
  set("a set: a read of one element twice", false, inserts: [100, 110], [100, 100, 110]),
  Example(
    "some of four values, of which reads see others",
    History<ChoiceModel.Operation, Set<Int>>([
      .init(thread: 0, .putAny([1, 2, 3, 4]), answer: [], begun: 0, ended: 7),
      .init(thread: 1, .getAny, answer: [1, 4], begun: 1, ended: 5),
      .init(thread: 2, .getAny, answer: [2], begun: 2, ended: 4),
      .init(thread: 3, .getAll, answer: [1, 2, 3], begun: 3, ended: 6),
    ]),
    of: ChoiceModel(),
    isLinearizable: false,
    source: "Porcupine, nondeterministic register"
  ),
]

private func register(
  _ name: String,
  _ isLinearizable: Bool,
  write: Int,
  reads: [(value: Int, begun: UInt64, ended: UInt64)]
) -> Example {
  let others = reads.enumerated().map { index, read in
    RegisterCall(thread: index + 1, .read, answer: .value(read.value), begun: read.begun, ended: read.ended)
  }
  return Example(
    name,
    RegisterHistory([.init(thread: 0, .write(write), answer: .done, begun: 0, ended: 100)] + others),
    of: RegisterModel(initialState: 0),
    isLinearizable: isLinearizable,
    source: "Porcupine, register"
  )
}

private func set(_ name: String, _ isLinearizable: Bool, inserts: [Int], _ elements: [Int]?) -> Example {
  typealias Call = History<SetModel.Operation, [Int]>.Call
  let calls = inserts.enumerated().map { index, element in
    Call(thread: index, .insert(element), answer: [], begun: UInt64(index), ended: 9)
  }
  // An answer that isn't known is that of a call that didn't return.
  let read =
    elements.map { Call(thread: 2, .elements, answer: $0, begun: 2, ended: 3) }
    ?? Call(thread: 2, .elements, begun: 2)
  return Example(
    name,
    History(calls + [read]),
    of: SetModel(),
    isLinearizable: isLinearizable,
    source: "Porcupine, set of Jepsen"
  )
}
