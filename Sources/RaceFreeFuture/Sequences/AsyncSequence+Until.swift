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
  /// Of its remaining elements none is requested, or all are if it is to be drained; see ``SequenceEnding``.
  ///
  /// A wait for an element ends if this sequence follows the cancellation of a task: each element is awaited in a child
  /// task, which is cancelled with the future, before the call that cancels returns. A sequence that ignores
  /// cancellation delays the end. The iterator of this sequence is released at the end. A completion of the future has
  /// no effect. An iterator of the returned sequence can't be used by several tasks at the same time.
  ///
  /// - Parameters:
  ///   - work: The work whose cancellation ends the sequence.
  ///   - ending: The treatment of the elements that this sequence still has.
  /// - Returns: A sequence that fails when this one does. A `CancellationError` that this one throws because it is
  ///   cancelled with the future isn't thrown.
  public func until(
    _ work: some CancellableWork,
    _ ending: SequenceEnding = .finish
  ) -> some AsyncSequence<Element, Failure> {
    UntilSequence(base: self, token: work.cancelToken, ending: ending)
  }

  /// The elements of this sequence until a future is cancelled; then the sequence throws the reason.
  ///
  /// Like ``until(_:_:)`` with ``SequenceEnding/finish``, but the end by the cancellation is distinguishable from the
  /// sequence's own.
  ///
  /// - Parameter work: The work whose cancellation ends the sequence.
  /// - Returns: A sequence that throws the errors of this one, or the ``CancellableWork/cancellationReason``.
  public func until(throwing work: some CancellableWork) -> some AsyncSequence<Element, any Error> {
    ThrowingUntilSequence(base: self, token: work.cancelToken)
  }
}

/// The treatment of the elements that a sequence has when a future ends it.
public enum SequenceEnding: Hashable, Sendable {
  /// They aren't requested: the sequence ends at once.
  case finish
  /// They are delivered: the sequence continues in a cancelled task until it ends by itself.
  ///
  /// `AsyncStream` then delivers its buffered elements, and accepts no more. A sequence that ignores cancellation
  /// doesn't end by it.
  case drain
}

private struct UntilSequence<Base: AsyncSequence>: AsyncSequence {
  let base: Base
  let token: CancelToken
  let ending: SequenceEnding

  struct AsyncIterator: AsyncIteratorProtocol {
    let source: UntilSource<Base>

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> Base.Element? {
      guard case .element(let element) = try await source.next(isolation: actor) else { return nil }
      return element
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: UntilSource(base.makeAsyncIterator(), token, ending))
  }
}

private struct ThrowingUntilSequence<Base: AsyncSequence>: AsyncSequence {
  let base: Base
  let token: CancelToken

  struct AsyncIterator: AsyncIteratorProtocol {
    let source: UntilSource<Base>

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Base.Element? {
      switch try await source.next(isolation: actor) {
      case .element(let element): return element
      case .over: return nil
      case .cancelled: throw source.token.cancellationReason ?? CancellationError()
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: UntilSource(base.makeAsyncIterator(), token, .finish))
  }
}
