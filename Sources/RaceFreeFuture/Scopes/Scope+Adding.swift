// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Add

extension Scope {
  /// The place of some work in a scope, so that it can be taken out.
  ///
  /// Dropping it changes nothing. It keeps the work's future alive.
  public struct Membership: Sendable {
    fileprivate let link: Link
    fileprivate let member: Future
    fileprivate let activity: Activity

    /// Takes the work out of the scope, which from now on neither cancels it nor waits for it.
    ///
    /// Callable from any thread, any number of times; never blocks. O(1).
    public func leave() {
      member.process { $0.ignore(link) }
      activity.future.process { $0.detach(link) }
      activity.end()
    }
  }

  /// Adds work of any kind: from now on it is cancelled with the scope, and waited for.
  ///
  /// Added to a cancelled scope it is cancelled at once, for the same reason, but not completed work. It leaves when it is
  /// over: decided, its handlers returned, its activities ended; or when it is dropped undecided. The scope doesn't keep
  /// it. Added twice it is in it twice. Adding the scope itself, or ``CancelToken/never``, does nothing.
  ///
  /// Another scope is work like any other here: it is in this one until it is cancelled and over. One whose end is that
  /// nothing is open in it is made with ``init(in:label:cancelsOnDeinit:fileID:line:)``.
  ///
  /// Callable from any thread; never blocks. O(1).
  ///
  /// - Parameter work: A future, a token, an operation, a transfer, a type of your own.
  /// - Returns: What takes the work out; nil if it isn't in it.
  @discardableResult
  public func add(_ work: some CancellableWork) -> Membership? {
    let member = work.cancelToken.future
    guard member !== future, !member.isUnresolvable else { return nil }
    let activity = Activity(future, label: "", OpenWork.Entry(member))
    // Released with the node when its wait is over, and when the member is dropped: that ends it at the latest.
    let node = HandlerNode(role: .awaitsHandlers) { _, _ in activity.end() }
    if let resolution = member.process({ $0.awaitFinish(node) }) { node.run(resolution, onPrivateQueue: false) }
    let link = Link(.cascade, from: future, to: member, keeping: .source)
    future.connect(link, to: member)
    return Membership(link: link, member: member, activity: activity)
  }

  /// Adds a task: it is cancelled with the scope, and waited for until it has returned.
  ///
  /// Added to a cancelled scope it is cancelled at once.
  ///
  /// - Parameters:
  ///   - task: A task that was made elsewhere.
  ///   - label: A name for descriptions and errors.
  ///   - fileID: The file of the call; keep the default.
  ///   - line: The line of the call; keep the default.
  /// - Returns: What takes the task out.
  @discardableResult
  public func add<Success, Failure>(
    _ task: Task<Success, Failure>,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Membership? {
    let member = Future(label: label, fileID: fileID, line: line)
    member.keepOpen()
    member.onCancel(on: .inline) { task.cancel() }
    Task(executorPreference: member.taskExecutor) {
      _ = await task.result
      member.complete()
      member.letGo()
    }
    return add(member)
  }

  /// Starts a task in the scope: it is cancelled with the scope, and waited for until it has returned.
  ///
  /// In a cancelled scope it isn't started, and the future is cancelled. What the task throws is the failure of the future
  /// and touches nobody else in the scope; ``Future/observer`` hears of it.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil: that of the caller.
  ///   - label: A name for descriptions and errors.
  ///   - fileID: The file of the call; keep the default.
  ///   - line: The line of the call; keep the default.
  ///   - work: Runs in the task.
  /// - Returns: The future of what the task returns; see ``ValueFuture/task(priority:label:onUndelivered:fileID:line:_:)``.
  @discardableResult
  public func addTask<Value: Sendable>(
    priority: TaskPriority? = nil,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Value
  ) -> ValueFuture<Value> {
    let member = Future(label: label, fileID: fileID, line: line)
    add(member)
    member.startTask(priority, nil, work)
    return ValueFuture(member, onUndelivered: nil)
  }
}
