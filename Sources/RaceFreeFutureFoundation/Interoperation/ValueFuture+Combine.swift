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
    /// started. A subscriber that cancels its subscription cancels the future, for others as well. Values come on the
    /// future's private queue; use `receive(on:)` for another one.
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
      subscriber.receive(subscription: ValueSubscription(future, Receiver(subscriber)))
    }
  }

  /// One subscriber of a future.
  ///
  /// Delivery and cancellation race in `life`: only the thread that completed it delivers.
  private final class ValueSubscription<Value: Sendable>: Subscription, Sendable {
    private let source: ValueFuture<Value>
    private let receiver: Receiver<Value>
    private let life = RaceFreeFuture.Future(label: "subscription")
    private let isRequested = Atomic(false)

    init(_ source: ValueFuture<Value>, _ receiver: Receiver<Value>) {
      self.source = source
      self.receiver = receiver
    }

    func request(_ demand: Subscribers.Demand) {
      // Relaxed: the first demand is enough, and brings nothing with it.
      guard demand > .none, !isRequested.exchange(true, ordering: .relaxed) else { return }
      let (source, life, receiver) = (source, life, receiver)
      life.attach {
        source.onResult { result in
          if life.tryComplete() { receiver.deliver(result) }
        }
        source.onCancel { reason in
          if life.tryComplete() { receiver.deliver(.failure(reason)) }
        }
        return source.cancelToken
      } stop: { token in
        token.cancel()
      }
    }

    func cancel() {
      // Cancelled before a demand: no work was started for this subscriber.
      life.cancel()
    }
  }

  /// A type-erased subscriber.
  ///
  /// `@unchecked Sendable`: the subscriber is called by one thread at a time, and only until it has received the
  /// completion.
  private final class Receiver<Value: Sendable>: @unchecked Sendable {
    let deliver: (Result<Value, any Error>) -> Void

    init<Downstream: Subscriber>(
      _ subscriber: Downstream
    ) where Downstream.Input == Value, Downstream.Failure == any Error {
      deliver = { result in
        switch result {
        case .success(let value):
          _ = subscriber.receive(value)
          subscriber.receive(completion: .finished)
        case .failure(let error):
          subscriber.receive(completion: .failure(error))
        }
      }
    }
  }

  extension Publisher where Output: Sendable {
    /// Creates a future of the first value that this publisher sends.
    ///
    /// It subscribes at once. Cancelling the future cancels the subscription, and so does the first value. A publisher
    /// that finishes without one makes the future fail with ``NoValueError``; its failure is the failure of the future.
    /// The future is completed on the thread on which the publisher sends.
    ///
    /// - Parameter label: A name for descriptions and errors.
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

  /// `@unchecked Sendable`: `cancel` may be called from any thread; Combine doesn't declare it.
  private final class CancellableBox: @unchecked Sendable {
    let cancellable: AnyCancellable

    init(_ cancellable: AnyCancellable) {
      self.cancellable = cancellable
    }
  }

  extension AnyCancellable {
    /// Creates a cancellable that cancels work when it is cancelled or its last reference is released.
    ///
    /// - Parameter work: The work to cancel, unless it is resolved by then.
    public convenience init(_ work: some CancellableWork) {
      self.init { work.cancel() }
    }
  }

  /// Says that a publisher finished without a value.
  public struct NoValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence, for people.
    public var description: String { "the publisher finished without a value" }
  }
#endif
