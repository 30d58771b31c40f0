// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Who waits for whom: the place where futures are noticed that wait for each other in a circle, on one thread or on
/// several.
///
/// It isn't kept, but found when it is needed. From a future it leads to whatever could resolve it:
///
/// - to the sources that it was made from or is linked to, which its links tell;
/// - if a blocked thread works for it, to what keeps that thread from going on: the next future that the thread works
///   for, and after the last one that which it waits for.
///
/// A future is stuck if all that could resolve it is stuck as well. Of a future that nobody works for, and that wasn't
/// made from others, nobody knows who may resolve it; nor of one that has a timer, or something in line: it isn't stuck,
/// and neither is what may be resolved by it. So the program is stopped only if nothing that is known to be under way
/// could end the wait.
///
/// A circle is closed by a thread that begins to wait, by a closure that chooses another future, or by the end of a
/// source that left the target with the others. Each of them asks after it has made its entry, or its link. So of those
/// that close a circle together the last one finds all the others.
enum WaitGraph {
  /// A thread that is blocked until a future is resolved, without a time limit.
  fileprivate struct Wait {
    /// No two have the same.
    let number: Int
    /// What the thread works for, the innermost last; never empty.
    let blocked: [Future]
    let awaited: Future
  }

  private struct Table {
    /// By the identity of the thread.
    var waits: [UInt: Wait] = [:]
    var last = 0
  }

  private static let table = Locked(Table())
  /// How many waits there are, for those who ask whether a look at the table is worth it.
  ///
  /// Changed before the thread looks at the graph, and read after a link has been made or cut. Both take the lock of
  /// the link's target: so of a wait and a link that close a circle, one sees the other.
  private static let count = Atomic(0)

  /// Lets the running thread wait for a future, unless that could never end: then the program stops with the names of
  /// the circle.
  static func wait(for future: Future, _ body: () -> Void) {
    WorkFrame.runDeferred()
    let blocked = WorkFrame.futures
    // Nobody waits for this thread.
    guard !blocked.isEmpty else { return body() }
    let thread = ThreadIdentity.current.rawValue
    table.withLock { table in
      table.last += 1
      table.waits[thread] = Wait(number: table.last, blocked: blocked, awaited: future)
    }
    count.add(1, ordering: .sequentiallyConsistent)
    stopIfStuck(future)
    body()
    count.subtract(1, ordering: .sequentiallyConsistent)
    // Taken out of the lock, and released after it.
    _ = table.withLock { $0.waits.removeValue(forKey: thread) }
  }

  /// A closure has chosen the future that this one waits for from now on.
  static func choiceMade(for future: Future) {
    // As a rule nobody waits for it yet.
    if hasWaits || future.process({ $0.hasDependents }) { stopIfStuck(future) }
  }

  /// One of several sources of a future has ended, and left it to the others.
  static func sourceEnded(for future: Future) {
    if hasWaits { stopIfStuck(future) }
  }

  private static var hasWaits: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

  private static func stopIfStuck(_ future: Future) {
    // What was looked at one after the other, and twice found the same, was so at the same time, in between: a wait or a
    // link that has ended doesn't come back. And what once is stuck remains so.
    var last: Graph?
    while true {
      let graph = Graph(from: future, table.withLock { Array($0.waits.values) })
      guard let stuck = graph.stuck else { return }
      if let last, stuck == last.stuck {
        let names = graph.circle.map(\.name).joined(separator: " → ")
        fatalError("these futures wait for each other in a circle: \(names)")
      }
      // It keeps its futures, so that none of them is taken for a later one.
      last = graph
    }
  }
}

/// What makes a future stuck, to be compared with what does so later.
private struct StuckFuture: Equatable {
  let future: ObjectIdentifier
  let wait: Int?
  let needs: [ObjectIdentifier]
}

/// The part of the graph that a future leads to, as it was found.
private struct Graph {
  private struct Node {
    let future: Future
    /// The wait of the thread that works for it.
    var wait: Int?
    /// What may resolve it, each by itself.
    var ways: [Int] = []
    /// What may resolve it only together.
    var parts: [Int] = []
    /// Whether it may be resolved, as far as that is known.
    var isOpen = false
  }

