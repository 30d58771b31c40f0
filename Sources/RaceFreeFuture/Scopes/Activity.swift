// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// An activity that keeps a future open until it ends, even after the future was decided.
///
/// A future that is cancelled is decided at once, but the work that it stands for may not be over: a child process is
/// exiting, a connection says goodbye. Begin an activity for such work and end it when the work is done; until then
/// ``CancellableWork/handlersFinished`` and ``CancellableWork/drain()`` wait. A ``DrainError`` names the activity by
/// its label.
///
/// ```swift
/// let activity = upload.beginActivity("goodbye")
/// connection.close { activity.end() }
/// ```
///
/// It ends by itself when its last reference is released. It keeps its future alive.
public final class Activity: Sendable {
  /// The name of the activity.
  let label: String

  let future: Future
  /// Its number in the future's table; nil if nothing can wait for it.
  private let number: UInt64?
  /// True once it was ended: the call that sets it carries out the end.
  ///
  /// Relaxed: it orders nothing else; the locks taken after it do.
  private let isEnded = Atomic(false)

  var hasEnded: Bool { isEnded.load(ordering: .relaxed) }

  init(_ future: Future, label: String, _ entry: @autoclosure () -> OpenWork.Entry) {
    self.label = label
    self.future = future
    // A future that can't be resolved keeps nothing.
    guard !future.isUnresolvable else {
      number = nil
      return
    }
    // First: whatever the table counts is open, or was (O1).
    future.keepOpen()
    number = future.neededOpenWork().insert(entry())
  }

  convenience init(_ future: Future, _ label: String, _ site: CreationSite) {
    self.init(future, label: label, OpenWork.Entry(label: label, site: site, of: future))
  }

  deinit { end() }

  /// Ends the activity; calls after the first one have no effect.
  ///
  /// It can be called from any thread and never blocks. Tasks that wait only for this continue.
  public func end() {
    guard let number, !isEnded.exchange(true, ordering: .relaxed) else { return }
    future.openWork?.remove(number)
    future.letGo()
  }
}

extension CancellableWork {
  /// Keeps the future open until the activity is ended.
  ///
  /// An activity doesn't affect the future's outcome and handlers. If the future is resolved and over when the activity
  /// begins, only calls that begin to wait after that wait for it; otherwise it is waited for like a handler added
  /// then. On ``CancelToken/never``, which has no end, it has no effect.
  ///
  /// - Parameter label: The name in a ``DrainError``.
  /// - Returns: The activity, to end or release.
  public func beginActivity(
    _ label: String,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Activity {
    Activity(cancelToken.future, label, CreationSite(fileID, line))
  }
}

extension CancellableWork {
  /// Begins an activity that is run by the library: it has the place at which the future was created.
  package func beginActivity(ofLibrary label: String) -> Activity {
    let future = cancelToken.future
    return Activity(future, label, future.site)
  }

  /// Keeps the future open until `letGo`, without a name: for work run by the library itself.
  package func keepOpen() { cancelToken.future.keepOpen() }

  /// Ends what `keepOpen` began.
  package func letGo() { cancelToken.future.letGo() }
}

// MARK: - Clean up asynchronously

extension CancellableWork {
  /// Adds an asynchronous handler that runs once if the future is cancelled, in a task of its own, with the reason.
  ///
  /// The task starts at the handler's place in the order, like an inline handler, beside work that may still be
  /// running, and isn't cancelled by that cancellation or any other. For clean-up that has to come behind the work, use
  /// ``withCancellationShield(isolation:_:)`` in the work. The future stays open until it has returned: it is an
  /// ``Activity``, for which ``handlersFinished`` and ``drain()`` wait.
  ///
  /// ```swift
  /// connection.onCancelTask(name: "goodbye") { _ in await peer.say("goodbye") }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the task in a ``DrainError``.
  ///   - priority: The priority of the task; nil for the priority of the code that cancels.
  ///   - handler: The handler. It is released when it has returned or was unregistered, or at the other outcome.
  /// - Returns: A registration to unregister the handler with, until its task has been started.
  @discardableResult
  public func onCancelTask(
    name: String = "clean-up",
    priority: TaskPriority? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping @Sendable (any Error) async -> Void
  ) -> Registration {
    let site = CreationSite(fileID, line)
    // Weak, as the future keeps the handler; it exists while its handlers run.
    return onCancel(on: .inline) { [weak future = cancelToken.future] reason in
      guard let future else { return }
      // Begun while the inline handler runs, which keeps the future open until the activity does.
      let activity = Activity(future, name, site)
      Task(executorPreference: future.taskExecutor, priority: priority) {
        await RunningWork.run(for: future) { await handler(reason) }
        activity.end()
      }
    }
  }
}
