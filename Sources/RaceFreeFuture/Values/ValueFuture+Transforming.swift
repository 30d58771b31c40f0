// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Transform

// In all of these a value that has an `onUndelivered` is received or given back, also if the new future is cancelled at
// the same moment: whoever loses the decision releases what it had in its hands, and so does a future that nobody asks.

extension ValueFuture {
  /// Creates a future whose value is computed from this one's.
  ///
  /// A failure or cancellation of this future is passed on. Cancelling the new future cancels this one as well. This
  /// one keeps the new one alive while it is pending, not the other way round. It starts a lazy future.
  ///
  /// Values that have an `onUndelivered`: this one's is received when `transform` gets it; if the new future is
  /// cancelled before, it is given back. What `transform` makes of it is lost if the new future is cancelled while
  /// `transform` runs, or if nobody ever asks for it, unless you give an `onUndelivered` for it.
  ///
  /// - Parameters:
  ///   - context: The context in which `transform` runs; by default inline: on the thread that completes this future
  ///     or, if it is completed already, on the calling thread before this returns. Of closures that run inside each
  ///     other on one thread, over a dozen deep, the innermost doesn't run before this returns but when the outermost
  ///     has returned, on that thread, or when the thread blocks in a call of this library; until then the new future
  ///     is pending. So a closure that chooses the next step, and so on, needs no more stack for 100,000 steps than for
  ///     some.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  ///   - onUndelivered: Gets a value that `transform` made and that nobody will receive; see
  ///     ``init(label:qos:target:onUndelivered:fileID:line:)``.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  ///   - transform: Runs at most once, and is released at the outcome. Throwing makes the result a failure, or a
  ///     cancellation if it is `CancellationError`. Waiting for the new future in it stops the program.
  /// - Returns: The new future.
  public func map<New: Sendable>(
    on context: some HandlerContext = .inline,
    label: String? = nil,
    onUndelivered: (@Sendable (New) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ transform: @escaping @Sendable (Value) throws -> New
  ) -> ValueFuture<New> {
    let target = Future(label: label, fileID: fileID, line: line)
    derive(target, on: context.handlerPlace) { resolution, _ in
      // Passed on as it is: what the source failed with says nothing about a cancellation of the new one.
      if let error = resolution.failure { return .failed(error) }
      return .catching(onUndelivered: onUndelivered) { try transform(try resolution.get(Value.self)) }
    }
    return ValueFuture<New>(target, onUndelivered: onUndelivered)
  }

  /// Creates a future that gets the outcome of another one, which is chosen by this one's value.
  ///
  /// Cancelling the new future cancels this one or, once that is completed, the one that `transform` returned; a
  /// cancellation of either cancels the new one. It starts lazy futures.
  ///
  /// Values that have an `onUndelivered`: this one's is received when `transform` gets it; if the new future is
  /// cancelled before, it is given back. The one that the returned future brings is passed on: it is received when it
  /// is received from the new future, and given back if it never is. So this is the way to make something that must be
  /// given back of something else that must be.
  ///
  /// - Parameters:
  ///   - context: The context in which `transform` runs; see ``map(on:label:onUndelivered:fileID:line:_:)``.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  ///   - transform: Runs at most once. For the rest see ``map(on:label:onUndelivered:fileID:line:_:)``. Returning the
  ///     new future, or something that isn't resolved before it, stops the program: it would wait for itself.
  /// - Returns: The new future.
  public func flatMap<New: Sendable>(
    on context: some HandlerContext = .inline,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ transform: @escaping @Sendable (Value) throws -> ValueFuture<New>
  ) -> ValueFuture<New> {
    let target = Future(label: label, fileID: fileID, line: line)
    derive(target, on: context.handlerPlace) { resolution, target in
      if let error = resolution.failure { return .failed(error) }
      return Self.pass(to: target) { try transform(try resolution.get(Value.self)) }
    }
    return ValueFuture<New>(target)
  }

  /// Creates a future that turns an error of this one into a value.
  ///
  /// A value is passed on, and so is a cancellation: it isn't an error. Cancelling the new future cancels this one as
  /// well. It starts a lazy future.
  ///
  /// Values that have an `onUndelivered`: one that is passed on is received when it is received from the new future,
  /// and given back if it never is. For one that `transform` makes give an `onUndelivered` here.
  ///
  /// - Parameters:
  ///   - context: The context in which `transform` runs; see ``map(on:label:onUndelivered:fileID:line:_:)``.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  ///   - onUndelivered: Gets a value that `transform` made and that nobody will receive.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  ///   - transform: Gets the error. Throwing makes the result a failure with what was thrown, or a cancellation if it
  ///     is `CancellationError`.
  /// - Returns: The new future.
  public func recover(
    on context: some HandlerContext = .inline,
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ transform: @escaping @Sendable (any Error) throws -> Value
  ) -> ValueFuture {
    let target = Future(label: label, fileID: fileID, line: line)
    derive(target, on: context.handlerPlace) { resolution, _ in
      guard let error = resolution.failure else { return resolution }
      return .catching(onUndelivered: onUndelivered) { try transform(error) }
    }
    return ValueFuture(target, onUndelivered: onUndelivered)
  }

  /// Creates a future that, if this one fails, gets the outcome of another one, which is chosen by the error: the place
  /// to try again.
  ///
  /// A value is passed on, and so is a cancellation. Cancelling the new future cancels whichever it waits for.
  ///
  /// Values that have an `onUndelivered`, of this future or of the returned one, are passed on: received by whoever
  /// receives them from the new future, and given back if nobody does.
  ///
  /// - Parameters:
  ///   - context: The context in which `transform` runs; see ``map(on:label:onUndelivered:fileID:line:_:)``.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  ///   - transform: Gets the error. For the rest see ``flatMap(on:label:fileID:line:_:)``.
  /// - Returns: The new future.
  public func flatMapError(
    on context: some HandlerContext = .inline,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ transform: @escaping @Sendable (any Error) throws -> ValueFuture
  ) -> ValueFuture {
    let target = Future(label: label, fileID: fileID, line: line)
    derive(target, on: context.handlerPlace) { resolution, target in
      guard let error = resolution.failure else { return resolution }
      return Self.pass(to: target) { try transform(error) }
    }
    return ValueFuture(target)
  }

  /// Creates a future with the outcome of this one, which is cancelled with ``TimeoutError`` if that doesn't come in
  /// time.
  ///
  /// The time-out cancels this one as well: if others wait for it, wait yourself with ``wait(timeout:)`` or
  /// ``value(within:)``, or let them share the work with ``SharedFuture``. It starts a lazy future, whose time begins
  /// before its work.
  ///
  /// A value that has an `onUndelivered` is passed on: received by whoever receives it from the new future, and given
  /// back if that was cancelled, or if nobody asks.
  ///
  /// - Parameters:
  ///   - interval: How long, measured as `DispatchTime` does. Zero or less: no time at all, so that both are cancelled
  ///     unless the outcome is there, and lazy work never starts.
  ///   - label: A name for descriptions and errors; without one the new future has that of this one, whose time it
  ///     limits, and if that has none it is called by the place where it is made.
  ///   - fileID: The file in which the future is created; keep the default.
  ///   - line: The line on which the future is created; keep the default.
  /// - Returns: The new future.
  public func timeout(
    after interval: Duration,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture {
    let target = Future(label: label ?? future.label, fileID: fileID, line: line)
    let timed = ValueFuture(target)
    // The limit comes first, so that no time at all is none; but it doesn't take away an outcome that is there.
    if isPending { timed.cancel(after: interval) }
    future.stage(to: target) { resolution, _ in resolution }?.run()
    if target.isPending { demand() }
    return timed
  }

  /// Lets the answer to an outcome of this future decide another one, and starts lazy work.
  private func derive(_ target: Future, on place: HandlerPlace, _ answer: @escaping Stage.Answer) {
    let kind: Stage.Kind = if case .inline = place.kind { .closure } else { .closureOnQueue }
    future.stage(to: target, on: place.kind, kind, answer)?.run()
    if target.isPending { demand() }
  }

  /// Lets the target have the outcome of the future that the closure returns: the answer of a stage.
  private static func pass<Other: Sendable>(
    to target: Future,
    _ body: () throws -> ValueFuture<Other>
  ) -> Resolution? {
    do {
      let inner = try body()
      if inner.future === target { fatalError("a closure of flatMap returned the future that flatMap made: \(target)") }
      // Not carried out here: in a chain of such stages each would do so inside the one before.
      let decision = inner.future.stage(to: target) { resolution, _ in resolution }
      if let decision { return decision.resolution }
      guard target.isPending else { return nil }
      WaitGraph.choiceMade(for: target)
      inner.demand()
      return nil
    } catch {
      return .thrown(error)
    }
  }
}
