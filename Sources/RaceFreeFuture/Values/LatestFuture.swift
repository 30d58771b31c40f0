// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A slot for the latest of several pieces of work, where only the latest counts.
///
/// Putting work in cancels the work that was in it. It can be used from any thread; the last call wins, and the work of
/// all others is cancelled. Completed work can no longer be cancelled, and its result may be on its way when it is
/// replaced; so pass the handler to the slot, which delivers only the latest result.
///
/// ```swift
/// let latest = LatestFuture()  // beside `show`, on the main actor
/// func textDidChange(_ text: String) {
///   latest.replace(with: search(text), on: MainActor.shared) { show($0) }  // `search` returns a value future
/// }
/// ```
///
/// Releasing the slot cancels nothing. Work that was replaced earlier stays replaced.
public final class LatestFuture: Sendable {
  /// Guards the current work; the work before is cancelled and released outside.
  private let slot = Locked<Occupant?>(nil)

  /// Creates an empty slot.
  public init() {}

  /// The work in the slot, resolved or not; nil if the slot is empty.
  public var current: CancelToken? {
    slot.withLock { $0?.token }
  }

  /// Puts work in the slot and cancels the previous work, without blocking.
  ///
  /// Putting in the work that is already there has no effect.
  ///
  /// - Parameters:
  ///   - work: The new work.
  ///   - reason: The reason to cancel the previous work with.
  public func replace(
    with work: some CancellableWork,
    throwing reason: any Error = CancellationError(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    exchange(Occupant(work.cancelToken), reason, fileID, line)
  }

  /// Puts work in the slot, cancels the previous work, and runs a handler with the result if it is the latest.
  ///
  /// Whether the work is still the latest is checked when the handler starts. So with a serial context, an older result
  /// never comes after a newer one; and if calls and handlers share the context (both on the main queue), no result
  /// comes from replaced work. This starts a lazy future.
  ///
  /// - Parameters:
  ///   - future: The new work.
  ///   - reason: The reason to cancel the previous work with.
  ///   - context: The context in which the handler runs; it should be serial, and the same for all calls.
  ///   - handler: Runs once with the value or the error if the work completes and hasn't been replaced by then.
  /// - Returns: A registration to unregister the handler with. The work stays in the slot.
  @discardableResult
  public func replace<Value: Sendable>(
    with future: ValueFuture<Value>,
    throwing reason: any Error = CancellationError(),
    on context: some HandlerContext,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    onResult handler: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    let entry = exchange(Occupant(future.cancelToken), reason, fileID, line)
    return observe(future, entry, on: context, handler)
  }

  private func observe<Value: Sendable>(
    _ future: ValueFuture<Value>,
    _ entry: Occupant,
    on context: some HandlerContext,
    _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    // Asked before the value is received: a replaced work's value is given back.
    future.observe(
      on: context.handlerPlace,
      value: { box in if !entry.isReplaced { handler(.success(box.receive(Value.self))) } },
      failure: { error in if !entry.isReplaced { handler(.failure(error)) } }
    )
  }

  /// Cancels the previous work at once, and starts new work after a pause, unless it is replaced by then: a debounce.
  ///
  /// ```swift
  /// latest.replace(after: .milliseconds(300), on: MainActor.shared) {
  ///   search(field.text)  // returns a value future
  /// } onResult: {
  ///   show($0)
  /// }
  /// ```
  ///
  /// ``flush()`` ends the pause, ``cancel(throwing:fileID:line:)`` drops the work.
  ///
  /// - Parameters:
  ///   - pause: The length of the pause; zero or less for none.
  ///   - reason: The reason to cancel the previous work with.
  ///   - context: The context in which both closures run; if there is a handler, it should be serial, and the same for
  ///     all calls.
  ///   - start: Starts the work and returns its future. It runs at most once, and not if the work was replaced or
  ///     cancelled. An error that it throws is a failure, or a cancellation if it is `CancellationError`.
  ///   - handler: Runs once with the value or the error if the work completes and hasn't been replaced by then.
  /// - Returns: A registration to unregister the handler with. The work stays in the slot.
  @discardableResult
  public func replace<Value: Sendable>(
    after pause: Duration,
    throwing reason: any Error = CancellationError(),
    on context: some HandlerContext = .inline,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: @escaping @Sendable () throws -> ValueFuture<Value>,
    onResult handler: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in }
  ) -> Registration {
    let beginning = ValueFuture<Void>(fileID: fileID, line: line)
    let work = beginning.flatMap(on: context, fileID: fileID, line: line) { try start() }
    let entry = exchange(Occupant(work.cancelToken, after: beginning), reason, fileID, line)
    let registration = observe(work, entry, on: context, handler)
    beginning.future.wait(for: pause) { $0.decide(.delivered(ValueBox(()))) }
    return registration
  }

