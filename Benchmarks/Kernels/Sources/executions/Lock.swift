// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A mutex that tells the graph of the execution who had it before.
final class Lock: @unchecked Sendable {
  private let mutex = Explored.Mutex(())
  private let graph: Graph?
  private var number = 0
  private var last = Graph.Event(thread: -1, index: 0)

  init(_ graph: Graph?) {
    self.graph = graph
    number = graph?.addLock() ?? 0
  }

  func withLock(_ body: () throws -> Void) rethrows {
    try mutex.withLock { _ in
      if let graph {
        let event = graph.next
        graph.note(3, number, from: last)
        last = event
      }
      try body()
    }
  }
}

/// A barrier for some threads: the last to come opens a gate for the others.
///
/// The graph doesn't tell in which sequence they come.
final class Barrier: @unchecked Sendable {
  private let count: Int
  private let arrivals = (0..<4).map { _ in Arrivals() }
  private var rounds: [Int: Int] = [:]

  private final class Arrivals: Sendable {
    let number = Explored.Atomic(0)
    let gate = Explored.Semaphore(value: 0)
  }

  init(_ count: Int) { self.count = count }

  func wait() {
    let arrivals = arrivals[rounds[Graph.thread, default: 0]]
    rounds[Graph.thread, default: 0] += 1
    if arrivals.number.add(1, ordering: .sequentiallyConsistent).newValue == count {
      for _ in 1..<count { arrivals.gate.signal() }
    } else {
      arrivals.gate.wait()
    }
  }

  /// Lets everybody through: a thread has ended that others wait for.
  func open() {
    for arrivals in arrivals { for _ in 1..<count { arrivals.gate.signal() } }
  }
}
