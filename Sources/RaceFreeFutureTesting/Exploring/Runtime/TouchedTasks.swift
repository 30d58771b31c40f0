// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import Synchronization

/// The tasks that other threads have resumed, or put in line, since somebody looked last.
///
/// A continuation that is resumed before its task has got as far as to wait leaves no other trace: the task goes on
/// where it is, as if nothing had been. So all are noted, also those of others, and the order that runs looks for its own.
struct TouchedTasks: ~Copyable, Sendable {
  /// More aren't kept: so many come up between two steps only where the machine is busy with something else.
  private static let most = 1_024

  private let addresses: Locked<[UInt]>
  /// Relaxed: a thread notes a task before it resumes it, and what the task does later comes after that.
  private let hasAny = Atomic(false)

  init() {
    var list: [UInt] = []
    // Nothing is allocated in the middle of the runtime.
    list.reserveCapacity(Self.most)
    addresses = Locked(list)
  }

  /// Called by the runtime, on any thread.
  func note(_ task: UInt) {
    addresses.withLock { if $0.count < Self.most { $0.append(task) } }
    hasAny.store(true, ordering: .relaxed)
  }

  /// The first that is sought among those that were noted, which are forgotten.
  func take(_ isSought: (UInt) -> Bool) -> UInt? {
    guard hasAny.exchange(false, ordering: .relaxed) else { return nil }
    let all = addresses.withLock { list in
      // A copy; the list keeps its place in memory.
      let all = list.map(\.self)
      list.removeAll(keepingCapacity: true)
      return all
    }
    return all.first(where: isSought)
  }
}
