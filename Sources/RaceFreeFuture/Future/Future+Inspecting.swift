// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Inspect

extension Future {
  /// A future as the running `perform` block sees it: it stands still, unless the block itself decides.
  ///
  /// It lives only inside the block, on the private queue.
  public struct State: ~Copyable {
    private let future: Future

    fileprivate init(_ future: Future) {
      self.future = future
    }

    /// Whether the future is undecided.
    ///
    /// True stays true until the block ends or decides.
    public var isPending: Bool { future.isPending }
    /// Whether the future was completed.
    public var isCompleted: Bool { future.isCompleted }
    /// Whether the future was cancelled.
    public var isCancelled: Bool { future.isCancelled }
    /// Why the future was cancelled; nil unless it was.
    public var cancellationReason: (any Error)? { future.cancellationReason }

    /// Completes the future, if it is pending.
    ///
    /// Takes effect at once; the handlers start when the block has returned.
    public mutating func complete() {
      future.decideInside(.completed)
    }

    /// Cancels the future, if it is pending.
    ///
    /// Takes effect at once; the handlers start when the block has returned.
    ///
    /// - Parameter reason: Why; see ``Future/cancel(throwing:)``.
    public mutating func cancel(throwing reason: any Error = CancellationError()) {
      future.decideInside(.cancelled(reason))
    }
  }

  /// Runs a block in its turn, during which nobody else completes or cancels the future.
  ///
  /// A future that is pending when the block starts stays pending until it ends, unless the block decides: `if
  /// state.isPending { save(); state.complete() }`. No handler of this future starts meanwhile. The block runs on the
  /// private queue, behind the blocks, decisions and handlers that are in line there. Callable from any thread; returns
  /// at once. To wait for the block, use ``withTurn(_:)`` in a task and ``performAndWait(_:)`` elsewhere.
  ///
  /// - Parameter body: Runs exactly once, whatever the future's state is.
  public func perform(_ body: @escaping @Sendable (inout State) -> Void) {
    let block = PerformBlock(of: self, body)
    if isUnresolvable { return Conducting.runElsewhere { block.run() } }
    enqueue(block)
  }

  private func enqueue(_ block: PerformBlock) {
    if process({ $0.performBegan() }) {
      // Handlers that were added before are on their way to the queue: it must not overtake them.
      _ = register(HandlerNode(nil, .serialQueue, role: .library, .plain { block.run() }))
    } else {
      enqueue(.perform) { block.run() }
    }
  }

  /// Runs a block in its turn, as ``perform(_:)`` does, and suspends the calling task until it has returned.
  ///
  /// The block runs on the private queue, not in the task: it is a synchronous function. It runs exactly once, also if
  /// the task has been cancelled.
  ///
  /// - Parameter body: Runs exactly once, whatever the future's state is.
  /// - Returns: What the block returned.
  /// - Throws: What the block threw.
  public func withTurn<T: Sendable, E: Error>(
    _ body: @escaping @Sendable (inout State) throws(E) -> T
  ) async throws(E) -> T {
    let wait = beginWait()
    defer { endWait(wait) }
    let result: Result<T, E> = await withCheckedContinuation { continuation in
      let block = PerformBlock(of: self)
      block.body = { [unowned block] state in
        let result = catching(body, &state)
        block.resume = { continuation.resume(returning: result) }
      }
      if isUnresolvable { Conducting.runElsewhere { block.run() } } else { enqueue(block) }
    }
    return try result.get()
  }

  /// Runs a block in its turn, as `perform` does, and blocks the calling thread until it has returned.
  ///
  /// The block runs on the private queue, in general by the calling thread itself. Called from inside a block or
  /// handler on this future's private queue it runs in place. It waits for the blocks and handlers that are in line
  /// before it: don't call it while holding what one of them needs, nor from a task's cancellation handler. Like
  /// `DispatchQueue.sync` and `Mutex.withLock` it may be called in asynchronous functions, as what it waits for are
  /// blocks that are running or ready to run, and no event; where they may be long use ``withTurn(_:)``.
  ///
  /// - Parameter body: Runs exactly once, whatever the future's state is.
  /// - Returns: What the block returned.
  /// - Throws: What the block threw.
  @inlinable
  public func performAndWait<T, E: Error>(_ body: (inout State) throws(E) -> T) throws(E) -> T {
    var result: Result<T, E>?
    runInTurn { state in result = catching(body, &state) }
    guard let result else { preconditionFailure("the block has not run") }
    return try result.get()
  }

  /// The part of `performAndWait` that doesn't depend on the types of the block.
  ///
  /// The rest is inlined where it is called: as a generic function of another module it would make types at run time.
  @usableFromInline
  func runInTurn(_ body: (inout State) -> Void) {
    if holdsTurn || isUnresolvable {
      var state = State(self)
      return body(&state)
    }
    process { _ = $0.performBegan() }
    enqueueAndWait {
      run(body)
      endPerform()
    }
  }

