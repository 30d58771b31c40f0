// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Work that waits for itself stops the program instead of hanging it.
///
/// The programs that stop are run in processes of their own; they block one thread of the pool each, hence one at a
/// time.
@Suite(.serialized, .exitTests) struct WaitGraphTests {
  private func message(of result: ExitTest.Result?) -> Substring {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n").first ?? ""
  }

  @Test func `a wait that has ended keeps nothing`() async throws {
    let waited = EventLog<WeakWork>()
    await onThread {
      let work = ValueFuture.lazy { _ in
        let part = Future.completing(after: .milliseconds(20))
        waited.add(WeakWork(part))
        return part.wait()
      }
      _ = try? work.wait()
    }
    try await eventually("what was waited for is gone") { waited.events.allSatisfy { $0.isGone } }
    #expect(waited.events.count == 1)
  }

  @Test func `a wait for itself that a deadline of what was derived would end isn't stopped`() async {
    let made = Gate("made")
    let log = EventLog<ValueFuture<Int>>()
    let work = ValueFuture<Int>.background { _ in
      made.wait()
      return (try? log.events[0].wait()) ?? 0
    }
    log.add(work.map { $0 })
    let limited = log.events[0].timeout(after: .milliseconds(200))
    made.open()
    #expect(await limited.outcome == .cancelled)
    await work.drain()
  }

