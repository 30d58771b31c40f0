// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct UntilTests {
  // MARK: Without a cancellation

  @Test func `without a cancellation it is the sequence`() async throws {
    let completed = Future()
    completed.complete()
    for token in [Future().cancelToken, completed.cancelToken, .never] {
      #expect(await all(numbers(1...3).until(token)) == [1, 2, 3])
    }
  }

  @Test func `what the sequence throws is thrown`() async {
    let failing = AsyncThrowingStream<Int, any Error> { continuation in
      continuation.yield(1)
      continuation.finish(throwing: Reason("no more"))
    }
    var seen: [Int] = []
    await #expect(throws: Reason("no more")) {
      for try await number in failing.until(Future()) { seen.append(number) }
    }
    #expect(seen == [1])
  }

  @Test func `at the end nil comes again and again, and nothing is left at the future`() async throws {
    let future = Future()
    var iterator = numbers(1...1).until(future).makeAsyncIterator()
    var seen = [try await iterator.next(), try await iterator.next()]
    future.cancel(throwing: Reason("too late"))
    seen.append(try await iterator.next())
    #expect(seen == [1, nil, nil])
  }

  @Test func `after the end, or an error, the sequence isn't asked again`() async throws {
    let ended = Scripted([nil, .success(2)])
    var iterator = ended.until(Future()).makeAsyncIterator()
    let afterEnd = [try await iterator.next(), try await iterator.next()]
    #expect(afterEnd == [nil, nil] && ended.asked.value == 1)
    let failed = Scripted([.failure(Reason("no")), .success(2)])
    var other = failed.until(Future()).makeAsyncIterator()
    var thrown: (any Error)?
    do { _ = try await other.next() } catch { thrown = error }
    let afterError = try await other.next()
    #expect(reason(thrown) == Reason("no") && afterError == nil && failed.asked.value == 1)
  }

  @Test func `an error of its own is thrown, also after the cancellation, and so is a cancellation of its own`() async {
    let future = Future()
    await #expect(throws: Reason("broken")) {
      for try await _ in Scripted([.failure(Reason("broken"))], { future.cancel() }).until(future) {}
    }
    await #expect(throws: CancellationError.self) {
      for try await _ in Scripted([.failure(CancellationError())]).until(Future()) {}
    }
  }

  @Test func `a completion of the future has no effect on the end`() async throws {
    for script in [[nil], [.failure(CancellationError())]] as [[Result<Int, any Error>?]] {
      let future = Future()
      var iterator = Scripted(script, { future.complete() }).until(future).makeAsyncIterator()
      var seen: Result<Int?, any Error>
      do { seen = .success(try await iterator.next()) } catch { seen = .failure(error) }
      #expect(seen.value == .some(nil) || seen.error is CancellationError)
    }
  }

  @Test func `an element is kept no longer than by the one who took it`() async {
    let live = LiveCount()
    let (stream, continuation) = AsyncStream.makeStream(of: LiveCount.Instance.self)
    var iterator = stream.until(Future()).makeAsyncIterator()
    continuation.yield(live.make())
    do {
      let element = await iterator.next(isolation: #isolation)
      #expect(live.value == 1)
      element?.touch()
    }
    #expect(live.value == 0)
    withExtendedLifetime(iterator) {}
  }

  // MARK: Elements in flight

  @Test func `what the sequence still has when the future is cancelled isn't asked for`() async {
    let future = Future()
    let source = Counted()
    var seen: [Int] = []
    for await number in source.until(future) {
      seen.append(number)
      if number == 3 { future.cancel() }
    }
    #expect(seen == [1, 2, 3] && source.given.value == 3)
  }

  @Test func `an element that has come is delivered, also if the cancellation came meanwhile`() async {
    let future = Future()
    let source = Counted { if $0 == 3 { future.cancel() } }
    #expect(await all(source.until(future)) == [1, 2, 3])
  }

  @Test func `cancelled before it begins, it ends at once`() async throws {
    let future = Future()
    future.cancel(throwing: Reason("before"))
    #expect(await all(numbers(1...3).until(future)) == [])
  }

  // MARK: Waiting

  @Test func `a task that waits for an element continues at the cancellation`() async {
    let future = Future()
    let isWaiting = Gate("waiting")
    let silent = AsyncStream<Int>(unfolding: {
      isWaiting.open()
      // A task that is cancelled leaves it.
      _ = try? await Future().value
      return nil
    })
    let task = Task { await all(silent.until(future)) }
    await isWaiting.passed()
    future.cancel()
    #expect(await task.value == [])
  }

  @Test func `a task that waits for an element continues, also if the sequence throws at the cancellation`()
    async throws
  {
    let future = Future()
    let isWaiting = Gate("waiting")
    let silent = AsyncThrowingStream<Int, any Error>(unfolding: {
      isWaiting.open()
      try await Future().value
      return nil
    })
    let task = Task { try await all(silent.until(future)) }
    await isWaiting.passed()
    future.cancel()
    #expect(try await task.value == [])
  }

  @Test func `a sequence that throws because it is cancelled ends`() async throws {
    let future = Future()
    let silent = AsyncThrowingStream<Int, any Error>(unfolding: {
      future.cancel()
      try Task.checkCancellation()
      return nil
    })
    #expect(try await all(silent.until(future)) == [])
  }

  @Test func `the cancellation of the task is left to the sequence`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let hasOne = Gate("has an element")
    let task = Task {
      var seen: [Int] = []
      for await number in stream.until(Future()) {
        seen.append(number)
        hasOne.open()
      }
      return seen
    }
    continuation.yield(1)
    await hasOne.passed()
    task.cancel()
    #expect(await task.value == [1])
  }

  @Test func `the sequence is let go at the end`() async {
    let live = LiveCount()
    let future = Future()
    var iterator = stream(keeping: live).until(future).makeAsyncIterator()
    let first = await iterator.next(isolation: #isolation)
    #expect(first == 1 && live.value == 1)
    future.cancel()
    let last = await iterator.next(isolation: #isolation)
    #expect(last == nil && live.value == 0)
    withExtendedLifetime(iterator) {}
  }

  private func stream(keeping live: LiveCount) -> AsyncStream<Int> {
    let instance = live.make()
    return AsyncStream(unfolding: {
      instance.touch()
      return 1
    })
  }

  @Test @MainActor func `an iterator of the main actor stays there`() async {
    let future = Future()
    var seen: [Int] = []
    let onMain = numbers(1...3).map { @MainActor number in
      MainActor.assertIsolated()
      return number
    }
    for await number in onMain.until(future) {
      MainActor.assertIsolated()
      seen.append(number)
    }
    #expect(seen == [1, 2, 3])
  }

  // MARK: In every order

  @Test func `in every order what is delivered is the beginning`() async {
    let seen = Variable<Set<[Int]>>([])
    await exploreTasks("until") { scenario in
      let future = Future(label: "f")
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let log = Variable<[Int]>([])
      async let reading: Void = {
        for await number in stream.until(future) { log.value.append(number) }
      }()
      continuation.yield(1)
      await Task.yield()
      continuation.yield(2)
      future.cancel()
      continuation.yield(3)
      await reading
      seen.value.insert(log.value)
    }
    #expect(seen.value.isSubset(of: [[], [1], [1, 2], [1, 2, 3]]) && seen.value.contains([]))
  }
}

/// 1, 2, 3 and so on, without end; says how many it has given.
private struct Counted: AsyncSequence {
  let given = Variable(0)
  let onNext: @Sendable (Int) -> Void

  init(_ onNext: @escaping @Sendable (Int) -> Void = { _ in }) { self.onNext = onNext }

  struct Iterator: AsyncIteratorProtocol {
    let sequence: Counted

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      sequence.given.value += 1
      sequence.onNext(sequence.given.value)
      return sequence.given.value
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}

/// What it is told to return or throw, one after the other; says how often it was asked.
private struct Scripted: AsyncSequence {
  let steps: [Result<Int, any Error>?]
  let onNext: @Sendable () -> Void
  let asked = Variable(0)

  init(_ steps: [Result<Int, any Error>?], _ onNext: @escaping @Sendable () -> Void = {}) {
    self.steps = steps
    self.onNext = onNext
  }

  struct Iterator: AsyncIteratorProtocol {
    let sequence: Scripted

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Int? {
      defer { sequence.asked.value += 1 }
      sequence.onNext()
      return try sequence.steps[sequence.asked.value]?.get()
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}

private func numbers(_ range: ClosedRange<Int>) -> AsyncStream<Int> {
  AsyncStream { continuation in
    for number in range { continuation.yield(number) }
    continuation.finish()
  }
}

private func all<S: AsyncSequence>(_ sequence: S) async throws(S.Failure) -> [S.Element] {
  var all: [S.Element] = []
  for try await element in sequence { all.append(element) }
  return all
}
