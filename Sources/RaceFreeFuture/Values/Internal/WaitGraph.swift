// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The graph of waits, which detects futures that wait for each other in a cycle, on one thread or on several.
///
/// It isn't stored, but computed when it is needed. From a future it leads to everything that could resolve it:
///
/// - to the sources that it was created from or is linked to, by its links;
/// - if a blocked thread works for it, to what keeps that thread from continuing: the next future that the thread works
///   for, and after the last one the future that it waits for.
///
/// A future is stuck if all that could resolve it is stuck as well. A future that no thread works for, and that wasn't
/// created from others, may be resolved by unknown code, and so may one that has a timer, or something queued: it isn't
/// stuck, and neither are futures that it may resolve. So the program is stopped only if nothing that is known to be in
/// progress could end the wait.
///
/// - **W1** A stuck future stays stuck, unless code outside the graph resolves it, or sets a timer or a link.
/// - **W2** There is no false alarm: the graph is read twice, and what both readings found held in between, all at once.
/// - **W3** The last member of a cycle detects it. A cycle is closed by a thread that begins to wait, by a closure that
///   chooses another future, or by the end of a source that leaves the target to its other sources. Each of them checks
///   after it has added its entry, or its link. So of those that close a cycle together the last one finds all the
///   others.
enum WaitGraph {
  /// A thread that is blocked until a future is resolved, without a time limit.
  fileprivate struct Wait {
    /// A unique number.
    let number: Int
    /// The futures that the thread works for, the innermost last; never empty.
    let blocked: [Future]
    let awaited: Future
  }

  private struct Table {
    /// The waits, by the identity of the thread.
    var waits: [UInt: Wait] = [:]
    var last = 0
  }

  private static let table = Locked(Table())
  /// The number of waits, to check whether the table has to be searched.
  ///
  /// Changed before the thread examines the graph, and read after a link has been made or cut. Both take the lock of
  /// the link's target: so of a wait and a link that close a cycle, one sees the other (W3). That lock orders them, and
  /// the accesses are relaxed.
  private static let count = Atomic(0)

  /// Runs the wait of the current thread for a future, unless it could never end: then the program stops with the names
  /// of the cycle.
  static func wait(for future: Future, _ body: () -> Void) {
    Trampoline.runBeforeBlocking()
    let blocked = WorkFrame.futures
    // Nothing waits for this thread.
    guard !blocked.isEmpty else { return body() }
    let thread = ThreadIdentity.current.rawValue
    table.withLock { table in
      table.last += 1
      table.waits[thread] = Wait(number: table.last, blocked: blocked, awaited: future)
    }
    count.add(1, ordering: .relaxed)
    stopIfStuck(future)
    body()
    count.subtract(1, ordering: .relaxed)
    // Returned from the lock, and released after it.
    table.release { $0.waits.removeValue(forKey: thread) }
  }

  /// Checks for a cycle after a closure has chosen the future that this one now waits for.
  static func choiceMade(for future: Future) {
    // As a rule nothing waits for it yet.
    if hasWaits || future.process({ $0.hasDependents }) { stopIfStuck(future) }
  }

  /// Checks for a cycle after one of several sources of a future has ended, and left it to the others.
  static func sourceEnded(for future: Future) {
    if hasWaits { stopIfStuck(future) }
  }

  private static var hasWaits: Bool { count.load(ordering: .relaxed) > 0 }

  private static func stopIfStuck(_ future: Future) {
    // States that were read one after the other, and twice found the same, existed at the same time, in between: a wait
    // or a link that has ended doesn't come back (W2). And a stuck future remains stuck (W1).
    var last: Graph?
    while true {
      let graph = Graph(from: future, table.withLock { Array($0.waits.values) })
      guard let stuck = graph.stuck else { return }
      if let last, stuck == last.stuck {
        let names = graph.cycle.map(\.name).joined(separator: " → ")
        fatalError("these futures wait for each other in a cycle: \(names)")
      }
      // It keeps its futures, so that no later one can have the identity of one of them.
      last = graph
    }
  }
}

/// The state that makes a future stuck, to be compared with a later one.
private struct StuckFuture: Equatable {
  let future: ObjectIdentifier
  let wait: Int?
  let needs: [ObjectIdentifier]
}

/// The part of the graph that a future leads to, as it was read.
private struct Graph {
  private struct Node {
    let future: Future
    /// The wait of the thread that works for it.
    var wait: Int?
    /// The nodes each of which may resolve it by itself.
    var ways: [Int] = []
    /// The nodes that may resolve it only together.
    var parts: [Int] = []
    /// True if it may be resolved, as far as is known.
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

  /// Propagates from the nodes that may be resolved to those that they may resolve.
  private mutating func findOpen() {
    var isDone = false
    while !isDone {
      isDone = true
      // Most lead to nodes that were found after them.
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

  /// One cycle, beginning and ending with the same future.
  var cycle: [Future] {
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

// MARK: - Needs of a future

extension FutureMachine {
  /// The futures that could resolve a future, as far as it knows itself.
  struct Needs {
    /// True if something unknown could resolve it, or a decision is on its way.
    var isOpen = false
    /// True if it was created from others.
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
      // A source that is just being released will notify its targets.
      guard let source = link.future(at: .source) else { return needs.isOpen = true }
      if link.need != .none { needs.isMade = true }
      if link.need == .each { needs.parts.append(source) } else { needs.ways.append(source) }
    }
    return needs
  }

  /// True if another future may be resolved by this one.
  var hasDependents: Bool { !linkedOutcomes.isEmpty }
}
