// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Transform

// In all of these a value that has an `onUndelivered` is received or given back, even if the new future is cancelled at
// the same moment: the call that loses the decision releases what it held, and so does a future whose value is never
// requested.

extension ValueFuture {
  /// Creates a future whose value is computed from this one's.
  ///
  /// `transform` runs on the thread that completes this future, or on the calling thread if it is already completed,
  /// unless you pass a context. A failure or cancellation of this future is passed on. Cancelling the new future
  /// cancels this future as well. While this future is pending, it keeps the new future alive, not vice versa. A lazy
  /// future is started.
  ///
  /// A value that has an `onUndelivered` is received when `transform` gets it. The value that `transform` returns is
  /// lost if the new future is cancelled meanwhile, or if the value is never requested, unless you pass an
  /// `onUndelivered` for it.
  ///
  /// - Parameters:
  ///   - context: The context in which `transform` runs; by default inline. When nested closures have used up much of
  ///     their thread's stack, the next one runs when the outermost has returned, or when the thread blocks in a call
  ///     of this library.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  ///   - onUndelivered: Receives a value of `transform` that is never delivered; see
  ///     ``init(linkedTo:label:target:onUndelivered:fileID:line:)``.
  ///   - transform: The closure. It runs at most once, and is released at the outcome. Throwing makes the result a
  ///     failure, or a cancellation if it is `CancellationError`. Waiting for the new future in it stops the program.
  /// - Returns: The new future.
  @inlinable
  public func map<New: Sendable>(
    on context: some HandlerContext = .inline,
    label: String? = nil,
    onUndelivered: (@Sendable (New) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ transform: @escaping @Sendable (Value) throws -> New
  ) -> ValueFuture<New> {
    let future = mapped(on: context.handlerPlace, label: label, fileID: fileID, line: line) { box in
      ValueBox(try transform(box.receive(Value.self)), onUndelivered: onUndelivered)
    }
    return ValueFuture<New>(future, onUndelivered: onUndelivered)
  }

  /// The part of `map` that doesn't depend on the types of the values.
  ///
  /// The rest is inlined at the call: there the types of the boxes are known, and aren't created at run time.
  @usableFromInline
  func mapped(
    on place: HandlerPlace,
    label: String?,
    fileID: StaticString,
    line: UInt,
    _ transform: @escaping @Sendable (AnyValueBox) throws -> AnyValueBox
  ) -> Future {
    derive(label, CreationSite(fileID, line), on: place, .value(transform))
  }

  /// Creates a future with the outcome of another one, which is chosen by this one's value.
  ///
  /// Cancelling the new future cancels this future or, once that is completed, the future that `transform` returned; a
  /// cancellation of either cancels the new future. Lazy futures are started.
  ///
  /// A value of this future that has an `onUndelivered` is received when `transform` gets it, and given back if the new
  /// future is cancelled before that. The value of the returned future is passed on: it counts as received when it is
  /// received from the new future, and is given back otherwise. So use this to make a value that must be given back
  /// from another such value.
  ///
  /// - Parameters:
  ///   - context: The context in which `transform` runs; see ``map(on:label:onUndelivered:fileID:line:_:)``.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  ///   - transform: The closure. It runs at most once. Otherwise see ``map(on:label:onUndelivered:fileID:line:_:)``.
  ///     Returning the new future stops the program: it would wait for itself.
  /// - Returns: The new future.
  public func flatMap<New: Sendable>(
    on context: some HandlerContext = .inline,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ transform: @escaping @Sendable (Value) throws -> ValueFuture<New>
  ) -> ValueFuture<New> {
    let answer = DerivedFuture.Answer.resolution { resolution, _, target in
      if let error = resolution.failure { return .failed(error) }
      return Self.pass(to: target, of: "flatMap") { try transform(try resolution.get(Value.self)) }
    }
    return ValueFuture<New>(derive(label, CreationSite(fileID, line), on: context.handlerPlace, answer))
  }

  /// Creates a future that replaces an error of this one by a value.
  ///
  /// A value is passed on, and so is a cancellation: it isn't an error. Cancelling the new future cancels this one as
  /// well. If this future is lazy, it is started.
  ///
  /// With an `onUndelivered`, a value that is passed on counts as received when it is received from the new
  /// future, and is given back if it never is. For a value of `transform`, pass an `onUndelivered` here.
  ///
  /// - Parameters:
  ///   - context: The context in which `transform` runs; see ``map(on:label:onUndelivered:fileID:line:_:)``.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  ///   - onUndelivered: Receives a value of `transform` that is never delivered.
  ///   - transform: The closure; its argument is the error. Throwing makes the result a failure with the thrown error,
  ///     or a cancellation if that is `CancellationError`.
  /// - Returns: The new future.
  public func recover(
    on context: some HandlerContext = .inline,
    label: String? = nil,
    onUndelivered: (@Sendable (Value) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ transform: @escaping @Sendable (any Error) throws -> Value
  ) -> ValueFuture {
    let answer = DerivedFuture.Answer.resolution { resolution, _, _ in
      guard let error = resolution.failure else { return resolution }
      return .catching(onUndelivered: onUndelivered) { try transform(error) }
    }
    let target = derive(label, CreationSite(fileID, line), on: context.handlerPlace, answer)
    return ValueFuture(target, onUndelivered: onUndelivered)
  }

  /// Creates a future that, if this future fails, gets the outcome of another future, which a closure chooses by the
  /// error: for retries.
  ///
  /// A value is passed on, and so is a cancellation. Cancelling the new future cancels the future for which it waits.
  ///
  /// Values that have an `onUndelivered`, of this future or of the returned one, are passed on: they count as received
  /// when they are received from the new future, and are given back if they never are.
  ///
  /// - Parameters:
  ///   - context: The context in which `transform` runs; see ``map(on:label:onUndelivered:fileID:line:_:)``.
  ///   - label: A name for descriptions and errors; without one the new future is named after the place where it is
  ///     created.
  ///   - transform: The closure; its argument is the error. Otherwise see ``flatMap(on:label:fileID:line:_:)``.
  /// - Returns: The new future.
  public func flatMapError(
    on context: some HandlerContext = .inline,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ transform: @escaping @Sendable (any Error) throws -> ValueFuture
  ) -> ValueFuture {
    let answer = DerivedFuture.Answer.resolution { resolution, _, target in
      guard let error = resolution.failure else { return resolution }
      return Self.pass(to: target, of: "flatMapError") { try transform(error) }
    }
    return ValueFuture(derive(label, CreationSite(fileID, line), on: context.handlerPlace, answer))
  }

  /// Creates a future that gets the outcome of this one, or is cancelled with ``TimeoutError`` if there is none in
  /// time.
  ///
  /// The limit is a ``CancellableWork/deadline`` of this future, and so of the new one; if a `perform` block of this
  /// future is queued, the limit comes after the block. It cancels this future, too: if others wait for that, use
  /// ``wait(timeout:)`` or ``value(within:)`` instead, or share the work with ``SharedFuture``. A lazy future is
  /// started, and the time begins before its work.
  ///
  /// A value that has an `onUndelivered` is passed on: it counts as received when it is received from the new future,
  /// and is given back otherwise.
  ///
  /// - Parameters:
  ///   - interval: The time limit. If it is zero or less, both are cancelled at once unless there is already an
  ///     outcome, and lazy work never starts.
  ///   - label: A name for descriptions and errors; without one the new future has this one's, or is named after
  ///     the place where it is created.
  /// - Returns: The new future.
  public func timeout(
    after interval: Duration,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture {
    let (label, site) = (label ?? future.label, CreationSite(fileID, line))
    // The limit comes first, so that a limit of zero leaves no time.
    let deadline = future.presentInstant.advanced(by: interval.clamped)
    let reason = TimeoutError(interval: interval, label: FutureName(label: label, site: site).plain, deadline: deadline)
    cancel(after: interval, throwing: reason, fileID: fileID, line: line)
    return ValueFuture(derive(DerivedFuture(label: label, site: site, from: future, .relay)))
  }

  /// Derives a future by a user's closure.
  private func derive(
    _ label: String?,
    _ site: CreationSite,
    on place: HandlerPlace,
    _ answer: consuming DerivedFuture.Answer
  ) -> Future {
    derive(DerivedFuture(label: label, site: site, from: future, on: place.kind, isOwn: false, answer))
  }

  /// Connects a future that is derived from this one, and starts lazy work.
  private func derive(_ target: DerivedFuture) -> Future {
    target.decide(byLink: future.connect(target))
    if target.isPending { demand() }
    return target
  }

  /// Passes the outcome of the future that the closure returns to the target: the answer of a stage.
  private static func pass<Other: Sendable>(
    to target: DerivedFuture,
    of method: StaticString,
    _ body: () throws -> ValueFuture<Other>
  ) -> Resolution? {
    do {
      let inner = try body()
      if inner.future === target {
        fatalError("a closure of \(method) returned the future that \(method) made: \(target)")
      }
      // Not carried out here: in a chain of such stages each would do so inside the previous one.
      let link = Link(.relay, backward: .cascade, from: inner.future, to: target, keeping: .target)
      let answer = inner.future.connect(link, to: target)
      if let answer { return answer }
      if target.isPending { inner.demand() }
      return nil
    } catch {
      return .thrown(error)
    }
  }
}