  @Test func `a lazy future that needs itself stops the program with its name`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await cycle(of: 1)
    }
    #expect(message(of: result).hasSuffix("wait for each other in a cycle: number 0 → number 0"))
  }

  @Test func `two lazy futures that need each other stop the program with their names`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await cycle(of: 2)
    }
    #expect(message(of: result).hasSuffix("wait for each other in a cycle: number 0 → number 1 → number 0"))
  }

  @Test func `a cycle of a hundred lazy futures stops the program with all their names`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await cycle(of: 100)
    }
    let names = (0..<100).map { "number \($0)" }.joined(separator: " → ")
    #expect(message(of: result).hasSuffix("wait for each other in a cycle: \(names) → number 0"))
  }

  @Test func `a cycle that two threads close together stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await cycleOfThreads(2)
    }
    #expect(isRotation(message(of: result), of: ["number 0", "number 1"]))
  }

  @Test func `a cycle that seven threads close together stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await cycleOfThreads(7)
    }
    #expect(isRotation(message(of: result), of: (0..<7).map { "number \($0)" }))
  }

  @Test func `a lazy future that needs a future made from itself stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (log, made) = (EventLog<ValueFuture<Int>>(), Gate("made"))
      log.add(
        ValueFuture.lazy(label: "source") { _ in
          made.wait()
          return try log.events[1].wait()
        }
      )
      log.add(ValueFuture.all([log.events[0].map { $0 + 1 }]).map { $0[0] })
      made.open()
      _ = await onThread { try? log.events[1].wait() }
    }
    #expect(message(of: result).contains("wait for each other in a cycle: "))
  }

  @Test func `background work that waits for itself stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let log = EventLog<ValueFuture<Int>>()
      let made = Gate("made")
      log.add(
        ValueFuture.background(label: "itself") { _ in
          made.wait()
          return try log.events[0].wait()
        }
      )
      made.open()
      _ = try? await log.events[0].value
    }
    #expect(message(of: result).hasSuffix("wait for each other in a cycle: itself → itself"))
  }

  // MARK: Nets

  @Test func `two lazy futures may need the same third one, on several threads`() async {
    for _ in 0..<iterations(200) {
      let third = ValueFuture.lazy { _ in 1 }
      let users = (0..<3).map { index in ValueFuture.lazy { _ in try third.wait() + index } }
      let log = EventLog<Int>()
      await onThreads(users.map { user in { if let value = try? user.wait() { log.add(value) } } })
      #expect(log.events.sorted() == [1, 2, 3])
    }
  }

  @Test func `a random net of lazy futures without a cycle is computed, no matter who begins where`() async {
    var generator = SeededGenerator(seed: testSeed)
    for _ in 0..<iterations(30) {
      let count = 40
      let needs = (0..<count).map { index in
        (0..<min(index, 3)).map { _ in Int.random(in: 0..<index, using: &generator) }
      }
      let log = EventLog<ValueFuture<Int>>()
      for index in 0..<count {
        log.add(
          ValueFuture.lazy(label: "\(index)") { _ in
            try needs[index].reduce(1) { try max($0, log.events[$1].wait() + 1) }
          }
        )
      }
      let futures = log.events
      let starts = (0..<4).map { _ in Int.random(in: 0..<count, using: &generator) }
      await onThreads(starts.map { start in { _ = try? futures[start].wait() } })
      for start in starts { #expect((try? futures[start].result?.get()) != nil, "seed \(testSeed)") }
      log.removeAll()
    }
  }

  @Test func `futures that are made from the same work over and over stay small`() async throws {
    let gate = Gate("work")
    var last = ValueFuture.background { _ in
      gate.wait()
      return 1
    }
    // Each level needs the one before twice: by the thirtieth that would be a billion.
    for _ in 0..<30 { last = ValueFuture.zip(last, last).map { max($0.0, $0.1) } }
    gate.open()
    #expect(try await last.value == 1)
  }

  // MARK: Cycles that close while nobody looks

  @Test func `a cycle of lazy futures that flatMap closes stops the program, whichever is asked first`() async {
    let asked = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await cycleThroughFlatMap(askingInner: false)
    }
    #expect(message(of: asked).hasSuffix("wait for each other in a cycle: outer → inner → outer"))
    let answered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await cycleThroughFlatMap(askingInner: true)
    }
    #expect(message(of: answered).contains("wait for each other in a cycle: "))
  }

  @Test func `a cycle that the error of another future closes stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let log = EventLog<ValueFuture<Int>>()
      let (source, waits) = (ValueFuture<Int>(label: "source"), Gate("waits"))
      log.add(source.flatMapError { _ in log.events[1] })
      log.add(
        ValueFuture.background(label: "inner") { _ in
          waits.open()
          return try log.events[0].wait()
        }
      )
      await waits.passed()
      source.complete(throwing: Reason("broken"))
      _ = try? await log.events[0].value
    }
    #expect(message(of: result).contains("inner → "))
  }

  @Test func `a closure of flatMap that returns something derived from what flatMap made stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (source, made) = (ValueFuture<Int>(label: "source"), EventLog<ValueFuture<Int>>())
      made.add(source.flatMap { _ in made.events[1] })
      made.add(ValueFuture.all([made.events[0].map { $0 + 1 }]).map { $0[0] })
      source.complete(with: 1)
    }
    #expect(message(of: result).contains("wait for each other in a cycle: "))
  }

  /// Where a closure waits for what comes of it.
  enum Place: Codable, CaseIterable {
    case early, late, onQueue
  }

  @Test(arguments: Place.allCases)
  func `a closure that waits for what is made of it stops the program`(_ place: Place) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [place] in
      let (source, made) = (ValueFuture<Int>(label: "source"), EventLog<ValueFuture<Int>>())
      let ready = Gate("made")
      @Sendable func wait(_ value: Int) throws -> Int {
        ready.wait()
        return try made.events[0].map { $0 + value }.wait()
      }
      made.add(source.map(on: place == .onQueue ? DispatchQueue(label: "own").handlerPlace : .inline, wait))
      if place == .late { made.add(made.events[0].recover { _ in 0 }) }
      ready.open()
      await onThread { source.complete(with: 1) }
      _ = try? await made.events[0].value
    }
    #expect(message(of: result).contains("wait for each other in a cycle: "))
  }

  @Test func `work and a closure on two threads that wait for each other stop the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let log = EventLog<ValueFuture<Int>>()
      let (source, begun) = (ValueFuture<Int>(label: "source"), [Gate("work"), Gate("closure")])
      log.add(
        source.map { _ in
          begun[1].open()
          begun[0].wait()
          return try log.events[1].wait()
        }
      )
      log.add(
        ValueFuture.lazy(label: "work") { _ in
          begun[0].open()
          begun[1].wait()
          return try log.events[0].wait()
        }
      )
      let futures = log.events
      await onThreads([{ source.complete(with: 1) }, { _ = try? futures[1].wait() }])
    }
    #expect(message(of: result).contains("work"))
    #expect(message(of: result).contains("wait for each other in a cycle: "))
  }

  @Test func `joining one's own work and waiting for it stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shared = EventLog<SharedFuture<Int>>()
      shared.add(SharedFuture(.lazy(label: "image") { _ in try shared.events[0].join(label: "joiner")?.wait() ?? 0 }))
      _ = await shared.events[0].join()?.outcome
    }
    #expect(message(of: result).hasSuffix("wait for each other in a cycle: joiner → image → joiner"))
  }

  // MARK: What needs all, and what needs one

  /// A future that is made of some work and something else.
  enum Combination: Codable, CaseIterable {
    case all, zip, allSettled, any, race

    func of(_ work: ValueFuture<Int>, _ other: ValueFuture<Int>) -> ValueFuture<Int> {
      switch self {
      case .all: ValueFuture.all([work, other]).map { $0[0] }
      case .zip: ValueFuture.zip(other, work).map { $0.1 }
      case .allSettled: ValueFuture.allSettled([work, other]).map { $0.count }
      case .any: .any([work, other])
      case .race: .race([other, work])
      }
    }
  }

  @Test(arguments: Combination.allCases)
  func `work that waits for itself and another that has dropped out stops the program`(_ way: Combination) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [way] in
      let other = ValueFuture<Int>(label: "other")
      switch way {
      case .all, .zip, .allSettled: other.complete(with: 1)
      case .any, .race: other.cancel()
      }
      await waitsForItself { way.of($0, other) }
    }
    #expect(message(of: result).contains("wait for each other in a cycle: "))
  }

  @Test(arguments: [Combination.all, .zip, .any, .race])
  func `work that waits for itself or another goes on when the other one ends it`(_ way: Combination) async {
    await #expect(processExitsWith: .success) { [way] in
      let other = ValueFuture<Int>(label: "other")
      let end = await waitsForItself {
        way.of($0, other)
      } meanwhile: {
        switch way {
        case .all, .zip, .allSettled: other.complete(throwing: Reason("ends all"))
        case .any, .race: other.complete(with: 7)
        }
      }
      switch way {
      case .all, .zip, .allSettled: precondition(reason(end.error) == Reason("ends all"))
      case .any, .race: precondition(end.value == 7)
      }
    }
  }

  @Test func `work that waits for itself goes on when its time is over`() async {
    await #expect(processExitsWith: .success) {
      let end = await waitsForItself { $0.timeout(after: .milliseconds(50)) }
      precondition(end.error is TimeoutError)
      // The same with a timer that was set on the work itself.
      let limited = await waitsForItself { work in
        work.cancel(after: .milliseconds(50))
        return work.map { $0 }
      }
      precondition(limited.error is TimeoutError)
    }
  }

  @Test func `work that waits for itself goes on when what it is linked to is cancelled`() async {
    await #expect(processExitsWith: .success) {
      let session = Future(label: "session")
      let end = await waitsForItself { work in
        session.cascadeCancellation(to: work)
        return work
      } meanwhile: {
        session.cancel(throwing: Reason("closed"))
      }
      precondition(reason(end.error) == Reason("closed"))
    }
  }

  @Test func `a closure of flatMap may return what needs its own work, if a time limit ends that`() async {
    await #expect(processExitsWith: .success) {
      let (source, made) = (ValueFuture<Int>(label: "source"), EventLog<ValueFuture<Int>>())
      made.add(source.flatMap { _ in made.events[1] })
      made.add(made.events[0].timeout(after: .milliseconds(50)))
      source.complete(with: 1)
      let outcome = await made.events[0].outcome
      precondition(outcome == .cancelled)
      made.removeAll()
    }
  }

  // MARK: Growth

  @Test func `the ends of many sources visit nothing, also while a thread is blocked elsewhere`() async {
    await #expect(processExitsWith: .success) {
      let unrelated = ValueFuture<Int>()
      let blocked = ValueFuture.background { _ in try unrelated.wait() }
      try await eventually("it is blocked") { WaitGraph.visits.load(ordering: .relaxed) == 1 }
      for outcome in [Future.Outcome.completed, .cancelled] {
        let sources = (0..<1_000).map { _ in ValueFuture<Int>() }
        let combined: [CancelToken] = [
          ValueFuture.all(sources).cancelToken, ValueFuture.allSettled(sources).cancelToken,
          ValueFuture.any(sources).cancelToken, ValueFuture.race(sources).cancelToken,
        ]
        for source in sources { if outcome == .completed { source.complete(with: 1) } else { source.cancel() } }
        #expect(combined.allSatisfy { !$0.isPending })
      }
      #expect(WaitGraph.visits.load(ordering: .relaxed) == 1)
      unrelated.complete(with: 7)
      #expect(try await blocked.value == 7)
    }
  }

  @Test func `a choice in a chain of flatMap visits no more the longer the chain is`() async {
    await #expect(processExitsWith: .success) {
      func visits(_ body: () -> Void) -> Int {
        let before = WaitGraph.visits.load(ordering: .relaxed)
        body()
        return WaitGraph.visits.load(ordering: .relaxed) - before
      }
      let count = 2_000
      // Each step chooses the next one, which has its own source.
      let inside = visits {
        let sources = (0..<count).map { _ in ValueFuture<Int>() }
        @Sendable func step(_ index: Int) -> ValueFuture<Int> {
          index == count ? .completed(with: index) : sources[index].flatMap { _ in step(index + 1) }
        }
        let last = step(0)
        for source in sources { source.complete(with: 1) }
        #expect(last.result?.value == count)
      }
      // Each step is made of the one before.
      let behind = visits {
        let sources = (0..<count).map { _ in ValueFuture<Int>() }
        let last = sources.dropFirst().reduce(sources[0]) { last, next in last.flatMap { _ in next } }
        for source in sources { source.complete(with: 1) }
        #expect(last.isCompleted)
      }
      // One chooses a long chain, or what is made of many.
      let wide = visits {
        let (source, start) = (ValueFuture<Int>(), (0..<count).map { _ in ValueFuture<Int>() })
        let chain = (0..<count).reduce(start[0]) { last, _ in last.map { $0 } }
        let (first, second) = (source.flatMap { _ in chain }, source.flatMap { _ in ValueFuture.all(start) })
        source.complete(with: 1)
        #expect(first.isPending && second.isPending)
      }
      #expect(inside <= 3 * count && behind <= 3 * count && wide <= 2 * WaitGraph.limit)
    }
  }

  @Test func `a cycle that is too long for the check isn't found`() async {
    await #expect(processExitsWith: .success) {
      let (source, made) = (ValueFuture<Int>(label: "source"), EventLog<ValueFuture<Int>>())
      made.add(source.flatMap { _ in made.events[1] })
      made.add((0..<WaitGraph.limit).reduce(made.events[0]) { last, _ in last.map { $0 } })
      source.complete(with: 1)
      #expect(made.events[0].isPending)
      made.events[0].cancel()
      made.removeAll()
    }
  }

  // MARK: What isn't a cycle at all

  @Test func `a closure of flatMap that returns what flatMap made stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (source, made) = (ValueFuture<Int>(), EventLog<ValueFuture<Int>>())
      made.add(source.flatMap { _ in made.events[0] })
      source.complete(with: 1)
    }
    #expect(message(of: result).contains("a closure of flatMap returned the future that flatMap made"))
  }

  @Test func `a closure of flatMapError that returns what flatMapError made stops the program, and is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (source, made) = (ValueFuture<Int>(), EventLog<ValueFuture<Int>>())
      made.add(source.flatMapError { _ in made.events[0] })
      source.complete(throwing: Reason("no"))
    }
    #expect(message(of: result).contains("a closure of flatMapError returned the future that flatMapError made"))
  }

  @Test func `a cycle that a cancellation opens, or a time limit, isn't one`() async {
    let log = EventLog<ValueFuture<Int>>()
    log.add(
      ValueFuture.lazy(label: "first") { _ in
        log.events[1].cancel()
        return (try? log.events[1].wait()) ?? 7
      }
    )
    log.add(ValueFuture.lazy(label: "second") { _ in try log.events[0].wait() })
    log.add(ValueFuture.lazy(label: "limited") { _ in (try? log.events[2].wait(timeout: .milliseconds(1))) ?? 8 })
    let futures = log.events
    #expect(await onThread { try? futures[1].wait() } == nil)
    #expect((try? futures[0].result?.get()) == 7)
    #expect(await onThread { try? futures[2].wait() } == 8)
    log.removeAll()
  }
}

