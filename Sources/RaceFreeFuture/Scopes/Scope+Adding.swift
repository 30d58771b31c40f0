// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Add

extension Scope {
  /// The membership of some work in a scope, to remove it.
  ///
  /// Releasing it has no effect. It keeps the futures of the work and of the scope alive.
  public struct Membership: Sendable {
    fileprivate let link: Link
    fileprivate let member: Future
    /// The member's node, whose run is the end of the activity.
    fileprivate let node: HandlerNode
    fileprivate let activity: Activity

    /// Removes the work from the scope, which then neither cancels it nor waits for it.
    ///
    /// If the scope is being cancelled at the same time, the work either is cancelled when this returns, or isn't
    /// cancelled by the scope at all. Only a cancellation that is queued behind a `perform` block of the work may come
    /// later, in its turn. This can be called from any thread, any number of times, and never blocks. O(1).
    public func leave() {
      member.process { $0.ignore(link) }
      activity.future.process { $0.detach(link) }
      // The member may live longer than many scopes (law L7).
      _ = member.unregister(.node(node))
      activity.end()
    }
  }

  /// Adds work of any kind, which is cancelled with the scope, and waited for.
  ///
  /// Pending work that is added to a cancelled scope is cancelled at once, for the same reason. Work leaves the scope
  /// when it is over: decided, its handlers returned, its activities ended; or when it is released undecided. The scope
  /// doesn't keep its work. Work that is added twice is in the scope twice. Adding the scope itself, or
  /// ``CancelToken/never``, has no effect.
  ///
  /// An added scope is like any other work: it leaves when it is cancelled and over. For a nested scope
  /// that isn't waited for when nothing is open in it, use ``init(in:limit:label:fileID:line:)``. Scopes that are added
  /// to each other, in a cycle, wait for each other, and are never over until one leaves; a ``DrainError`` names all of
  /// them.
  ///
  /// It can be called from any thread and never blocks. O(1).
  ///
  /// - Parameter work: A future, a token, an operation, a transfer, a type of your own.
  /// - Returns: The membership, to remove the work; nil if it wasn't added.
  @discardableResult
  public func add(_ work: some CancellableWork) -> Membership? {
    let member = work.cancelToken.future
    guard member !== future, !member.isUnresolvable else { return nil }
    let activity = Activity(future, label: "", OpenWork.Entry(member, of: future))
    // Released with the node when its wait is over or the member is released: that ends it at the latest.
    let node = HandlerNode(role: .awaitsEnd) { _ in activity.end() }
    member.awaitEnd(node)
    let link = Link(.cascade, from: future, to: member, keeping: .source)
    future.connect(link, to: member)
    return Membership(link: link, member: member, node: node, activity: activity)
  }

  /// Adds a task, which is cancelled with the scope, and waited for until it has returned.
  ///
  /// In a cancelled scope it is cancelled at once.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - name: The name of the task, for descriptions and errors.
  /// - Returns: The membership, to remove the task.
  @discardableResult
  public func add<Success, Failure>(
    _ task: Task<Success, Failure>,
    name: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Membership? {
    let member = Future(label: name, fileID: fileID, line: line)
    member.keepOpen()
    member.onCancel(on: .inline) { task.cancel() }
    Task(executorPreference: member.taskExecutor) {
      _ = await task.result
      member.complete()
      member.letGo()
    }
    return add(member)
  }

  /// Starts a task in the scope, which is cancelled with the scope, and waited for until it has returned.
  ///
  /// In a cancelled scope it isn't started, and the future is cancelled. An error thrown by the task is the failure of
  /// the future and doesn't affect the rest of the scope; it is reported to ``Future/observer``. In a scope with a
  /// limit the work waits for its place.
  ///
  /// - Parameters:
  ///   - name: The name of the task, for descriptions and errors.
  ///   - priority: The priority of the task; nil for the caller's.
  ///   - work: The work of the task.
  /// - Returns: The future of the task's value; see ``ValueFuture/task(priority:label:onUndelivered:fileID:line:_:)``.
  @discardableResult
  public func addTask<Value: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Value
  ) -> ValueFuture<Value> {
    ValueFuture(
      startMember(name, CreationSite(fileID, line), priority) { _ in await .catching(onUndelivered: nil, work) }
    )
  }

  /// Starts work that isn't a task; it is cancelled with the scope, and waited for until it has ended.
  ///
  /// For a scope with a limit: the work begins when it has its place, in the order of the calls, and keeps the place
  /// until it has ended, also if it was cancelled. If it is cancelled before, the closure is never called.
  ///
  /// ```swift
  /// let downloads = Scope(limit: 4, label: "downloads")
  /// for url in urls { downloads.start { session.downloadFuture(from: url, to: file(for: url)) } }
  /// ```
  ///
  /// - Parameters:
  ///   - name: A name for descriptions and errors.
  ///   - work: Starts the work and returns its future, not a derived one, which would end earlier; called at most once,
  ///     in a task, which should not be blocked. An error that it throws is a failure, or a cancellation if it is
  ///     `CancellationError`.
  /// - Returns: A future with the outcome of the work, to derive others from; cancelling it cancels the work. A value
  ///   that has an `onUndelivered` is passed on.
  @discardableResult
  public func start<Value: Sendable>(
    name: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () throws -> ValueFuture<Value>
  ) -> ValueFuture<Value> {
    ValueFuture(startMember(name, CreationSite(fileID, line), nil) { await $0.follow(work) })
  }

  /// Adds a member whose task runs the work, as soon as there is a place for it.
  private func startMember(
    _ name: String?,
    _ site: CreationSite,
    _ priority: TaskPriority?,
    _ work: @escaping @Sendable (Future) async -> Resolution?
  ) -> Future {
    if let places {
      let member = PlacedFuture(label: name, site: site)
      add(member)
      member.startTask(in: places, priority) { await RunningWork.run(for: member) { await work(member) } }
      return member
    }
    let member = Future(label: name, site: site)
    add(member)
    member.startTask(priority) { await RunningWork.run(for: member) { await work(member) } }
    return member
  }
}
