// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture

// OperationQueue is the scheduler: everything here becomes an operation in a queue, with dependencies.

extension OperationQueue {
  /// Creates a queue of a given width.
  ///
  /// - Parameter width: The maximum number of operations that run at the same time: `maxConcurrentOperationCount`.
  public convenience init(maxConcurrentOperationCount width: Int) {
    self.init()
    maxConcurrentOperationCount = width
  }

  /// Adds an operation.
  ///
  /// Callable from any thread; never blocks. An operation may be added once; `Operation` stops the program the second
  /// time.
  ///
  /// - Parameters:
  ///   - operation: The operation; the queue keeps it until it is finished.
  ///   - predecessors: The operations that have to end before it starts, with any outcome: they become its
  ///     dependencies. They may be in other queues.
  /// - Returns: The operation's token. Cancelling it cancels the operation.
  @discardableResult
  public func add(_ operation: AsynchronousOperation, after predecessors: Operation...) -> CancelToken {
    for predecessor in predecessors { operation.addDependency(predecessor) }
    addOperation(operation)
    return operation.cancelToken
  }

  /// Adds work that makes a value.
  ///
  /// Cancelling the future cancels the operation: before its start the closure never runs, later it can query its
  /// token. ``cancelAll(throwing:fileID:line:)`` cancels the future. The slot in the queue is released when the closure
  /// has returned. Callable from any thread; never blocks.
  ///
  /// ```swift
  /// let first = queue.add { _ in try load("a") }
  /// let second = queue.add(after: first) { _ in try load("b") }  // whatever became of the first
  /// ```
  ///
  /// - Parameters:
  ///   - predecessors: The futures, tokens and operations that have to be resolved or released before it starts, with
  ///     any outcome. It doesn't wait for `CancelToken.never`.
  ///   - label: A name for descriptions and errors; without one the future is called by the place where it is made.
  ///   - work: Runs at most once, on a thread of the queue. Throwing makes the result a failure, or a cancellation if it
  ///     is `CancellationError`.
  /// - Returns: The future of the value. Dropping it changes nothing.
  public func add<Value: Sendable>(
    after predecessors: any CancellableWork...,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable (CancelToken) throws -> Value
  ) -> ValueFuture<Value> {
    enqueue(FutureOperation(label: label, fileID: fileID, line: line, work), after: predecessors)
  }

  /// Adds work that makes a value and doesn't check for cancellation.
  ///
  /// Like the form whose closure gets a token.
  ///
  /// - Parameters:
  ///   - predecessors: The futures, tokens and operations that have to be resolved or released before it starts, with
  ///     any outcome. It doesn't wait for `CancelToken.never`.
  ///   - label: A name for descriptions and errors; without one the future is called by the place where it is made.
  ///   - work: Runs at most once, on a thread of the queue.
  /// - Returns: The future of the value. Dropping it changes nothing.
  public func add<Value: Sendable>(
    after predecessors: any CancellableWork...,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () throws -> Value
  ) -> ValueFuture<Value> {
    enqueue(FutureOperation(label: label, fileID: fileID, line: line) { _ in try work() }, after: predecessors)
  }

  /// Adds work that needs the value of other work, and runs only if there is one.
  ///
  /// If the other work fails or is cancelled, so is the new future, for the same reason, and the closure never runs.
  /// Cancelling the new future cancels the other one as well, if it is pending. The operation is added when the value
  /// is available, and is queued from then on.
  ///
  /// - Parameters:
  ///   - previous: The future of the value, from this queue or from anywhere.
  ///   - label: A name of the new future and of its operation, for descriptions and errors; without one both are named
  ///     after the place where they are made.
  ///   - work: Gets the value, and the token of its operation.
  /// - Returns: The future of the new value. Dropping it changes nothing.
  public func add<Previous: Sendable, Value: Sendable>(
    with previous: ValueFuture<Previous>,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable (Previous, CancelToken) throws -> Value
  ) -> ValueFuture<Value> {
    previous.flatMap(label: label, fileID: fileID, line: line) { value in
      self.add(label: label, fileID: fileID, line: line) { token in try work(value, token) }
    }
  }

  /// Adds work that runs in a task of its own.
  ///
  /// It occupies a slot in the queue until the task has ended. Cancelling the future cancels the task.
  ///
  /// - Parameters:
  ///   - predecessors: The futures, tokens and operations that have to be resolved or released before it starts, with
  ///     any outcome. It doesn't wait for `CancelToken.never`.
  ///   - name: The name of the task, for descriptions and errors; without one the future is called by the place where it is made.
  ///   - priority: The priority of the task.
  ///   - work: Runs at most once.
  /// - Returns: The future of the value. Dropping it changes nothing.
  public func addTask<Value: Sendable>(
    after predecessors: any CancellableWork...,
    name: String? = nil,
    priority: TaskPriority? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Value
  ) -> ValueFuture<Value> {
    enqueue(.task(label: name, priority: priority, fileID: fileID, line: line, work), after: predecessors)
  }

  private func enqueue<Value>(
    _ operation: FutureOperation<Value>,
    after predecessors: [any CancellableWork]
  ) -> ValueFuture<Value> {
    for predecessor in predecessors where predecessor.isPending { operation.addDependency(on: predecessor) }
    addOperation(operation)
    return operation.valueFuture
  }
}

extension AsynchronousOperation {
  /// Makes this operation wait until a future is resolved or dropped.
  fileprivate func addDependency(on work: some CancellableWork) {
    let milestone = Milestone()
    addDependency(milestone.operation)
    // It is owned by the other future alone. So the milestone is released when that is resolved, or dropped because
    // nothing will ever come, or when no operation waits for it any more: the other future may live long.
    let reached = Future.all([work])
    reached.onCleanUp(on: .inline) { withExtendedLifetime(milestone) {} }
    onCleanUp(on: .inline) { [weak reached] in reached?.cancel() }
  }
}

/// Finishes an operation that is in no queue when its last reference is released: so a future can be a dependency.
private final class Milestone: Sendable {
  /// Does nothing when it is started.
  let operation = AsynchronousOperation(label: "milestone")

  deinit { operation.start() }
}
