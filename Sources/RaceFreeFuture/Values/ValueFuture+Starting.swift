// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Start work

extension ValueFuture {
  /// Creates a future whose value is computed at once, on a global queue.
  ///
  /// Work that is cancelled before it starts never runs. Work that is cancelled while it runs continues unless it
  /// checks its token; its value is then too late. The semantics are those of the background futures of MAFuture.
  ///
  /// ```swift
  /// let sum = ValueFuture.background { token in
  ///   var sum = 0
  ///   for number in 1...1_000_000 {
  ///     try token.checkCancellation()
  ///     sum += number
  ///   }
  ///   return sum
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - qos: The quality of service of the global queue.
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Receives a value that is never delivered; see
  ///     ``init(linkedTo:label:target:onUndelivered:fileID:line:)``.
  ///   - work: The work. It runs at most once, on a thread of the global queue, and should not block it for long: few
  ///     threads serve the whole program. Its argument is the token of this future, to poll or to register handlers
  ///     with. Throwing makes the result a failure, or a cancellation if it is `CancellationError`.
  /// - Returns: The future. Its work keeps it: releasing it has no effect.
  public static func background(
    qos: DispatchQoS.QoSClass = .default,
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable (CancelToken) throws -> Value
  ) -> ValueFuture {
    let future = Future(label: label, fileID: fileID, line: line)
    let job = job(of: future, onUndelivered, work)
    job.start(for: future, qos: qos)
    return ValueFuture(future, onUndelivered: onUndelivered)
  }

  /// Creates a future whose value is computed when it is first requested.
  ///
  /// The work runs once, however many requests there are at the same time: on the thread that calls ``wait()``, or on a
  /// global queue if the value was requested by ``value``, ``onResult(on:_:)-(_,(Result<Value,Error>)->Void)``,
  /// ``map(on:label:onUndelivered:fileID:line:_:)`` or any other use of the value. The work never runs if the value is
  /// never requested, or if the future is cancelled first. Lazy futures that need themselves, directly or in a cycle
  /// that one thread enters, stop the program with a message that names them; see <doc:BackgroundAndLazy>. The
  /// semantics are those of the lazy futures of MAFuture.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Receives a value that is never delivered; see
  ///     ``init(linkedTo:label:target:onUndelivered:fileID:line:)``.
  ///   - work: The work. It runs at most once. Its argument is the token of this future. Throwing makes the result a
  ///     failure, or a cancellation if it is `CancellationError`.
  /// - Returns: The future. If it is released before the value is requested, it releases the work.
  public static func lazy(
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable (CancelToken) throws -> Value
  ) -> ValueFuture {
    let future = Future(label: label, fileID: fileID, line: line)
    return ValueFuture(future, onUndelivered: onUndelivered, lazyWork: job(of: future, onUndelivered, work))
  }

  private static func job(
    of future: Future,
    _ onUndelivered: (@Sendable (Value) -> Void)?,
    _ work: @escaping @Sendable (CancelToken) throws -> Value
  ) -> Job {
    let job = Job { token in .catching(onUndelivered: onUndelivered) { try work(token) } }
    job.drop(atOutcomeOf: future)
    return job
  }

  /// Creates a future whose value is computed by a task of its own.
  ///
  /// Cancelling the future cancels the task, and work that hasn't begun by then never does. The future doesn't wait for
  /// the task: it is cancelled at once, and a value that the task still returns is too late.
  /// ``CancellableWork/handlersFinished`` and ``CancellableWork/drain()`` wait until the task has returned. An error
  /// thrown by the task makes the result a failure, or a cancellation if it is `CancellationError`.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil for the caller's.
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Receives a value that is never delivered; see
  ///     ``init(linkedTo:label:target:onUndelivered:fileID:line:)``.
  ///   - work: The work of the task.
  /// - Returns: The future. Its task keeps it: releasing it has no effect.
  public static func task(
    priority: TaskPriority? = nil,
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Value
  ) -> ValueFuture {
    let future = Future(label: label, fileID: fileID, line: line)
    future.startTask(priority) { await .catching(onUndelivered: onUndelivered, work) }
    return ValueFuture(future, onUndelivered: onUndelivered)
  }

  /// Creates a future that already has its value.
  ///
  /// - Parameter value: The value.
  /// - Returns: The completed future.
  public static func completed(
    with value: Value,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture {
    let future = ValueFuture(fileID: fileID, line: line)
    future.complete(with: value)
    return future
  }

  /// Creates a future that has already failed.
  ///
  /// - Parameter error: The error.
  /// - Returns: The completed future.
  public static func completed(
    throwing error: any Error,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture {
    let future = ValueFuture(fileID: fileID, line: line)
    future.complete(throwing: error)
    return future
  }
}

extension Future {
  /// Starts the task that decides this future, unless it is cancelled or the work leaves that to others.
  func startTask(_ priority: TaskPriority?, _ work: @escaping @Sendable () async -> Resolution?) {
    // Until the task has returned; before the check whether it may start, as in `Job`. (L12)
    keepOpen()
    var isStarted = false
    attach {
      isStarted = true
      return Task(executorPreference: taskExecutor, priority: priority) { [self] in
        // The task may start long after the call: what is cancelled before it begins doesn't begin.
        if isPending, let resolution = await work() { decide(resolution) }
        letGo()
      }
    } stop: { task in
      task.cancel()
    }
    if !isStarted { letGo() }
  }
}
