// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Which threads wait for the work of which futures, without a time limit: the place where work is noticed that waits
/// for itself, directly or in a circle, on one thread or on several.
///
/// A thread asks before it waits, and enters itself, in one turn of the lock. So of the threads that close a circle the
/// last one sees all the others.
enum JobWaits {
  private struct Wait {
    let future: Future
    let jobs: [Job]
  }

  /// For each thread what it waits for: the last entry keeps it from going on, each one before it runs on this thread
  /// and needs the next.
  private static let waits = Locked<[UInt: [Wait]]>([:])

  /// Waits for the future, unless that would never end: then the program stops with the names of the circle.
  static func wait(for future: Future, _ jobs: [Job], _ body: () -> Void) {
    let thread = ThreadIdentity.current.rawValue
    let wait = Wait(future: future, jobs: jobs)
    let circle: [Future]? = waits.withLock { waits in
      if let circle = Self.circle(closedBy: wait, of: thread, waits) { return circle }
      waits[thread, default: []].append(wait)
      return nil
    }
    if let circle {
      fatalError("these futures wait for each other in a circle: \(circle.map(\.name).joined(separator: " → "))")
    }
    body()
    // Taken out of the lock, and released after it.
    _ = waits.withLock { waits in
      let last = waits[thread]?.popLast()
      if waits[thread]?.isEmpty == true { waits[thread] = nil }
      return last
    }
  }

  /// Follows from a wait to the thread that runs its work, from there to what that thread waits for, and so on; returns
  /// the way if it comes back to the given thread.
  private static func circle(closedBy wait: Wait, of thread: UInt, _ waits: [UInt: [Wait]]) -> [Future]? {
    // Most work that is waited for isn't running yet, or waits for nothing itself.
    guard wait.jobs.contains(where: { $0.runner != nil }) else { return nil }
    var visited: Set<UInt> = []
    var ways = [[wait]]
    while let way = ways.popLast() {
      // A thread whose future is resolved is about to go on.
      guard let last = way.last, last.future.isPending else { continue }
      for job in last.jobs {
        guard let runner = job.runner else { continue }
        let theirs = waits[runner] ?? []
        // What the runner has asked for since it began this work.
        let since = theirs.lastIndex { $0.jobs.contains { $0 === job } }.map { $0 + 1 } ?? 0
        if runner == thread { return (way + theirs[since...] + [wait]).map(\.future) }
        guard since < theirs.endIndex, visited.insert(runner).inserted else { continue }
        ways.append(way + theirs[since...])
      }
    }
    return nil
  }
}
