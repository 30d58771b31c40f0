// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring

/// Tries each point of interruption, by a tiny task that has to come to it: another toolchain may put the functions that are
/// watched into the program itself, where nobody stands in front of them.
enum PointProbe {
  /// The points that are watched here, and weren't hit; none where no functions are watched.
  static let missing: [String] = {
    guard RuntimeControl.interrupts else { return [] }
    _ = rff_probe(true)
    let executor = ProbeExecutor()
    let task = Task(executorPreference: executor) { await visitAll(executor) }
    while executor.runFirst() {}
    let hits = rff_probe(false)
    let missing = withExtendedLifetime(task) { points.filter { hits & $0.functions == 0 }.map(\.name) }
    return seen.isLocked ? missing : missing + ["the lock under which handlers are called"]
  }()

  /// The places of the runtime where a task continues that awaits all children of a group and drops their results.
  static var draining: Set<UInt> {
    _ = missing
    return seen.draining
  }

  /// The points, each with the functions by one of which it is hit.
  private static let points: [(name: String, functions: UInt32)] = [
    ("hops", 1 << 1), ("continuations", 1 << 0 | 1 << 3 | 1 << 4), ("checked continuations", 1 << 3 | 1 << 0),
    ("cancellation handlers", 1 << 2 | 1 << 5), ("cancellations", 1 << 7 | 1 << 10),
    ("cancellations of groups", 1 << 8 | 1 << 11), ("cancellations of throwing groups", 1 << 9 | 1 << 11),
    ("immediate tasks", 1 << 12),
  ]

  /// What a handler has seen.
  ///
  /// Used by one thread only, which makes it `@unchecked Sendable`.
  private final class Seen: @unchecked Sendable {
    var task: UInt = 0
    var isLocked = false
    /// Written before `missing` is known, and then only read.
    var draining: Set<UInt> = []
  }

  private static let seen = Seen()

  /// Looks, in a handler, whether the runtime says that it holds the status lock of the task.
  private static func lookAtLock(_ executor: ProbeExecutor) async {
    let task = Task(executorPreference: executor) {
      noteTask()
      await withTaskCancellationHandler {
        await Task.yield()
      } onCancel: {
        seen.isLocked = TaskLayout.known == nil || TaskLayout.isLocked(seen.task)
      }
    }
    while seen.task == 0 { await Task.yield() }
    task.cancel()
    await task.value
  }

  /// Notes the running task: it lives as long as it runs.
  private static func noteTask() {
    seen.task = unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      return unsafe UInt(bitPattern: unsafeBitCast(task, to: Int.self))
    }
  }

  /// Looks at a task that has come to the end of its group, where it awaits a child.
  private static func lookAtGroups() async {
    guard TaskLayout.known != nil else { return }
    await withTaskGroup(of: Void.self) { group in
      noteTask()
      group.addTask { await lookAtOwner() }
    }
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await lookAtOwner() }
    }
  }

  private static func lookAtOwner() async {
    while TaskLayout.wait(of: seen.task) != .group { await Task.yield() }
    seen.draining.insert(TaskLayout.callerOfNext(in: seen.task))
  }

  private static func visitAll(_ executor: ProbeExecutor) async {
    await hop()
    await withCheckedContinuation { $0.resume() }
    try? await withCheckedThrowingContinuation { $0.resume() }
    await unsafe withUnsafeContinuation { unsafe $0.resume() }
    await withTaskCancellationHandler {
    } onCancel: {
    }
    Task(executorPreference: executor) {}.cancel()
    await withTaskGroup(of: Void.self) { $0.cancelAll() }
    await withThrowingTaskGroup(of: Void.self) { $0.cancelAll() }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task.immediate(executorPreference: executor) {}
    }
    await lookAtLock(executor)
    await lookAtGroups()
  }

  @concurrent @inline(never) private static func hop() async {}
}