/// Background work that waits for something that needs it; the end of the wait, or of the work if that comes first.
///
/// `meanwhile` runs when the work waits, or is about to.
@discardableResult
private func waitsForItself(
  by way: @escaping @Sendable (ValueFuture<Int>) -> ValueFuture<Int>,
  meanwhile: @Sendable () -> Void = {}
) async -> Result<Int, any Error> {
  let (log, ends) = (EventLog<ValueFuture<Int>>(), EventLog<Result<Int, any Error>>())
  let (made, waits, over) = (Gate("made"), Gate("about to wait"), Gate("the wait is over"))
  log.add(
    ValueFuture.background(label: "itself") { _ in
      made.wait()
      let derived = way(log.events[0])
      waits.open()
      ends.add(Result { try derived.wait() })
      over.open()
      return 0
    }
  )
  made.open()
  await waits.passed()
  // Long enough for the thread to wait, if it can; which of the two comes first is nothing that may matter.
  await onThread { spin(microseconds: 2_000) }
  meanwhile()
  await over.passed()
  log.removeAll()
  return ends.events[0]
}

/// A cycle of two lazy futures, of which one chooses the other when its own source has its value.
private func cycleThroughFlatMap(askingInner: Bool) async {
  let log = EventLog<ValueFuture<Int>>()
  let made = Gate("made")
  log.add(ValueFuture.lazy(label: "inner") { _ in try log.events[1].wait() })
  let source = ValueFuture.lazy(label: "source") { _ in
    made.wait()
    return 1
  }
  log.add(source.flatMap(label: "outer") { _ in log.events[0] })
  let futures = log.events
  if askingInner {
    let waits = Task { await onThread { _ = try? futures[0].wait() } }
    made.open()
    await waits.value
  } else {
    made.open()
    await onThread { _ = try? futures[1].wait() }
  }
}

