// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Finds work that would wait for itself forever.
///
/// The graph leads from a future to all that may resolve it: to those that it was created from or follows and, if the
/// thread that works for it is blocked, to what keeps that thread from continuing: the next future that the thread
/// works for, and after the last one the future that it waits for. A future that anything else may resolve is open, and
/// so is one that has a timer or a queued decision. One that leads to no open future is stuck.
///
/// - **W1** A stuck future stays stuck, unless code outside the graph resolves it, or sets a timer or a link. So the
///   program is stopped only if nothing that is known to be in progress could end the wait.
/// - **W2** There is no false alarm. The graph is read twice, and what both readings found held in between, all at once.
/// - **W3** The last member of a cycle finds it. A thread that begins to wait closes one, or a closure that chooses
///   another future. Each checks after it has added its entry, or its link: so the last one finds all the others. A cycle
///   that closes otherwise, because a source ends and leaves its target to others, isn't found.
enum WaitGraph {
  /// The number of futures above which a check gives up: it costs the same in a large program as in a small one.
  static let limit = 256

  /// The number of futures visited by all checks, for tests of that.
  ///
  /// Relaxed: it orders nothing.
  static let visits = Atomic(0)

  /// What keeps the work for a future from continuing: a thread is blocked, without a time limit.
  private struct Block {
    /// A unique number, the same for all futures that the thread works for.
    let wait: Int
    let next: Future
  }

  private struct Table {
    var blocks: [ObjectIdentifier: Block] = [:]
    var last = 0
  }

  /// Guards what each thread waits for; entries are released outside.
  private static let table = Locked(Table())

  /// Runs the wait of the current thread for a future, unless it could never end: then the program stops with the names
  /// of the cycle.
  static func wait(for future: Future, _ body: () -> Void) {
    Trampoline.runBeforeBlocking()
    let blocked = Trampoline.futures
    // Nothing waits for this thread.
    guard !blocked.isEmpty else { return body() }
    table.withLock { table in
      table.last += 1
      for (worked, next) in zip(blocked, blocked.dropFirst() + [future]) {
        table.blocks[ObjectIdentifier(worked)] = Block(wait: table.last, next: next)
      }
    }
    check(future)
    body()
    // Returned from the lock, and released after it.
    table.release { table in blocked.map { table.blocks.removeValue(forKey: ObjectIdentifier($0)) } }
  }

  /// Stops the program if a future that is waited for can't be resolved.
  static func check(_ future: Future) {
    var last: [StuckFuture]?
    while let stuck = stuckFutures(from: future) {
      // States that were read one after the other, and twice found the same, existed at the same time, in between: a
      // wait or a link that has ended doesn't come back (W2).
      if stuck == last {
        if mayBeCancelledInTime(stuck.map(\.future)) { return }
        fatalError("these futures wait for each other in a cycle: \(cycle(in: stuck))")
      }
      // It keeps its futures, so that no later one can have the identity of one of them.
      last = stuck
    }
  }

  /// All futures that a future leads to; nil if one of them is open, or if there are too many.
  private static func stuckFutures(from root: Future) -> [StuckFuture]? {
    var (found, stuck) = ([root], [StuckFuture]())
    while stuck.count < found.count {
      visits.add(1, ordering: .relaxed)
      let future = found[stuck.count]
      let block = table.withLock { $0.blocks[ObjectIdentifier(future)] }
      let sources = future.process { $0.sources(isWorkedFor: block != nil, atMost: limit - found.count) }
      guard let sources else { return nil }
      let needs = sources + (block.map { [$0.next] } ?? [])
      for need in needs where !found.contains(where: { $0 === need }) { found.append(need) }
      stuck.append(StuckFuture(future: future, wait: block?.wait, needs: needs))
    }
    return stuck
  }

  /// True if a deadline may reach one of the futures: of one that depends on it, and passes its cancellation back.
  private static func mayBeCancelledInTime(_ futures: [Future]) -> Bool {
    var (found, known) = (futures, Set(futures.map(ObjectIdentifier.init)))
    var index = 0
    while index < found.count {
      let (hasDeadline, neighbors) = found[index].process { (!$0.deadlines.isEmpty, $0.cancellationNeighbors) }
      if hasDeadline { return true }
      // All are kept until the end, so that no later one has the identity of one of them.
      found += neighbors.filter { known.insert(ObjectIdentifier($0)).inserted }
      index += 1
    }
    return false
  }

  /// The names of one cycle, beginning and ending with the same future.
  private static func cycle(in stuck: [StuckFuture]) -> String {
    var path: [Future] = []
    var next = stuck.first?.future
    while let future = next, !path.contains(where: { $0 === future }) {
      path.append(future)
      next = stuck.first { $0.future === future }?.needs.first
    }
    let start = path.firstIndex { $0 === next } ?? 0
    return (path[start...] + path[start...].prefix(1)).map(\.name).joined(separator: " → ")
  }
}

/// A future that can't be resolved, and why, to be compared with what is found later.
private struct StuckFuture: Equatable {
  let future: Future
  /// The wait of the thread that works for it.
  let wait: Int?
  /// The futures each of which may resolve it.
  let needs: [Future]

  static func == (first: Self, second: Self) -> Bool {
    first.future === second.future && first.wait == second.wait && first.needs.elementsEqual(second.needs, by: ===)
  }
}
