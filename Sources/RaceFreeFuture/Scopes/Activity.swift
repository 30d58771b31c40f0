// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Something that keeps a future open until it ends, also after the future was decided.
///
/// A future that is cancelled is decided at once, but what it stands for may not be over: a child process is dying, a
/// connection says goodbye. Whoever does that begins an activity and ends it when it is done; until then
/// ``CancellableWork/handlersFinished`` and ``CancellableWork/drain()`` wait. If they wait in vain, the activity is
/// called by its label.
///
/// ```swift
/// let activity = upload.beginActivity("goodbye")
/// connection.close { activity.end() }
/// ```
///
/// It ends by itself when its last reference goes. It keeps its future alive.
public final class Activity: Sendable {
  /// What it is called.
  public let label: String

  let future: Future
  /// Its number in the future's table; nil: nobody can wait for it.
  private let number: UInt64?
  /// Whether somebody has ended it: whoever is the first has to do what there is to do.
  ///
  /// Relaxed: it orders nothing else, the locks behind it do.
  private let isEnded = Atomic(false)

  init(_ future: Future, label: String, _ entry: @autoclosure () -> OpenWork.Entry) {
    self.label = label
    self.future = future
    // What can't be resolved keeps nothing.
    guard !future.isUnresolvable else {
      number = nil
      return
    }
    number = future.neededOpenWork().insert(entry())
    future.keepOpen()
  }

  deinit { end() }

  /// Ends the activity; calls after the first one do nothing.
  ///
  /// Callable from any thread; never blocks. Tasks that wait for just this go on.
  public func end() {
    guard let number, !isEnded.exchange(true, ordering: .relaxed) else { return }
    future.openWork?.remove(number)
    future.letGo()
  }
}

extension CancellableWork {
  /// Keeps the future open until the activity is ended.
  ///
  /// It changes nothing about the future's outcome and handlers. Begun before everything of a resolved future is over,
  /// it is waited for like a handler that was added then; begun later, it makes those wait who begin to wait after that.
  /// ``CancelToken/never`` has no end, so there it does nothing.
  ///
  /// - Parameters:
  ///   - label: What it is called in a ``DrainError``.
  ///   - fileID: The file of the call; keep the default.
  ///   - line: The line of the call; keep the default.
  /// - Returns: The activity: end it, or drop it.
  public func beginActivity(
    _ label: String,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Activity {
    Activity(cancelToken.future, label: label, OpenWork.Entry(label: label, site: CreationSite(fileID, line)))
  }
}

extension CancellableWork {
  /// Keeps the future open until `letGo`, without a name: for work that the library runs itself.
  package func keepOpen() { cancelToken.future.keepOpen() }

  /// What `keepOpen` was called for has ended.
  package func letGo() { cancelToken.future.letGo() }
}

// MARK: - Clean up asynchronously

extension CancellableWork {
  /// Adds an asynchronous handler that runs once if the future is cancelled, in a task of its own, and is told the reason.
  ///
  /// The task starts at the handler's place in the order, like an inline handler, and isn't cancelled by the cancellation
  /// after which it cleans up, nor by any other. The future stays open until it has returned: it is an ``Activity``, for
  /// which ``handlersFinished`` and ``drain()`` wait.
  ///
  /// ```swift
  /// connection.onCancelTask(label: "goodbye") { _ in await peer.say("goodbye") }
  /// ```
  ///
  /// - Parameters:
  ///   - label: What it is called in a ``DrainError``.
  ///   - priority: The priority of the task; nil: that of whoever cancels.
  ///   - fileID: The file of the call; keep the default.
  ///   - line: The line of the call; keep the default.
  ///   - handler: Released when it has returned, was taken back, or the outcome is the other one.
  /// - Returns: What takes the handler back, as long as its task hasn't been started.
  @discardableResult
  public func onCancelTask(
    label: String = "clean-up",
    priority: TaskPriority? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping @Sendable (any Error) async -> Void
  ) -> Registration {
    let starter = TaskStarter(cancelToken.future, label, priority, CreationSite(fileID, line))
    return onCancel(on: .inline) { reason in starter.start { await handler(reason) } }
  }

  /// Adds an asynchronous handler that runs once, in a task of its own, and is told which the outcome is.
  ///
  /// For all else see ``onCancelTask(label:priority:fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - label: What it is called in a ``DrainError``.
  ///   - priority: The priority of the task; nil: that of whoever resolves the future.
  ///   - fileID: The file of the call; keep the default.
  ///   - line: The line of the call; keep the default.
  ///   - handler: Released when it has returned or was taken back.
  /// - Returns: What takes the handler back, as long as its task hasn't been started.
  @discardableResult
  public func onCleanUpTask(
    label: String = "clean-up",
    priority: TaskPriority? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping @Sendable (Future.Outcome) async -> Void
  ) -> Registration {
    let starter = TaskStarter(cancelToken.future, label, priority, CreationSite(fileID, line))
    return onCleanUp(on: .inline) { outcome in starter.start { await handler(outcome) } }
  }
}

/// Starts the task of an asynchronous handler.
private struct TaskStarter: Sendable {
  /// The future; weak, as it keeps the handler which keeps this.
  ///
  /// While its handlers run it is there.
  private weak let future: Future?
  private let label: String
  private let priority: TaskPriority?
  private let site: CreationSite

  init(_ future: Future, _ label: String, _ priority: TaskPriority?, _ site: CreationSite) {
    self.future = future
    self.label = label
    self.priority = priority
    self.site = site
  }

  func start(_ body: @escaping @Sendable () async -> Void) {
    guard let future else { return }
    // Begun while the inline handler runs, which keeps the future open until this does.
    let activity = Activity(future, label: label, OpenWork.Entry(label: label, site: site))
    Task(executorPreference: future.taskExecutor, priority: priority) {
      await body()
      activity.end()
    }
  }
}
