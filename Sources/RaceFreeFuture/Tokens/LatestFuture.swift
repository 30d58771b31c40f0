// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A slot for the latest of several pieces of work, of which only the latest counts.
///
/// Putting something in cancels what was in it. Callable from any thread; whichever call comes last wins, and all
/// others are cancelled. Work that has completed can't be cancelled any more, and its answer may be on its way when it
/// is replaced; so give the handler to the slot, which shows only the latest answer.
///
/// ```swift
/// let latest = LatestFuture()  // beside `show`, on the main actor
/// func textDidChange(_ text: String) {
///   latest.replace(with: search(text), on: MainActor.shared) { show($0) }  // `search` returns a value future
/// }
/// ```
///
/// Dropping the slot cancels nothing. What was replaced before stays replaced.
public final class LatestFuture: Sendable {
  private let slot = Locked<Entry?>(nil)

  /// Makes an empty slot.
  public init() {}

  /// What is in the slot, resolved or not; nil if it is empty.
  public var current: CancelToken? {
    slot.withLock { $0?.token }
  }

  /// Puts work in and cancels what was in the slot, without blocking.
  ///
  /// Putting in what is there already does nothing.
  ///
  /// - Parameters:
  ///   - work: The new work.
  ///   - reason: The reason that the old work is cancelled with.
  public func replace(with work: some CancellableWork, throwing reason: any Error = CancellationError()) {
    exchange(work.cancelToken, reason)
  }

  /// Puts work in, cancels what was in the slot, and runs a handler when the work completes as the latest.
  ///
  /// Whether it still is the latest is asked at the moment when the handler starts. So with a serial context an older
  /// answer never comes after a newer one; and if calls and handlers share it (both on the main queue) nothing comes
  /// from work that was replaced.
  ///
  /// - Parameters:
  ///   - work: The new work.
  ///   - reason: The reason that the old work is cancelled with.
  ///   - context: Where the handler runs; it should be serial, and the same for all calls.
  ///   - handler: Runs once if the work completes and hasn't been replaced by then.
  /// - Returns: What takes the handler back. The work stays in the slot.
  @discardableResult
  public func replace(
    with work: some CancellableWork,
    throwing reason: any Error = CancellationError(),
    on context: some HandlerContext,
    onComplete handler: @escaping @Sendable () -> Void
  ) -> Registration {
    let entry = exchange(work.cancelToken, reason)
    return work.onComplete(on: context) {
      if !entry.isReplaced { handler() }
    }
  }

  /// Puts work in, cancels what was in the slot, and runs a handler with the result if it comes as the latest.
  ///
  /// Whether it still is the latest is asked at the moment when the handler starts; see
  /// ``replace(with:throwing:on:onComplete:)-(_,_,_,()->Void)``. It starts a lazy future.
  ///
  /// - Parameters:
  ///   - future: The new work.
  ///   - reason: The reason that the old work is cancelled with.
  ///   - context: Where the handler runs; it should be serial, and the same for all calls.
  ///   - handler: Runs once with the value or the error if the work completes and hasn't been replaced by then.
  /// - Returns: What takes the handler back. The work stays in the slot.
  @discardableResult
  public func replace<Value: Sendable>(
    with future: ValueFuture<Value>,
    throwing reason: any Error = CancellationError(),
    on context: some HandlerContext,
    onResult handler: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    let entry = exchange(future.cancelToken, reason)
    return future.onResult(on: context) { result in
      if !entry.isReplaced { handler(result) }
    }
  }

  /// Empties the slot and cancels what was in it, without blocking.
  ///
  /// - Parameters:
  ///   - reason: The reason that the work is cancelled with.
  ///   - fileID: Leave it out: the file of the call.
  ///   - line: Leave it out: the line of the call.
  public func cancel(
    throwing reason: any Error = CancellationError(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let old: Entry? = slot.withLock { slot in
      slot?.markReplaced()
      return slot.take()
    }
    old?.token.cancel(throwing: reason, fileID: fileID, line: line)
  }

  @discardableResult
  private func exchange(_ token: CancelToken, _ reason: any Error) -> Entry {
    let new = Entry(token)
    let old: Entry? = slot.withLock { slot in
      let old = slot
      if let old, old.token == token { return old }
      old?.markReplaced()
      slot = new
      return old
    }
    if let old, old.token == token { return old }
    // Outside of the lock: cancelling runs inline handlers, and `old` may be the last reference.
    old?.token.cancel(throwing: reason)
    return new
  }
}

/// What is, or was, in the slot.
private final class Entry: Sendable {
  let token: CancelToken
  /// Set under the slot's lock, so that of two entries the newer one is never shown before the older one is out: with
  /// release, and read with acquire, because handlers don't take that lock.
  private let hasBeenReplaced = Atomic(false)

  init(_ token: CancelToken) { self.token = token }

  var isReplaced: Bool { hasBeenReplaced.load(ordering: .acquiring) }

  func markReplaced() { hasBeenReplaced.store(true, ordering: .releasing) }
}

// MARK: - Observe on the main actor

extension LatestFuture {
  /// Puts work in, cancels what was in the slot, and runs a handler on the main actor when the work completes as the
  /// latest.
  ///
  /// Like ``replace(with:throwing:on:onComplete:)-(_,_,_,()->Void)`` with the context
  /// `.main`.
  ///
  /// - Parameters:
  ///   - work: The new work.
  ///   - reason: The reason that the old work is cancelled with.
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor, once if the work completes and hasn't been replaced by then.
  /// - Returns: What takes the handler back. The work stays in the slot.
  @discardableResult
  public func replace(
    with work: some CancellableWork,
    throwing reason: any Error = CancellationError(),
    on actor: MainActor,
    onComplete handler: @escaping @MainActor @Sendable () -> Void
  ) -> Registration {
    replace(with: work, throwing: reason, on: .main) { MainActor.assumeIsolated(handler) }
  }

  /// Puts work in, cancels what was in the slot, and runs a handler on the main actor with the result if it comes as
  /// the latest.
  ///
  /// Like ``replace(with:throwing:on:onResult:)-(_,_,_,(Result<Value,Error>)->Void)`` with the context `.main`.
  ///
  /// - Parameters:
  ///   - future: The new work.
  ///   - reason: The reason that the old work is cancelled with.
  ///   - actor: `MainActor.shared`.
  ///   - handler: Runs isolated to the main actor, once with the value or the error if the work completes and hasn't
  ///     been replaced by then.
  /// - Returns: What takes the handler back. The work stays in the slot.
  @discardableResult
  public func replace<Value: Sendable>(
    with future: ValueFuture<Value>,
    throwing reason: any Error = CancellationError(),
    on actor: MainActor,
    onResult handler: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
  ) -> Registration {
    replace(with: future, throwing: reason, on: .main) { result in MainActor.assumeIsolated { handler(result) } }
  }
}
