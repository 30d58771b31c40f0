// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Start work

extension ValueFuture {
  /// Creates a future whose value is computed at once, on a global queue.
  ///
  /// Cancelled before it starts, the work never runs. Cancelled while it runs, the work goes on unless it asks its
  /// token; its value is then too late. The semantics are those of the background futures of MAFuture.
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
  ///     ``init(label:qos:target:onUndelivered:fileID:line:)``.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  ///   - work: Runs at most once, on a thread of the global queue, and should not block it for long: few threads serve
  ///     the whole program. It gets the token of this future, to poll or to hook something up with. Throwing makes the
  ///     result a failure, or a cancellation if it is `CancellationError`.
  /// - Returns: The future. It is kept by its work: dropping it changes nothing.
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

  /// Creates a future whose value is computed when somebody first asks for it.
  ///
  /// The work runs once however many ask at the same time: on the thread that calls ``wait()``, or on a global queue if
  /// it was asked for by ``value``, ``onResult(on:_:)-(_,(Result<Value,Error>)->Void)``,
  /// ``map(on:label:onUndelivered:fileID:line:_:)`` or whatever else needs the value. It never runs if nobody asks, or if
  /// the future is cancelled before. Lazy futures that need themselves, directly or in a circle, stop the program with a
  /// message that names them; see <doc:BackgroundAndLazy>. The semantics are those of the lazy futures of MAFuture.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Receives a value that is never delivered; see
  ///     ``init(label:qos:target:onUndelivered:fileID:line:)``.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  ///   - work: Runs at most once. It gets the token of this future. Throwing makes the result a failure, or a
  ///     cancellation if it is `CancellationError`.
  /// - Returns: The future. Dropped before anybody has asked, it releases the work.
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
  /// Cancelling the future cancels the task. The future doesn't wait for the task then: it is cancelled at once, and a
  /// value that the task brings all the same is too late. ``CancellableWork/handlersFinished`` and
  /// ``CancellableWork/drain()`` wait until the task has returned. What the task throws makes the result a failure, or a
  /// cancellation if it is `CancellationError`.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil: that of the caller.
  ///   - label: A name for descriptions and errors.
  ///   - onUndelivered: Receives a value that is never delivered; see
  ///     ``init(label:qos:target:onUndelivered:fileID:line:)``.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  ///   - work: Runs in the task.
  /// - Returns: The future. It is kept by its task: dropping it changes nothing.
  public static func task(
    priority: TaskPriority? = nil,
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Value
  ) -> ValueFuture {
    let future = Future(label: label, fileID: fileID, line: line)
    future.startTask(priority, onUndelivered, work)
    return ValueFuture(future, onUndelivered: onUndelivered)
  }

  /// Creates a future that has its value already.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
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

  /// Creates a future that has failed already.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
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
  /// Starts the task that decides this future, unless it is cancelled.
  func startTask<Value: Sendable>(
    _ priority: TaskPriority?,
    _ onUndelivered: (@Sendable (Value) -> Void)?,
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    // Until the task has returned; before the question whether it may start, as in `Job`. (L12)
    keepOpen()
    var isStarted = false
    attach {
      isStarted = true
      return Task(executorPreference: taskExecutor, priority: priority) { [self] in
        let resolution = await Resolution.catching(onUndelivered: onUndelivered, work)
        decide(resolution)
        letGo()
      }
    } stop: { task in
      task.cancel()
    }
    if !isStarted { letGo() }
  }
}
