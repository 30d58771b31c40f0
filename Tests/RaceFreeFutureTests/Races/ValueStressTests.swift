// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// The races around values, each run until its actors have met many times.
@Suite(.serialized) struct ValueStressTests {
  private static var rounds: Int { iterations(10_000) }

  /// Had one side always won, the two would never have met: to be asked of the usual number of rounds, since a short run
  /// under a sanitizer may well be one-sided.
  private func bothSidesWon(_ wins: Int) -> Bool {
    Self.rounds < 10_000 || (1..<Self.rounds).contains(wins)
  }

  @Test func `two values against a cancellation: the outcome has its own value, and no value is lost`() async {
    final class Subject: Sendable {
      let undelivered: EventLog<Int>
      let future: ValueFuture<Int>
      let seen = EventLog<Int>()
      let refused = Atomic(0)
      init() {
        let undelivered = EventLog<Int>()
        self.undelivered = undelivered
        future = ValueFuture(onUndelivered: { undelivered.add($0) })
        future.onValue(on: .inline) { [seen] in seen.add($0) }
      }
    }
    let completed = EventLog<Int>()
    let cancelled = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { $0.future.complete(with: 1) },
        { if !$0.future.tryComplete(with: 2) { $0.refused.add(1, ordering: .relaxed) } },
        { $0.future.cancel() },
      ],
      verify: { subject in
        let seen = subject.seen.events
        #expect(seen.count == (subject.future.isCompleted ? 1 : 0))
        #expect((try? subject.future.result?.get()) == seen.first)
        // 1 was received or handed over, 2 was received or refused.
        #expect((seen == [1]) != (subject.undelivered.events == [1]))
        #expect((seen == [2]) != (subject.refused.load(ordering: .relaxed) == 1))
        if let value = seen.first { completed.add(value) } else { cancelled.add(1, ordering: .relaxed) }
      }
    )
    #expect(bothSidesWon(completed.events.count { $0 == 1 }))
    #expect(bothSidesWon(completed.events.count { $0 == 2 }))
    #expect(bothSidesWon(cancelled.load(ordering: .relaxed)))
  }

  @Test func `polling against completing: code that sees the outcome sees its value`() async {
    final class Subject: Sendable {
      let future = ValueFuture<[Int]>()
      let isTorn = Atomic(false)
    }
    let early = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { $0.future.complete(with: [1, 2, 3]) },
        { subject in
          guard subject.future.isCompleted else {
            early.add(1, ordering: .relaxed)
            return
          }
          if (try? subject.future.result?.get()) != [1, 2, 3] { subject.isTorn.store(true, ordering: .relaxed) }
        },
      ],
      verify: { subject in
        let isTorn = subject.isTorn.load(ordering: .relaxed)
        #expect(!isTorn)
      }
    )
    #expect(bothSidesWon(early.load(ordering: .relaxed)))
  }

  /// A task that waits for a value with a cancellation handler, as `withFuture` does, or without.
  private final class Waiter: Sendable {
    let future: ValueFuture<Int>
    let task: Task<Int?, Never>
    let undelivered: EventLog<Int>
    let refused = Atomic(false)
    let done = DispatchSemaphore(value: 0)
    let received = EventLog<Int>()

    init(ownsFuture: Bool) {
      let undelivered = EventLog<Int>()
      self.undelivered = undelivered
      let completers = EventLog<Completer<ValueFuture<Int>>>()
      let begun = DispatchSemaphore(value: 0)
      if ownsFuture {
        task = Task { [done, received] in
          let value = try? await withFuture(of: Int.self, onUndelivered: { undelivered.add($0) }) { completer in
            completers.add(completer)
            begun.signal()
          }
          if let value { received.add(value) }
          done.signal()
          return value
        }
        begun.wait()
        completer = completers.events.first
        future = completers.events[0].future
      } else {
        let future = ValueFuture<Int>(onUndelivered: { undelivered.add($0) })
        task = Task { [done, received] in
          let value = try? await future.value
          if let value { received.add(value) }
          done.signal()
          return value
        }
        self.future = future
        completer = nil
      }
    }

    private let completer: Completer<ValueFuture<Int>>?

    func waitForEnd() {
      guard done.wait(timeout: .muchLater) == .success else { fatalError("the task was never resumed: \(future)") }
    }
  }

  @Test func `withFuture: completing against cancelling the task, the value is received or refused`() async {
    let received = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Waiter(ownsFuture: true) },
      actors: [
        { if !$0.future.tryComplete(with: 5) { $0.refused.store(true, ordering: .releasing) } },
        { $0.task.cancel() },
      ],
      verify: { waiter in
        waiter.waitForEnd()
        let isReceived = waiter.received.events == [5]
        if isReceived { received.add(1, ordering: .relaxed) }
        #expect(isReceived != waiter.refused.load(ordering: .acquiring))
        #expect(waiter.undelivered.events.isEmpty)
      }
    )
    #expect(bothSidesWon(received.load(ordering: .relaxed)))
  }

  @Test func `await value: completing against cancelling the task, the value is received or stays there`() async {
    let received = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Waiter(ownsFuture: false) },
      actors: [{ $0.future.complete(with: 5) }, { $0.task.cancel() }],
      verify: { waiter in
        waiter.waitForEnd()
        if waiter.received.events == [5] { received.add(1, ordering: .relaxed) }
        #expect(waiter.undelivered.events.isEmpty)
        #expect((try? waiter.future.result?.get()) == 5)
      }
    )
    #expect(bothSidesWon(received.load(ordering: .relaxed)))
  }

  @Test func `a chain completed at one end and cancelled at the other: all or nothing, and nothing is kept`() async {
    final class Subject: Sendable {
      let live = LiveCount()
      let source = ValueFuture<Int>()
      let stages: [ValueFuture<Int>]
      init() {
        var stages = [source]
        for index in 0..<5 {
          let (kept, last) = (live.make(), stages[index])
          switch index {
          case 1:
            stages.append(
              last.flatMap { value in
                kept.touch()
                return .completed(with: value + 1)
              }
            )
          case 3:
            stages.append(ValueFuture.race([last, last]))
          default:
            stages.append(
              last.map { value in
                kept.touch()
                return value + 1
              }
            )
          }
        }
        self.stages = stages
      }
    }
    let completed = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [{ $0.source.complete(with: 0) }, { $0.stages[5].cancel() }],
      verify: { subject in
        #expect(subject.stages.allSatisfy { !$0.isPending })
        #expect(subject.live.value == 0)
        // A stage is completed only if those before it are.
        let ends = subject.stages.map(\.isCompleted)
        #expect(ends == ends.sorted { $0 && !$1 })
        if subject.stages[5].isCompleted {
          #expect((try? subject.stages[5].result?.get()) == 4)
          completed.add(1, ordering: .relaxed)
        }
      }
    )
    #expect(bothSidesWon(completed.load(ordering: .relaxed)))
  }

  @Test func `two racers at the same moment: one wins, and the other's value goes back`() async {
    final class Subject: Sendable {
      let undelivered: EventLog<Int>
      let racers = EventLog<ValueFuture<Int>>()
      let race: ValueFuture<Int>
      init() {
        let undelivered = EventLog<Int>()
        self.undelivered = undelivered
        for _ in 0..<2 { racers.add(ValueFuture<Int>(onUndelivered: { undelivered.add($0) })) }
        race = .race(racers.events, cancelLosers: true)
      }
    }
    let winners = EventLog<Int>()
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [0, 1].map { index in { $0.racers.events[index].complete(with: index) } },
      verify: { subject in
        guard let winner = try? subject.race.result?.get() else {
          Issue.record("nobody won")
          return
        }
        winners.add(winner)
        // The loser was cancelled before it completed; or it completed, and nobody has received its value when it goes.
        subject.racers.removeAll()
        #expect(subject.undelivered.events == [1 - winner])
      }
    )
    #expect(bothSidesWon(winners.events.count { $0 == 0 }))
  }

  @Test func `collecting against cancelling: each value is received with all, or given back, once`() async {
    final class Subject: Sendable {
      let undelivered: EventLog<Int>
      let parts: EventLog<ValueFuture<Int>>
      let combined: EventLog<CancelToken>
      let received = EventLog<Int>()
      init(_ number: Int) {
        let undelivered = EventLog<Int>()
        let parts = [0, 1].map { _ in ValueFuture<Int>(onUndelivered: { undelivered.add($0) }) }
        (self.undelivered, self.parts, combined) = (undelivered, EventLog(), EventLog())
        for part in parts { self.parts.add(part) }
        // Half of them is received, the others are asked for by nobody.
        let receive: @Sendable ([Int]) -> Void = { [received] in
          if number % 2 == 0 { for value in $0 { received.add(value) } }
        }
        switch number / 2 % 3 {
        case 0: combined.add(observed(ValueFuture.all(parts), number) { receive($0) })
        case 1: combined.add(observed(ValueFuture.zip(parts[0], parts[1]), number) { receive([$0.0, $0.1]) })
        default:
          combined.add(observed(ValueFuture.allSettled(parts), number) { receive($0.compactMap { try? $0.get() }) })
        }
      }
      private func observed<Value>(
        _ future: ValueFuture<Value>,
        _ number: Int,
        _ receive: @escaping @Sendable (Value) -> Void
      ) -> CancelToken {
        if number % 2 == 0 { future.onValue(on: .inline, receive) }
        return future.cancelToken
      }
    }
    let numbers = Atomic(0)
    let received = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject(numbers.add(1, ordering: .relaxed).oldValue) },
      actors: [
        { $0.parts.events[0].complete(with: 0) },
        { $0.parts.events[1].complete(with: 1) },
        { $0.combined.events[0].cancel() },
      ],
      verify: { subject in
        if !subject.received.events.isEmpty { received.add(1, ordering: .relaxed) }
        subject.combined.removeAll()
        subject.parts.removeAll()
        #expect((subject.received.events + subject.undelivered.events).sorted() == [0, 1])
      }
    )
    #expect(bothSidesWon(received.load(ordering: .relaxed)))
  }

  @Test func `joining against the last one leaving: a joiner is refused, or has work that goes on`() async {
    final class Subject: Sendable {
      let work = ValueFuture<Int>()
      let shared: SharedFuture<Int>
      let first: ValueFuture<Int>?
      let second = EventLog<ValueFuture<Int>?>()
      init() {
        shared = SharedFuture(work)
        first = shared.join()
      }
    }
    let refused = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { $0.first?.cancel() },
        { subject in subject.second.add(subject.shared.join()) },
      ],
      verify: { subject in
        if let second = subject.second.events[0] {
          #expect(subject.work.isPending)
          #expect(second.isPending)
          second.cancel()
        } else {
          refused.add(1, ordering: .relaxed)
        }
        #expect(subject.work.isCancelled)
        subject.second.removeAll()
      }
    )
    #expect(bothSidesWon(refused.load(ordering: .relaxed)))
  }

  @Test func `collecting from several threads: all and zip come about once, with everything in its place`() async {
    final class Subject: Sendable {
      let parts = (0..<3).map { _ in ValueFuture<Int>() }
      let all: ValueFuture<[Int]>
      let zip: ValueFuture<(Int, Int, Int)>
      let settled: ValueFuture<[Result<Int, any Error>]>
      let times = Atomic(0)
      init() {
        all = ValueFuture.all(parts)
        zip = ValueFuture.zip(parts[0], parts[1], parts[2])
        settled = ValueFuture.allSettled(parts)
        all.onResult(on: .inline) { [self] _ in times.add(1, ordering: .relaxed) }
      }
    }
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: (0..<3).map { index in { $0.parts[index].complete(with: index) } },
      verify: { subject in
        #expect((try? subject.all.result?.get()) == [0, 1, 2])
        let zip = try? subject.zip.result?.get()
        #expect(zip.map { [$0.0, $0.1, $0.2] } == [0, 1, 2])
        #expect((try? subject.settled.result?.get().map { try $0.get() }) == [0, 1, 2])
        #expect(subject.times.load(ordering: .relaxed) == 1)
      }
    )
  }
}
