// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// Histories of explored orders: their times are the moments of the orders.
///
/// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
@Suite(.serialized) struct ExploredHistoryTests {
  private enum Call: Hashable, Sendable { case write(Int), read }

  /// A register that answers with the value before the last write, or with the last one.
  private final class Register: Sendable {
    private let values = Explored.Mutex((old: 0, new: 0))
    private let isMended: Bool
    init(isMended: Bool) { self.isMended = isMended }
    func write(_ value: Int) { values.withLock { $0 = ($0.new, value) } }
    func read() -> Int { values.withLock { isMended ? $0.new : $0.old } }
  }

  private let model = SequentialImplementation(0) { (value: inout Int, call: Call) -> Int in
    if case .write(let new) = call {
      value = new
      return 0
    }
    return value
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `A stale answer is found in a history of threads`(isMended: Bool) async {
    let model = model
    let report = await explore("a register") { scenario in
      let (register, recorder) = (Register(isMended: isMended), Recorder<Call, Int>(threads: 2))
      scenario.thread("a") {
        recorder.call(.write(1), on: 0) {
          register.write(1)
          return 0
        }
      }
      scenario.thread("b") { recorder.call(.read, on: 1) { register.read() } }
      scenario.atEnd { recorder.history.verdict(against: model).isLinearizable ? nil : "no register" }
    }
    #expect(report.failure == (isMended ? nil : "no register"), "\(report)")
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `A stale answer is found in a history of tasks`(isMended: Bool) async {
    let model = model
    let report = await exploreTasks("a register") { scenario in
      let (register, recorder) = (Register(isMended: isMended), Recorder<Call, Int>(threads: 2))
      async let one = recorder.callTask(.write(1), on: 0) {
        await Task.yield()
        register.write(1)
        return 0
      }
      async let two = recorder.callTask(.read, on: 1) {
        await Task.yield()
        return register.read()
      }
      _ = await (one, two)
      scenario.check(recorder.history.verdict(against: model).isLinearizable, "no register")
    }
    #expect(report.failure == (isMended ? nil : "no register"), "\(report)")
  }

  /// A stack of nodes that are used again, by an index: open to ABA unless its head has a tag.
  private final class NodeStack: Sendable {
    private typealias Atomic = Explored.Atomic<Int>
    private final class Node: Sendable {
      let next = Atomic(0)
      let value = Atomic(0)
    }
    private final class List: Sendable {
      let first = Atomic(0)
    }
    private let nodes = (0...8).map { _ in Node() }
    private let head = List()
    private let free = List()
    private let isMended: Bool

    init(isMended: Bool) {
      self.isMended = isMended
      for index in 1...8 { put(index, on: free) }
    }

    private func word(_ index: Int, after old: Int) -> Int { isMended ? index | (old >> 8 + 1) << 8 : index }

    private func put(_ node: Int, on list: List) {
      var old = list.first.load(ordering: .acquiring)
      while true {
        nodes[node].next.store(old & 0xFF, ordering: .relaxed)
        let new = word(node, after: old)
        let result = list.first.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
        if result.exchanged { return }
        old = result.original
      }
    }

    private func take(from list: List) -> Int? {
      var old = list.first.load(ordering: .acquiring)
      while old & 0xFF != 0 {
        let new = word(nodes[old & 0xFF].next.load(ordering: .acquiring), after: old)
        let result = list.first.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
        if result.exchanged { return old & 0xFF }
        old = result.original
      }
      return nil
    }

    func push(_ value: Int) -> Bool {
      guard let node = take(from: free) else { return false }
      nodes[node].value.store(value, ordering: .relaxed)
      put(node, on: head)
      return true
    }

    func pop() -> Int? {
      guard let node = take(from: head) else { return nil }
      let value = nodes[node].value.load(ordering: .relaxed)
      put(node, on: free)
      return value
    }
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `Small programs of a lock-free stack show that a node came back, in some order`(isMended: Bool) async {
    let report = await linearizabilityExplore(
      "a stack",
      .exhaustive(maxOrders: 1_000, seed: 3),
      programs: 16,
      calls: 4,
      make: { NodeStack(isMended: isMended) },
      model: [Int](),
      operations: [1, 2].map { value in
        .init(
          "push(\(value))",
          { $0.push(value) },
          model: { stack in
            // There are enough nodes: one on its way between the lists isn't missed.
            stack.append(value)
            return true
          }
        )
      } + [.init("pop()", { $0.pop() }, model: { $0.popLast() })],
      finally: [.init("pop()", { $0.pop() }, model: { $0.popLast() })]
    )
    #expect(isMended ? report.failure == nil : report.verdict == .failed, "\(report)")
  }

  @Test(.withoutRecording) func `A history in which no calls overlap shows nothing`() async {
    let history = History<Call, Int>([
      .init(thread: 0, .write(1), answer: 0, begun: 1, ended: 2),
      .init(thread: 1, .read, answer: 1, begun: 3, ended: 4),
    ])
    let report = await checkLinearizability("Register", of: history, against: model)
    #expect(report.linearizability.isLinearizable && report.verdict == .inconclusive, "\(report)")
  }
}
