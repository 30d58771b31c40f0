// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct SharedFuturesTests {
  private let begun = EventLog<String>()

  /// A computation that ends when the gate is opened, also if it is cancelled.
  private func compute(_ name: String, until end: Future) -> @Sendable () -> ValueFuture<String> {
    { [begun] in
      .task(label: name) {
        begun.add(name)
        _ = await end.outcome
        return name
      }
    }
  }

  /// A computation that is over.
  private func compute(_ name: String) -> @Sendable () -> ValueFuture<String> {
    { [begun] in
      begun.add(name)
      return .completed(with: name)
    }
  }

  @Test func `clients of a key join one computation, those of other keys have their own`() async throws {
    let (works, end) = (SharedFutures<Int, String>(), Future())
    let clients = (0..<4).map { works.join($0 % 2, compute("\($0)", until: end)) }
    #expect(Set(clients).count == 4)
    try await begun.wait(for: 2)
    clients[0].cancel()
    end.complete()
    #expect(try await [clients[2].value, clients[1].value, clients[3].value] == ["0", "1", "1"])
    #expect(begun.events.sorted() == ["0", "1"] && clients[0].isCancelled)
  }

  @Test func `when the last one has left, the next computation begins at the end of the former one`() async throws {
    let (works, ends) = (SharedFutures<Int, String>(), [Future(), Future()])
    let first = works.join(7, compute("first", until: ends[0]))
    try await begun.wait(for: 1)
    first.cancel()
    // Two that wait: one is dropped, and the key isn't forgotten with it.
    do { _ = works.join(7, compute("dropped", until: ends[1])) }
    let second = works.join(7, label: "second", compute("second", until: ends[1]))
    let third = works.join(7, compute("third", until: ends[1]))
    #expect(begun.events == ["first"] && second.origin.label == "second")
    ends[0].complete()
    ends[1].complete()
    #expect(try await [second.value, third.value] == ["second", "second"])
    #expect(begun.events == ["first", "second"])
  }

  @Test func `a failure isn't kept, nor what start throws`() async throws {
    let works = SharedFutures<Int, String>(keeping: .max)
    await #expect(throws: Reason("offline")) { try await works.join(7) { throw Reason("offline") }.value }
    await #expect(throws: Reason("broken")) {
      try await works.join(7) { .completed(throwing: Reason("broken")) }.value
    }
    await #expect(throws: CancellationError.self) { try await works.join(7) { throw CancellationError() }.value }
    #expect(try await works.join(7, compute("first")).value == "first")
  }

  @Test(arguments: [0, 1, 2, Int.max])
  func `so many values are kept, those that were joined last`(limit: Int) async throws {
    let works = SharedFutures<Int, String>(keeping: limit)
    /// Joins, and returns when nothing of the computation is left.
    func join(_ key: Int) async throws {
      let client = works.join(key, compute("\(key)"))
      _ = try await client.value
      try await eventually("it has ended") { works.openCount == 0 }
    }
    for key in [1, 2, 1, 3, 1, 2] { try await join(key) }
    switch limit {
    case 0: #expect(begun.events == ["1", "2", "1", "3", "1", "2"])
    case 1: #expect(begun.events == ["1", "2", "1", "3", "1", "2"])
    case 2: #expect(begun.events == ["1", "2", "3", "2"])
    default: #expect(begun.events == ["1", "2", "3"])
    }
    #expect(works.keyCount == min(limit, 3))
  }

  @Test func `a key that is removed is computed again, and its clients keep what they have joined`() async throws {
    let (works, end) = (SharedFutures<Int, String>(keeping: .max), Future())
    let first = works.join(7, compute("first", until: end))
    works.remove(7)
    let second = works.join(7, compute("second", until: end))
    end.complete()
    #expect(
      try await [first.value, second.value, works.join(7, compute("none")).value] == ["first", "second", "second"]
    )
    works.remove(7)
    works.remove(8)
    #expect(try await works.join(7, compute("third")).value == "third")
  }

  @Test func `a computation belongs to all, so it runs under no token`() async throws {
    let (works, caller) = (SharedFutures<Int, Bool>(), Future())
    let client = try await caller.run { works.join(7) { .task { CancelToken.current == .never } } }
    #expect(try await client.value)
  }

  @Test func `a client whom only a handler or a scope knows holds the work`() async throws {
    let (works, end, scope) = (SharedFutures<Int, String>(), Future(), Scope())
    do { scope.add(works.join(7, compute("work", until: end))) }
    let got = EventLog<String>()
    do { works.join(7, compute("none", until: end)).onEnd { got.add($0.value ?? "?") } }
    end.complete()
    await scope.drain()
    try await got.wait(for: 1)
    #expect(got.events == ["work"])
  }

  @Test func `a value that nobody has received is given back once, when it isn't kept any more`() async throws {
    let (works, log) = (SharedFutures<Int, Int>(keeping: 1), EventLog<Int>())
    do {
      let client = works.join(7) {
        let work = ValueFuture<Int>(onUndelivered: { log.add($0) })
        work.complete(with: 8)
        return work
      }
      #expect(await client.outcome == .completed)
    }
    try await eventually("it has ended") { works.openCount == 0 }
    #expect(log.events == [])
    works.remove(7)
    try await log.wait(for: 1)
    #expect(log.events == [8])
  }

  @Test func `the cache may go before its computations`() async throws {
    let end = Future()
    let client = SharedFutures<Int, String>().join(7, compute("work", until: end))
    end.complete()
    #expect(try await client.value == "work")
  }

  // MARK: Threads

  private final class Subject: Sendable {
    let works = SharedFutures<Int, Int>()
    let running = Atomic(0)
    let most = Atomic(0)
    let answers = Atomic(0)

    func act(_ stays: Bool) {
      for number in 0..<8 {
        let client = works.join(7) { [self] in
          .task { [self] in
            most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            await Task.yield()
            running.subtract(1, ordering: .relaxed)
            if number % 3 == 0 { throw Reason("broken") }
            return number
          }
        }
        client.onEnd(on: .inline) { _ in self.answers.add(1, ordering: .relaxed) }
        if !stays { client.cancel() }
      }
    }
  }

  @Test func `under stress no two computations of a key run at once, and each client has one answer`() async {
    await stress(
      rounds: iterations(500),
      make: { Subject() },
      actors: [{ $0.act(true) }, { $0.act(false) }, { $0.act(false) }],
      verify: { subject in
        let ended = Gate("everything has ended")
        Task {
          try? await eventually("everything has ended") { subject.works.openCount == 0 }
          ended.open()
        }
        ended.wait()
        #expect(subject.most.load(ordering: .relaxed) <= 1)
        #expect(subject.answers.load(ordering: .relaxed) == 24 && subject.works.keyCount == 0)
      }
    )
  }
}
