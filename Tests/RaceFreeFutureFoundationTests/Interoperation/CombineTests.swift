// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(Combine)
  import Combine
  import RaceFreeFuture
  import RaceFreeFutureFoundation
  import Testing

  import class RaceFreeFuture.Future

  private struct NoFile: Error {}

  /// A subscriber that notes what it receives.
  ///
  /// `@unchecked Sendable`: the subscription is used by the test alone, and the notes are behind the lock.
  private final class Received: Subscriber, @unchecked Sendable {
    private let demand: Subscribers.Demand
    private let noted = Locked<[String]>([])
    private let completion = Future(label: "completion")
    private(set) var subscription: (any Subscription)?

    init(_ publisher: ValueFuturePublisher<Int>, demand: Subscribers.Demand = .unlimited) {
      self.demand = demand
      publisher.subscribe(self)
    }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      subscription.request(demand)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      noted.withLock { $0.append("\(input)") }
      return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
      noted.withLock { notes in
        switch completion {
        case .finished: notes.append("finished")
        case .failure(let error): notes.append("\(error)")
        }
      }
      self.completion.complete()
    }

    /// The notes so far.
    var notes: [String] { noted.withLock { $0 } }

    /// All notes, after the completion.
    var allNotes: [String] {
      get async {
        _ = await completion.outcome
        return notes
      }
    }
  }

  @Suite struct CombineTests {
    @Test func `a publisher sends the value and finishes, to each subscriber`() async {
      let future = ValueFuture<Int>()
      let early = [Received(future.publisher), Received(future.publisher)]
      #expect(early.allSatisfy { $0.notes.isEmpty })
      future.complete(with: 7)
      for subscriber in early + [Received(future.publisher)] {
        #expect(await subscriber.allNotes == ["7", "finished"])
      }
    }

    @Test func `a publisher fails with the error, or with the reason of the cancellation`() async {
      let failing = ValueFuture<Int>()
      let failed = Received(failing.publisher)
      failing.complete(throwing: NoFile())
      #expect(await failed.allNotes == ["NoFile()"])

      let stopping = ValueFuture<Int>()
      let stopped = Received(stopping.publisher)
      stopping.cancel()
      #expect(await stopped.allNotes == ["CancellationError()"])
    }

    @Test func `a lazy future is started by the first demand, and a further demand brings nothing more`() async {
      let isStarted = Future(label: "started")
      let future = ValueFuture<Int>.lazy { _ in
        isStarted.complete()
        return 7
      }
      let subscriber = Received(future.publisher, demand: .none)
      #expect(isStarted.isPending)
      subscriber.subscription?.request(.max(1))
      #expect(await subscriber.allNotes == ["7", "finished"])
      #expect(isStarted.isCompleted)
      subscriber.subscription?.request(.max(1))
      _ = await future.handlersFinished
      #expect(subscriber.notes == ["7", "finished"])
    }

    @Test func `a subscription that is cancelled cancels the future, and receives nothing`() async {
      let future = ValueFuture<Int>()
      let cancelled = Received(future.publisher)
      let other = Received(future.publisher)
      cancelled.subscription?.cancel()
      #expect(future.isCancelled)
      // So that the test ends, too, if the expectation isn't met.
      future.cancel()
      #expect(await other.allNotes == ["CancellationError()"])
      _ = await future.handlersFinished
      #expect(cancelled.notes.isEmpty)
    }

    @Test func `a subscription that is cancelled before its demand leaves the future alone`() async {
      let future = ValueFuture<Int>()
      let subscriber = Received(future.publisher, demand: .none)
      subscriber.subscription?.cancel()
      subscriber.subscription?.request(.unlimited)
      future.complete(with: 7)
      #expect(future.isCompleted)
      _ = await future.handlersFinished
      #expect(subscriber.notes.isEmpty)
    }

    @Test func `a future gets the first value, and cancels its subscription`() async throws {
      let isCancelled = Future(label: "subscription cancelled")
      let subject = PassthroughSubject<Int, any Error>()
      let future = subject.handleEvents(receiveCancel: { isCancelled.complete() }).firstValueFuture()
      #expect(future.isPending)
      subject.send(7)
      subject.send(8)
      #expect(try await future.value == 7)
      #expect(isCancelled.isCompleted)
      #expect(try await [7, 8].publisher.firstValueFuture().value == 7)
    }

    @Test func `a publisher that fails or finishes without a value makes the future fail`() async {
      await #expect(throws: NoFile.self) { try await Fail<Int, any Error>(error: NoFile()).firstValueFuture().value }
      await #expect(throws: NoValueError.self) { try await Empty<Int, Never>().firstValueFuture().value }
    }

    @Test func `cancelling the future cancels the subscription`() {
      let isCancelled = Future(label: "subscription cancelled")
      let subject = PassthroughSubject<Int, any Error>()
      let future = subject.handleEvents(receiveCancel: { isCancelled.complete() }).firstValueFuture()
      #expect(isCancelled.isPending)
      future.cancel()
      #expect(isCancelled.isCompleted)
    }

    @Test func `a cancellable cancels work when it is cancelled or released`() {
      let cancelled = Future()
      let cancellable = AnyCancellable(cancelled)
      #expect(cancelled.isPending)
      cancellable.cancel()
      #expect(cancelled.isCancelled)

      let released = Future()
      var owner: AnyCancellable? = AnyCancellable(released)
      #expect(released.isPending && owner != nil)
      owner = nil
      #expect(released.isCancelled)
    }
  }
#endif
