// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The future that stays open until the running task has returned: a task-local value.
///
/// Other tasks inherit it, and some of them outlive the work. So it names the task for which alone it holds, and keeps
/// only the memory of the future, not its value. The tasks of a scope and of `onCancelTask` have it; the task of
/// ``ValueFuture/task(label:priority:fileID:line:_:)`` doesn't, as nobody drains a future inside its own task.
///
/// `@unchecked Sendable`: the task is compared, and never used.
@safe
final class RunningWork: @unchecked Sendable {
  @TaskLocal private static var bound: RunningWork?

  private let owner: UnownedReference<Future>
  private let task: UnsafeCurrentTask?

  private init(of owner: Future, in task: UnsafeCurrentTask?) {
    self.owner = UnownedReference(owner)
    unsafe self.task = task
  }

  /// The future that can't be over before the calling code has returned, if there is one.
  static var future: Future? {
    guard let bound else { return nil }
    return unsafe withUnsafeCurrentTask { unsafe $0 == bound.task } ? bound.owner.object : nil
  }

  /// Runs the body of a task that keeps a future open.
  static func run<Result>(for future: Future, _ body: () async throws -> Result) async rethrows -> Result {
    let work = unsafe withUnsafeCurrentTask { unsafe RunningWork(of: future, in: $0) }
    return try await $bound.withValue(work, operation: body)
  }
}
