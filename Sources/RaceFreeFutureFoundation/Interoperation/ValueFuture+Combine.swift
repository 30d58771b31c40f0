// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Combine)
  public import Combine
  public import RaceFreeFuture
  internal import Synchronization

  extension ValueFuture {
    /// A publisher of the value: it sends it and finishes, or fails with the error, or the reason of the cancellation.
    ///
    /// The publisher keeps the future. Nothing happens before a subscriber asks for a value; then a lazy future is
    /// started. A subscriber that cancels, cancels the future: for others as well. Values come on the future's private
    /// queue; use `receive(on:)` for another one.
    public var publisher: ValueFuturePublisher<Value> { ValueFuturePublisher(self) }
  }

  /// A publisher of the value of a future; see `publisher` of `ValueFuture`.
  public struct ValueFuturePublisher<Output: Sendable>: Publisher, Sendable {
    /// Every failure is an error of the future, or the reason of its cancellation.
    public typealias Failure = any Error

    private let future: ValueFuture<Output>

    init(_ future: ValueFuture<Output>) {
      self.future = future
    }

    /// Adds a subscriber, which gets a subscription of its own.
    ///
    /// - Parameter subscriber: It gets one value at most.
    public func receive<Downstream: Subscriber>(
      subscriber: Downstream
    ) where Downstream.Input == Output, Downstream.Failure == any Error {
      subscriber.receive(subscription: ValueSubscription(future, subscriber))
    }
  }

  /// One subscriber of a future.
  ///
  /// Delivery and cancellation meet in `life`: whoever decides it may go on. `@unchecked Sendable`: the subscriber is
  /// called once for the value and once for the end, by the one who completed `life`, and is released at its outcome.
  private final class ValueSubscription<Downstream: Subscriber>: Subscription, @unchecked Sendable
  where Downstream.Input: Sendable, Downstream.Failure == any Error {
    private let source: ValueFuture<Downstream.Input>
    private let life = RaceFreeFuture.Future(label: "subscription")
    private let subscriber: Downstream
    private let isRequested = Atomic(false)

    init(_ source: ValueFuture<Downstream.Input>, _ subscriber: Downstream) {
      self.source = source
      self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > .none, !isRequested.exchange(true, ordering: .acquiringAndReleasing) else { return }
      let (source, life, subscriber) = (source, life, subscriber)
      life.attach {
        source.onResult { result in
          guard life.tryComplete() else { return }
          switch result {
          case .success(let value):
            _ = subscriber.receive(value)
            subscriber.receive(completion: .finished)
          case .failure(let error):
            subscriber.receive(completion: .failure(error))
          }
        }
        source.onCancel { reason in
          if life.tryComplete() { subscriber.receive(completion: .failure(reason)) }
        }
        return source.cancelToken
      } stop: { token in
        token.cancel()
      }
    }

    func cancel() {
      // Cancelled before anybody asked, there is nothing at work for this subscriber.
      life.cancel()
    }
  }

  extension Publisher where Output: Sendable {
    /// Makes a future of the first value that this publisher sends.
    ///
    /// It subscribes at once. Cancelling the future cancels the subscription, and so does the first value. A publisher
    /// that finishes without one makes the future fail with ``NoValueError``; its failure is the failure of the future.
    /// The future is completed on the thread on which the publisher sends.
    ///
    /// - Parameters:
    ///   - label: A name for descriptions and errors.
    ///   - fileID: Leave it out: the file of the call.
    ///   - line: Leave it out: the line of the call.
    /// - Returns: The future. It keeps the subscription until the outcome: hold it, or a token of it.
    public func firstValueFuture(
      label: String? = nil,
      fileID: StaticString = #fileID,
      line: UInt = #line
    ) -> ValueFuture<Output> {
      let future = ValueFuture<Output>(label: label, fileID: fileID, line: line)
      future.attach {
        CancellableBox(
          first().sink { completion in
            switch completion {
            case .finished: future.complete(throwing: NoValueError())  // too late if there was a value
            case .failure(let error): future.complete(throwing: error)
            }
          } receiveValue: { value in
            future.complete(with: value)
          }
        )
      } stop: { subscription in
        subscription.cancellable.cancel()
      }
      return future
    }
  }

  /// `@unchecked Sendable`: `cancel` may be called from any thread; Combine hasn't said so to the compiler.
  private final class CancellableBox: @unchecked Sendable {
    let cancellable: AnyCancellable

    init(_ cancellable: AnyCancellable) {
      self.cancellable = cancellable
    }
  }

  extension AnyCancellable {
    /// Makes a cancellable of a token: cancelling it, or dropping its last reference, cancels the token's future.
    ///
    /// - Parameter token: What will be cancelled, unless it is resolved by then.
    public convenience init(_ token: CancelToken) {
      self.init { token.cancel() }
    }
  }

  /// Says that a publisher finished without a value.
  public struct NoValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence, for people.
    public var description: String { "the publisher finished without a value" }
  }
#endif
