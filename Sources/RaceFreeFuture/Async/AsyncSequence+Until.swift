// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension AsyncSequence {
  /// The elements of this sequence until a future is cancelled; then the sequence ends.
  ///
  /// ```swift
  /// for await event in events.until(session) {
  ///   handle(event)
  /// }
  /// ```
  ///
  /// An element that this sequence has returned is delivered, whenever the cancellation comes: none is lost on its way.
  /// Of its remaining elements none is requested. To throw the reason at the end, call
  /// ``CancellableWork/checkCancellation()`` after the loop.
  ///
  /// A wait for an element ends if this sequence follows the cancellation of a task: each element is awaited in a child
  /// task, which is cancelled with the future, before the call that cancels returns. A sequence that ignores
  /// cancellation delays the end. The iterator of this sequence is released at the end. A completion of the future has
  /// no effect. An iterator of the returned sequence can't be used by several tasks at the same time.
  ///
  /// - Parameter work: The work whose cancellation ends the sequence.
  /// - Returns: A sequence that fails when this one does, but ends without an error when it is cancelled with the
  ///   future.
  public func until(_ work: some CancellableWork) -> some AsyncSequence<Element, Failure> {
    UntilSequence(base: self, token: work.cancelToken)
  }
}

private struct UntilSequence<Base: AsyncSequence>: AsyncSequence {
  let base: Base
  let token: CancelToken

  struct AsyncIterator: AsyncIteratorProtocol {
    let source: UntilSource<Base>

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> Base.Element? {
      try await source.next(isolation: actor)
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: UntilSource(base.makeAsyncIterator(), token))
  }
}