  private var nodes: [Node] = []
  private var indices: [ObjectIdentifier: Int] = [:]

  init(from root: Future, _ waits: [WaitGraph.Wait]) {
    var next: [ObjectIdentifier: (future: Future, wait: Int)] = [:]
    for wait in waits {
      for (future, blocker) in zip(wait.blocked, wait.blocked.dropFirst() + [wait.awaited]) {
        next[ObjectIdentifier(future)] = (blocker, wait.number)
      }
    }
    _ = index(of: root)
    var current = 0
    while current < nodes.count {
      expand(current, next)
      current += 1
    }
    findOpen()
  }

  private mutating func index(of future: Future) -> Int {
    if let index = indices[ObjectIdentifier(future)] { return index }
    indices[ObjectIdentifier(future)] = nodes.count
    nodes.append(Node(future: future))
    return nodes.count - 1
  }

  private mutating func expand(_ current: Int, _ next: [ObjectIdentifier: (future: Future, wait: Int)]) {
    let future = nodes[current].future
    let needs = future.process { $0.needs }
    let blocker = next[ObjectIdentifier(future)]
    guard !needs.isOpen, needs.isMade || blocker != nil else { return nodes[current].isOpen = true }
    nodes[current].ways = needs.ways.map { index(of: $0) }
    nodes[current].parts = needs.parts.map { index(of: $0) }
    if let blocker {
      nodes[current].wait = blocker.wait
      nodes[current].ways.append(index(of: blocker.future))
    }
  }

  /// From those that may be resolved to those that may be by them.
  private mutating func findOpen() {
    var isDone = false
    while !isDone {
      isDone = true
      // Most lead to what was found after them.
      for current in nodes.indices.reversed() where !nodes[current].isOpen {
        let (ways, parts) = (nodes[current].ways, nodes[current].parts)
        let isOpen = ways.contains { nodes[$0].isOpen } || (!parts.isEmpty && parts.allSatisfy { nodes[$0].isOpen })
        if isOpen { (nodes[current].isOpen, isDone) = (true, false) }
      }
    }
  }

  /// Everything that makes the first future stuck; nil if it isn't.
  var stuck: [StuckFuture]? {
    guard nodes.first?.isOpen == false else { return nil }
    return nodes.filter { !$0.isOpen }.map { node in
      StuckFuture(
        future: ObjectIdentifier(node.future),
        wait: node.wait,
        needs: stuckNeeds(of: node).map { ObjectIdentifier(nodes[$0].future) }
      )
    }
  }

  /// One way round, beginning and ending with the same future.
  var circle: [Future] {
    var path = [0]
    while let next = stuckNeeds(of: nodes[path[path.count - 1]]).first {
      path.append(next)
      if let start = path.firstIndex(of: next), start < path.count - 1 {
        return path[start...].map { nodes[$0].future }
      }
    }
    return path.map { nodes[$0].future }
  }

  private func stuckNeeds(of node: Node) -> [Int] { (node.ways + node.parts).filter { !nodes[$0].isOpen } }
}

// MARK: - What a future says of itself

extension FutureMachine {
  /// What could resolve a future, as far as the future itself knows.
  struct Needs {
    /// Whether something could that isn't known, or is on its way.
    var isOpen = false
    /// Whether it was made from others.
    var isMade = false
    /// Futures each of which may resolve it.
    var ways: [Future] = []
    /// Futures that may resolve it only together.
    var parts: [Future] = []
  }

  var needs: Needs {
    var needs = Needs()
    needs.isOpen = phase != .pending || inLine > 0 || !deadlines.isEmpty
    guard !needs.isOpen else { return needs }
    sources.forEach { link in
      // One that is just going will tell its targets.
      guard let source = link.future(at: .source) else { return needs.isOpen = true }
      if link.need != .none { needs.isMade = true }
      if link.need == .each { needs.parts.append(source) } else { needs.ways.append(source) }
    }
    return needs
  }

  /// Whether another future may be resolved by this one.
  var hasDependents: Bool { !linkedOutcomes.isEmpty }
}