  fileprivate func run(_ body: (inout State) -> Void) {
    var state = State(self)
    if Observation.isOn { Observation.timing(self) { body(&state) } } else { body(&state) }
  }
}

/// A `perform` block on its way to its turn.
///
/// `@unchecked Sendable`: `body` is written before the object is given to the queue, and taken by the one thread that
/// runs it there.
private final class PerformBlock: @unchecked Sendable {
  private let future: Future
  var body: (@Sendable (inout Future.State) -> Void)?
  /// Goes on with the task that waits for the block; set by the body.
  var resume: (@Sendable () -> Void)?

  init(of future: Future, _ body: (@Sendable (inout Future.State) -> Void)? = nil) {
    self.future = future
    self.body = body
  }

  func run() {
    // Released before the block counts as ended: what a deinit decides then is decided inside of it, and comes out with
    // the rest (invariant M3).
    if let body = body.take() { future.run(body) }
    // A task isn't resumed on the queue (law L6).
    let resume: (() -> Void)? = resume.take().map { resume in { Hop.perform(resume) } }
    if future.isUnresolvable { resume?() } else { future.endPerform(resume: resume) }
  }
}

@inlinable
func catching<T, E: Error>(
  _ body: (inout Future.State) throws(E) -> T,
  _ state: inout Future.State
) -> Result<T, E> {
  do {
    return .success(try body(&state))
  } catch {
    return .failure(error)
  }
}

// MARK: - Act unless cancelled

extension Future {
  /// Runs a block in its turn if the future has not been cancelled by then; nobody can cancel it while the block runs.
  ///
  /// `perform { state in if !state.isCancelled { body() } }`. It runs also if the future was completed. Callable from
  /// any thread; returns at once. A block stands in line, and a cancellation behind it: of several that were queued at
  /// once, the later ones run although an earlier one cancels. Where that matters queue the next one from inside the
  /// last, or use ``unlessCancelledAndWait(_:)``.
  ///
  /// - Parameter body: Runs at most once, on the private queue.
  public func unlessCancelled(_ body: @escaping @Sendable () -> Void) {
    perform { (state: inout State) in
      if !state.isCancelled { body() }
    }
  }

  /// Runs a block as ``unlessCancelled(_:)`` does, and suspends the calling task until it has returned.
  ///
  /// - Parameter body: Runs at most once, on the private queue, as a synchronous function.
  /// - Returns: What the block returned; nil if the future had been cancelled and the block did not run.
  /// - Throws: What the block threw.
  public func withTurnUnlessCancelled<T: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> T
  ) async throws(E) -> T? {
    try await withTurn { (state: inout State) throws(E) -> T? in
      state.isCancelled ? nil : try body()
    }
  }

  /// Runs a block as `unlessCancelled` does, and blocks the calling thread until it has returned.
  ///
  /// For what it waits, see ``performAndWait(_:)``.
  ///
  /// - Parameter body: Runs at most once, on the private queue, in general by the calling thread itself.
  /// - Returns: What the block returned; nil if the future had been cancelled and the block did not run.
  /// - Throws: What the block threw.
  @inlinable
  public func unlessCancelledAndWait<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T? {
    try performAndWait { (state: inout State) throws(E) -> T? in
      state.isCancelled ? nil : try body()
    }
  }
}

// MARK: - Poll

extension Future {
  /// Whether the future is undecided.
  ///
  /// One atomic load.
  ///
  /// False never changes again; true may be out of date when you read it. To check and then act, use
  /// ``perform(_:)``.
  public var isPending: Bool { decidedOutcome == nil }

  /// Whether the future was completed.
  ///
  /// One atomic load.
  ///
  /// Once the future is resolved this never changes again; while it is pending the answer may be out of date when you
  /// read it.
  public var isCompleted: Bool { decidedOutcome == .completed }

  /// Whether the future was cancelled.
  ///
  /// One atomic load.
  ///
  /// Once the future is resolved this never changes again; while it is pending the answer may be out of date when you
  /// read it. To check and then act, use ``unlessCancelled(_:)``.
  public var isCancelled: Bool { decidedOutcome == .cancelled }

  /// Why the future was cancelled: what the deciding call gave; nil unless it was cancelled.
  ///
  /// A ``TimeoutError`` or ``AbandonedError`` that came through links carries its path. Callable from any thread; never
  /// blocks.
  public var cancellationReason: (any Error)? { resolution?.reason }

  /// Throws the reason if the future was cancelled.
  ///
  /// One atomic load as long as it wasn't: meant for the inside of loops. Like `Task.checkCancellation()`.
  ///
  /// - Throws: ``cancellationReason``.
  public func checkCancellation() throws {
    if isCancelled, let cancellationReason { throw cancellationReason }
  }
}
