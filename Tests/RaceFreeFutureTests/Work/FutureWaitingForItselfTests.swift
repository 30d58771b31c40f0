// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Work that waits for itself stops the program instead of hanging it.
///
/// The programs that stop are run in processes of their own; they block one thread of the pool each, hence one at a
/// time.
@Suite(.serialized, .exitTests) struct FutureWaitingForItselfTests {
  private func message(of result: ExitTest.Result?) -> Substring {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n").first ?? ""
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

  // MARK: Closures

  @Test(arguments: [false, true])
  func `a closure that waits for what it makes stops the program`(_ onQueue: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [onQueue] in
      let (source, made) = (ValueFuture<Int>(label: "source"), EventLog<ValueFuture<Int>>())
      let context = onQueue ? DispatchQueue(label: "own").handlerPlace : .inline
      made.add(source.map(on: context, label: "made") { _ in try made.events[0].wait() })
      await onThread { source.complete(with: 1) }
      _ = try? await made.events[0].value
    }
    #expect(message(of: result).hasSuffix("wait for each other in a cycle: made → made"))
  }

  // MARK: Waits that something else may end

  /// What ends the wait of work for itself.
  enum End: Codable, CaseIterable {
    case deadline, link, derived, block
  }

  @Test(arguments: End.allCases)
  func `work that waits for itself goes on when something else ends it`(_ end: End) async {
    await #expect(processExitsWith: .success) { [end] in
      let (session, derived) = (Future(label: "session"), EventLog<ValueFuture<Int>>())
      let ready = Gate("ready")
      let error = await waitForItself { work in
        switch end {
        case .deadline: work.cancel(after: .milliseconds(50), throwing: Reason("ended"))
        case .link: session.cascadeCancellation(to: work)
        case .derived: derived.add(work.map { $0 })
        case .block:
          work.perform {
            ready.wait()
            work.cancel(throwing: Reason("ended"))
          }
        }
      } meanwhile: {
        ready.open()
        session.cancel(throwing: Reason("ended"))
        for derived in derived.events { derived.cancel(throwing: Reason("ended")) }
      }
      precondition(reason(error) == Reason("ended"))
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

/// Makes background work wait for itself, when it has been prepared; returns the error that ends the wait.
///
/// `meanwhile` runs when the work waits, or is about to.
private func waitForItself(
  _ prepare: @escaping @Sendable (ValueFuture<Int>) -> Void,
  meanwhile: @Sendable () -> Void
) async -> (any Error)? {
  let (log, ends) = (EventLog<ValueFuture<Int>>(), EventLog<Result<Int, any Error>>())
  let (made, waits, over) = (Gate("made"), Gate("about to wait"), Gate("the wait is over"))
  log.add(
    ValueFuture.background(label: "itself") { _ in
      made.wait()
      prepare(log.events[0])
      waits.open()
      ends.add(Result { try log.events[0].wait() })
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
  return ends.events[0].error
}

/// Lazy futures each of which needs the next, and the last one the first.
private func cycle(of count: Int) async {
  let log = EventLog<ValueFuture<Int>>()
  for index in 0..<count {
    log.add(ValueFuture.lazy(label: "number \(index)") { _ in try log.events[(index + 1) % count].wait() })
  }
  await onThread { _ = try? log.events[0].wait() }
}
