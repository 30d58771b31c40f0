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
@Suite(.serialized) struct JobWaitsTests {
  private func message(of result: ExitTest.Result?) -> Substring {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n").first ?? ""
  }

  @Test func `a lazy future that needs itself stops the program with its name`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await circle(of: 1)
    }
    #expect(message(of: result).hasSuffix("wait for each other in a circle: number 0 → number 0"))
  }

  @Test func `two lazy futures that need each other stop the program with their names`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await circle(of: 2)
    }
    #expect(message(of: result).hasSuffix("wait for each other in a circle: number 0 → number 1 → number 0"))
  }

  @Test func `a circle of a hundred lazy futures stops the program with all their names`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await circle(of: 100)
    }
    let names = (0..<100).map { "number \($0)" }.joined(separator: " → ")
    #expect(message(of: result).hasSuffix("wait for each other in a circle: \(names) → number 0"))
  }

  @Test func `a circle that two threads close together stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await circleOfThreads(2)
    }
    #expect(isRotation(message(of: result), of: ["number 0", "number 1"]))
  }

  @Test func `a circle that seven threads close together stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await circleOfThreads(7)
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
    #expect(message(of: result).contains("wait for each other in a circle: "))
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
    #expect(message(of: result).hasSuffix("wait for each other in a circle: itself → itself"))
  }

  // MARK: What isn't a circle

  @Test func `two lazy futures may need the same third one, on several threads`() async {
    for _ in 0..<iterations(200) {
      let third = ValueFuture.lazy { _ in 1 }
      let users = (0..<3).map { index in ValueFuture.lazy { _ in try third.wait() + index } }
      let log = EventLog<Int>()
      await onThreads(users.map { user in { if let value = try? user.wait() { log.add(value) } } })
      #expect(log.events.sorted() == [1, 2, 3])
    }
  }

  @Test func `a random net of lazy futures without a circle is computed, whoever begins where`() async {
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

  @Test func `a closure of flatMap that returns what flatMap made stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (source, made) = (ValueFuture<Int>(), EventLog<ValueFuture<Int>>())
      made.add(source.flatMap { _ in made.events[0] })
      source.complete(with: 1)
    }
    #expect(message(of: result).contains("a closure of flatMap returned the future that flatMap made"))
  }

  @Test func `a circle that a cancellation opens, or a time limit, isn't one`() async {
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

/// Lazy futures each of which needs the next, and the last one the first.
private func circle(of count: Int) async {
  let log = EventLog<ValueFuture<Int>>()
  for index in 0..<count {
    log.add(ValueFuture.lazy(label: "number \(index)") { _ in try log.events[(index + 1) % count].wait() })
  }
  await onThread { _ = try? log.events[0].wait() }
}

/// The same, but each is begun by a thread of its own before any of them asks for the next.
private func circleOfThreads(_ count: Int) async {
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

/// Whether the message names the circle, wherever it begins.
private func isRotation(_ message: Substring, of names: [String]) -> Bool {
  names.indices.contains { start in
    let circle = (0...names.count).map { names[(start + $0) % names.count] }
    return message.hasSuffix("wait for each other in a circle: \(circle.joined(separator: " → "))")
  }
}