/// Lazy futures each of which needs the next, and the last one the first.
private func cycle(of count: Int) async {
  let log = EventLog<ValueFuture<Int>>()
  for index in 0..<count {
    log.add(ValueFuture.lazy(label: "number \(index)") { _ in try log.events[(index + 1) % count].wait() })
  }
  await onThread { _ = try? log.events[0].wait() }
}

/// The same, but each is begun by a thread of its own before any of them asks for the next.
private func cycleOfThreads(_ count: Int) async {
  let log = EventLog<ValueFuture<Int>>()
  let begun = (0..<count).map { Gate("\($0)") }
  for index in 0..<count {
    log.add(
      ValueFuture.lazy(label: "number \(index)") { _ in
        begun[index].open()
        for gate in begun { gate.wait() }
        return try log.events[(index + 1) % count].wait()
      }
    )
  }
  let futures = log.events
  await onThreads(futures.map { future in { _ = try? future.wait() } })
}

/// Whether the message names the cycle, wherever it begins.
private func isRotation(_ message: Substring, of names: [String]) -> Bool {
  names.indices.contains { start in
    let cycle = (0...names.count).map { names[(start + $0) % names.count] }
    return message.hasSuffix("wait for each other in a cycle: \(cycle.joined(separator: " → "))")
  }
}
