// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// One order step by step, and all orders at the moments when nothing is left to do.
@Suite(.serialized) struct SettleTests {
  @Suite(.explored) struct InEveryOrder {
    @Test func `All calls of an actor are over`() async {
      let counter = Counter()
      for _ in 0..<2 { Task { await counter.increment() } }
      await settle()
      #expect(await counter.value == 2)
    }

    @Test func `A task that yields isn't at its end`() async {
      let log = Variable("")
      for name in ["a", "b"] {
        Task {
          for _ in 0..<2 {
            await Task.yield()
            log.value += name
          }
        }
      }
      await settle()
      #expect(log.value.count == 4)
    }

    @Test(.explored(.once)) @MainActor func `The main actor has served all, and the test goes on there`() async {
      let log = Variable("")
      for name in ["a", "b"] { Task { @MainActor in log.value += name } }
      await settle()
      MainActor.assertIsolated()
      #expect(log.value == "ab")
    }

    @Test func `No time passes, and what is due is over`() async throws {
      let log = Variable("")
      for (name, time) in [("a", 100), ("b", 200), ("c", 300)] {
        Task {
          try await Task.sleep(for: .milliseconds(time))
          await Task.yield()
          log.value += name
        }
      }
      let clock = ContinuousClock()
      let began = clock.now
      await settle()
      #if os(Linux)
        #expect(clock.now == began)
      #endif
      #expect(log.value == "")
      try await Task.sleep(for: .milliseconds(200))
      await settle()
      #expect(log.value == "ab")
    }

    @Test func `A debounce is looked at from letter to letter`() async throws {
      let asked = Variable<[String]>([])
      let model = await Suggestions { text in
        asked.value.append(text)
        return [text]
      }
      await model.type("c")
      try await Task.sleep(for: .milliseconds(299))
      await settle()
      #expect(asked.value == [])
      await model.type("ca")
      try await Task.sleep(for: .milliseconds(300))
      await settle()
      #expect(asked.value == ["ca"])
    }
  }

  @Test func `The clock of a scenario stands still until nothing else is left`() async {
    let report = await exploreTasks("clock") { scenario in
      let (clock, log) = (scenario.clock, Variable(""))
      Task {
        try await clock.sleep(for: .seconds(1))
        log.value += "a"
      }
      await scenario.settle()
      scenario.check(log.value == "" && clock.now.offset == .zero, "it is \(clock.now)")
      try await clock.sleep(for: .seconds(1))
      await scenario.settle()
      scenario.check(log.value == "a", "it sleeps")
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test func `Of two that settle either is first, and what they begin is over before the other goes on`() async {
    for isAllExplored in [false, true] {
      let found = Variable<Set<String>>([])
      let report = await exploreTasks("two settle") { scenario in
        if isAllExplored { scenario.sharesOnlyActorsAndExplored() }
        let log = Variable("")
        for name in ["a", "b"] {
          Task {
            await settle()
            log.value += name
            Task {
              await Task.yield()
              log.value += name.uppercased()
            }
          }
        }
        scenario.atEnd {
          found.value.insert(log.value)
          return nil
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(found.value == ["aAbB", "bBaA"])
    }
  }

  @Test func `Settling adds no orders`() async {
    let report = await exploreTasks("two calls") { scenario in
      scenario.sharesOnlyActorsAndExplored()
      let counter = Counter()
      for _ in 0..<2 { Task { await counter.increment() } }
      await settle()
      for _ in 0..<2 { Task { await counter.increment() } }
      await settle()
    }
    #expect(report.passed && report.isComplete && report.orders == 4, "\(report)")
  }

  @Test func `A failure behind it is drawn with it`() async {
    let report = await withoutRecording {
      await exploreTasks("settled") { scenario in
        let counter = Counter()
        Task { await counter.increment() }
        await scenario.settle()
        await scenario.check(counter.value == 0, "it was counted")
      }
    }
    #expect(report.failure == "it was counted" && report.description.contains("settles"), "\(report)")
  }

  // MARK: One order

  @Test func `In one order who came first is first, nobody is interrupted, and it is the same each time`() async {
    for _ in 0..<3 {
      let log = Variable("")
      let report = await exploreTasks("once", .once) { _ in
        log.value = ""
        for name in ["a", "b", "c"] {
          Task {
            for _ in 0..<2 {
              log.value += name
              await Task.yield()
            }
          }
        }
        log.value += "-"
        await settle()
        log.value += "-"
      }
      #expect(report.passed && report.orders == 1 && !report.isComplete, "\(report)")
      #expect(log.value == "-abcabc-")
    }
  }

  @Test func `One order that fails is drawn, and replayed`() async {
    let body: @Sendable @concurrent (TaskScenario) async -> Void = { scenario in
      let counter = Counter()
      async let one: Void = counter.increment()
      await settle()
      await scenario.check(counter.value == 0, "it was counted")
      await one
    }
    let report = await withoutRecording { await exploreTasks("once", .once, body: body) }
    #expect(report.failure == "it was counted" && report.orders == 1, "\(report)")
    let again = await withoutRecording { await exploreTasks("once", .replay(report.order ?? ""), body: body) }
    #expect(again.failure == report.failure, "\(again)")
  }

  // MARK: Misuse

  @Test(.exitTests) func `Outside of an exploration it stops the program, and says why`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await settle()
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("outside of an exploration"))
  }

  @Test(.exitTests) func `In a scenario of steps it stops the program`() async {
    await #expect(processExitsWith: .failure) {
      await explore("steps") { scenario in scenario.actor("a") { _ in await settle() } }
    }
  }
}
