// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

// MARK: - Transform

extension ValueFuture {
  /// Makes a future whose value is computed from this one's.
  ///
  /// A failure or cancellation of this future is passed on. Cancelling the new future cancels this one as well. This
  /// one keeps the new one alive while it is pending, not the other way round. It starts a lazy future.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs; by default inline: on the thread that completes this future or, if it is
  ///     completed already, on the calling thread before this returns.
  ///   - transform: Runs at most once, and is released at the outcome. Throwing makes the result a failure, or a
  ///     cancellation if it is `CancellationError`. Its value counts as received.
  /// - Returns: The new future.
  public func map<New: Sendable>(
    on context: HandlerContext = .inline,
    _ transform: @escaping @Sendable (Value) throws -> New
  ) -> ValueFuture<New> {
    derive(on: context) { resolution, _ in
      // Passed on as it is: what the source failed with says nothing about a cancellation of the new one.
      if let error = resolution.failure(of: Value.self) { return .failed(error) }
      return .catching { try transform(try resolution.get(Value.self)) }
    }
  }

  /// Makes a future that gets the outcome of another one, which is chosen by this one's value.
  ///
  /// Cancelling the new future cancels this one or, once that is completed, the one that `transform` returned; a
  /// cancellation of either cancels the new one. It starts lazy futures.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs; see ``map(on:_:)``.
  ///   - transform: Runs at most once. For the rest see ``map(on:_:)``. Returning the new future itself, which would
  ///     wait for itself, stops the program.
  /// - Returns: The new future.
  public func flatMap<New: Sendable>(
    on context: HandlerContext = .inline,
    _ transform: @escaping @Sendable (Value) throws -> ValueFuture<New>
  ) -> ValueFuture<New> {
    derive(on: context) { resolution, target in
      if let error = resolution.failure(of: Value.self) { return .failed(error) }
      return Self.pass(to: target) { try transform(try resolution.get(Value.self)) }
    }
  }

  /// Makes a future that turns an error of this one into a value.
  ///
  /// A value is passed on, and so is a cancellation: it isn't an error. Cancelling the new future cancels this one as
  /// well. It starts a lazy future.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs; see ``map(on:_:)``.
  ///   - transform: Gets the error. Throwing makes the result a failure with what was thrown, or a cancellation if it
  ///     is `CancellationError`.
  /// - Returns: The new future.
  public func recover(
    on context: HandlerContext = .inline,
    _ transform: @escaping @Sendable (any Error) throws -> Value
  ) -> ValueFuture {
    derive(on: context) { resolution, _ in
      guard let error = resolution.failure(of: Value.self) else { return resolution }
      return .catching { try transform(error) }
    }
  }

  /// Makes a future that, if this one fails, gets the outcome of another one, which is chosen by the error: the place
  /// to try again.
  ///
  /// A value is passed on, and so is a cancellation. Cancelling the new future cancels whichever it waits for.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs; see ``map(on:_:)``.
  ///   - transform: Gets the error. For the rest see ``recover(on:_:)``.
  /// - Returns: The new future.
  public func flatMapError(
    on context: HandlerContext = .inline,
    _ transform: @escaping @Sendable (any Error) throws -> ValueFuture
  ) -> ValueFuture {
    derive(on: context) { resolution, target in
      guard let error = resolution.failure(of: Value.self) else { return resolution }
      return Self.pass(to: target) { try transform(error) }
    }
  }

  /// Makes a future with the outcome of this one, which is cancelled with ``TimeoutError`` if that doesn't come in
  /// time.
  ///
  /// The time-out cancels this one as well: if others wait for it, wait yourself with ``wait(timeout:)`` or
  /// ``value(within:)``, or let them share the work with ``SharedFuture``. It starts a lazy future.
  ///
  /// - Parameter interval: How long, measured as `DispatchTime` does. Zero or less: no time at all; `.never`: for ever.
  /// - Returns: The new future.
  public func timeout(after interval: DispatchTimeInterval) -> ValueFuture {
    let timed: ValueFuture = derive { resolution, _ in resolution }
    timed.cancel(after: interval)
    return timed
  }

  private func derive<New: Sendable>(
    on context: HandlerContext = .inline,
    _ answer: @escaping @Sendable (Resolution, _ target: Future) -> Resolution?
  ) -> ValueFuture<New> {
    let target = Future(label: future.label, site: future.site)
    future.stage(to: target, on: context, answer)?.run()
    demand()
    return ValueFuture<New>(target, origin: origin.derived)
  }

  /// Lets the target have the outcome of the future that the closure returns: the answer of a stage.
  private static func pass<Other: Sendable>(
    to target: Future,
    _ body: () throws -> ValueFuture<Other>
  ) -> Resolution? {
    do {
      let inner = try body()
      if inner.future === target { fatalError("a closure of flatMap returned the future that flatMap made: \(target)") }
      defer { inner.demand() }
      // Not carried out here: in a chain of such stages each would do so inside the one before.
      return inner.future.stage(to: target) { resolution, _ in resolution }?.resolution
    } catch {
      return .thrown(error)
    }
  }
}