  /// Starts the work that waits for the end of its pause, if there is any, at once.
  public func flush() { slot.withLock { $0?.pause }?.complete() }

  /// Empties the slot and cancels its work, without blocking.
  ///
  /// - Parameter reason: The reason to cancel the work with.
  public func cancel(
    throwing reason: any Error = CancellationError(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let old: Occupant? = slot.withLock { slot in
      slot?.markReplaced()
      return slot.take()
    }
    old?.token.cancel(throwing: reason, fileID: fileID, line: line)
  }

  @discardableResult
  private func exchange(
    _ new: Occupant,
    _ reason: any Error,
    _ fileID: StaticString,
    _ line: UInt
  ) -> Occupant {
    let old: Occupant? = slot.withLock { slot in
      let old = slot
      if let old, old.token == new.token { return old }
      old?.markReplaced()
      slot = new
      return old
    }
    if let old, old.token == new.token { return old }
    // Outside of the lock: cancelling runs inline handlers, and `old` may be the last reference.
    old?.token.cancel(throwing: reason, fileID: fileID, line: line)
    return new
  }
}

/// Work that is, or was, in the slot.
private final class Occupant: Sendable {
  let token: CancelToken
  /// Completed when the work begins, if that is after a pause.
  let pause: ValueFuture<Void>?
  /// Set under the slot's lock, so that an entry isn't current before the older one is replaced.
  ///
  /// Relaxed: nothing is read behind it. A handler that has to find it set is ordered after the store by its context.
  private let hasBeenReplaced = Atomic(false)

  init(_ token: CancelToken, after pause: ValueFuture<Void>? = nil) {
    self.token = token
    self.pause = pause
  }

  var isReplaced: Bool { hasBeenReplaced.load(ordering: .relaxed) }

  func markReplaced() { hasBeenReplaced.store(true, ordering: .relaxed) }
}

// MARK: - Observe on the main actor

extension LatestFuture {
  /// Puts work in the slot, cancels the previous work, and runs a handler on the main actor with the result if it is
  /// the latest.
  ///
  /// Like ``replace(with:throwing:on:fileID:line:onResult:)-(_,_,_,_,_,(Result<Value,Error>)->Void)`` with the context
  /// `.main`.
  ///
  /// - Parameters:
  ///   - future: The new work.
  ///   - reason: The reason to cancel the previous work with.
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor, once with the value or the error if the work completes and hasn't
  ///     been replaced by then.
  /// - Returns: A registration to unregister the handler with. The work stays in the slot.
  @discardableResult
  public func replace<Value: Sendable>(
    with future: ValueFuture<Value>,
    throwing reason: any Error = CancellationError(),
    on actor: MainActor,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    onResult handler: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    replace(with: future, throwing: reason, on: .main, fileID: fileID, line: line) { result in
      MainActor.assumeIsolated { handler(result) }
    }
  }

  /// Cancels the previous work at once, and starts new work on the main actor after a pause, unless it is replaced by
  /// then.
  ///
  /// Like ``replace(after:throwing:on:fileID:line:_:onResult:)-(_,_,_,_,_,_,(Result<Value,Error>)->Void)`` with the
  /// context `.main`.
  ///
  /// - Parameters:
  ///   - pause: The length of the pause; zero or less for none.
  ///   - reason: The reason to cancel the previous work with.
  ///   - actor: `MainActor.shared`.
  ///   - start: Starts the work and returns its future, isolated to the main actor.
  ///   - handler: Runs isolated to the main actor, once with the value or the error if the work completes and hasn't
  ///     been replaced by then.
  /// - Returns: A registration to unregister the handler with. The work stays in the slot.
  @discardableResult
  public func replace<Value: Sendable>(
    after pause: Duration,
    throwing reason: any Error = CancellationError(),
    on actor: MainActor,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: @escaping @MainActor @Sendable () throws -> ValueFuture<Value>,
    onResult handler: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void = { _ in }
  ) -> Registration {
    replace(after: pause, throwing: reason, on: .main, fileID: fileID, line: line) {
      try MainActor.assumeIsolated(start)
    } onResult: { result in
      MainActor.assumeIsolated { handler(result) }
    }
  }
}
