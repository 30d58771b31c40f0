// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import Synchronization

/// The tasks that other threads have resumed, or queued, since the last check.
///
/// A continuation that is resumed before its task has begun to wait leaves no other trace: the task continues without a
/// suspension. So all tasks are noted, also unrelated ones, and the running order searches for its own. A task is noted
/// by its address, which belongs to another task when that one has ended: see `forget`.
struct TouchedTasks: ~Copyable, Sendable {
  /// The maximum number of kept tasks: more occur between two steps only if the machine is busy with other work.
  private static let most = 16_384

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

  /// Removes the notes of an address, which a new task has now: they are about a task that had the memory before.
  ///
  /// The check is relaxed: that task was noted before its memory was freed and allocated again.
  func forget(_ task: UInt) {
    guard hasAny.load(ordering: .relaxed) else { return }
    addresses.withLock { $0.removeAll { $0 == task } }
  }

  /// Returns the first match among the noted tasks, and removes all of them.
  func take(_ isSought: (UInt) -> Bool) -> UInt? {
    guard hasAny.exchange(false, ordering: .relaxed) else { return nil }
    let all = addresses.withLock { list in
      // A copy; the list keeps its memory.
      let all = list.map(\.self)
      list.removeAll(keepingCapacity: true)
      return all
    }
    return all.first(where: isSought)
  }
}
