// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Act while nothing changes

extension Future {
  /// The state of a future inside a running `perform` block: it doesn't change unless the block itself decides.
  ///
  /// It exists only inside the block, on the private queue.
  public struct State: ~Copyable {
    private let future: Future

    fileprivate init(_ future: Future) {
      self.future = future
    }

    /// A Boolean value that indicates whether the future is undecided.
    ///
    /// True doesn't change until the block ends or decides.
    public var isPending: Bool { future.isPending }
    /// A Boolean value that indicates whether the future was completed.
    public var isCompleted: Bool { future.isCompleted }
    /// A Boolean value that indicates whether the future was cancelled.
    public var isCancelled: Bool { future.isCancelled }
    /// The reason of the cancellation; nil unless the future was cancelled.
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
    /// - Parameters:
    ///   - reason: The reason; see ``CancellableWork/cancel(throwing:fileID:line:)``.
    ///   - fileID: The file of the call; keep the default.
    ///   - line: The line of the call; keep the default.
    public mutating func cancel(
      throwing reason: any Error = CancellationError(),
      fileID: StaticString = #fileID,
      line: UInt = #line
    ) {
      future.decideInside(.cancelled(reason, at: CancellationSites.site(fileID, line)))
    }
  }

  /// Runs a block in its turn, during which only the block itself can resolve the future.
  ///
  /// Like ``CancellableWork/perform(_:)``, with a state that can also complete: `if state.isPending { save();
  /// state.complete() }`.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  public func perform(_ body: @escaping @Sendable (inout State) -> Void) {
    let block = PerformBlock(of: self, body)
    if isUnresolvable { return Scheduling.runElsewhere { block.run() } }
    enqueue(block)
  }

  private func enqueue(_ block: PerformBlock) {
    if process({ $0.performBegan() }) {
      // Handlers that were added earlier are on their way to the queue: the block must not overtake them.
      _ = register(HandlerNode(nil, .serialQueue, role: .library, .plain { block.run() }))
    } else {
      enqueue(.perform) { block.run() }
    }
  }

  /// Runs a block in its turn, as ``perform(_:)`` does, and suspends the calling task until it returns.
  ///
  /// Like ``CancellableWork/withTurn(_:)``, with a state that can also complete.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  /// - Returns: The value returned by the block.
  /// - Throws: The error thrown by the block.
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
      if isUnresolvable { Scheduling.runElsewhere { block.run() } } else { enqueue(block) }
    }
    return try result.get()
  }

  /// Runs a block in its turn, as `perform` does, and blocks the calling thread until it returns.
  ///
  /// Like ``CancellableWork/performAndWait(_:)``, with a state that can also complete. While another thread is still
  /// dispatching the handlers of the outcome, the block may run before a handler that was registered earlier and isn't
  /// dispatched yet.
  ///
  /// - Parameter body: The block. It runs exactly once, whatever the state of the future.
  /// - Returns: The value returned by the block.
  /// - Throws: The error thrown by the block.
  @inlinable
  public func performAndWait<T, E: Error>(_ body: (inout State) throws(E) -> T) throws(E) -> T {
    var result: Result<T, E>?
    runInTurn { state in result = catching(body, &state) }
    guard let result else { preconditionFailure("the block has not run") }
    return try result.get()
  }

  /// The part of `performAndWait` that doesn't depend on the types of the block.
  ///
  /// The rest is inlined at the call: as a generic function of another module it would create types at run time.
  @usableFromInline
  func runInTurn(_ body: (inout State) -> Void) {
    if holdsTurn || isUnresolvable {
      var state = State(self)
      return body(&state)
    }
    process { _ = $0.performBegan() }
    // A queue that is bound to a thread, as the main queue is, runs the block there.
    let context = Context.captured()
    enqueueAndWait {
      Context.run(in: context) { run(body) }
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
  /// The context it runs in.
  private let context = Context.captured()
  /// Resumes the task that waits for the block; set by the body.
  var resume: (@Sendable () -> Void)?

  init(of future: Future, _ body: (@Sendable (inout Future.State) -> Void)? = nil) {
    self.future = future
    self.body = body
  }

  func run() {
    // Released before the block counts as ended: decisions that a deinit makes then are made inside of it, and take
    // effect with the rest (invariant M3).
    if let body = body.take() { Context.run(in: context) { future.run(body) } }
    let resume = resume.take()
    if !future.isUnresolvable { return future.endPerform(resume: resume) }
    if let resume { Resumption.perform(resume) }
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
