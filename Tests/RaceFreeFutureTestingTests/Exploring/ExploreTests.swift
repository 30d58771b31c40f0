// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ExploreTests {
  // MARK: Which orders

  @Test(arguments: [([2, 2], 6), ([4, 4], 70), ([3, 3, 3], 1_680), ([1, 2, 3], 60), ([8], 1)])
  func `Every order is run, and each once`(sizes: [Int], count: Int) async {
    let orders = Variable<Set<String>>([])
    let report = await explore("all orders") { scenario in
      let order = Variable("")
      for (actor, size) in sizes.enumerated() {
        scenario.actor("\(actor)", (0..<size).map { _ in .init("step") { order.value += "\(actor)" } })
      }
      scenario.atEnd { orders.value.insert(order.value).inserted ? nil : "\(order.value) came twice" }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(report.orders == count)
    #expect(orders.value.count == count)
  }

  @Test func `Actors that are tasks have the same orders as lists of steps`() async {
    let report = await explore("all orders") { scenario in
      for name in ["a", "b", "c"] {
        scenario.actor(name) { actor in
          for step in 1...3 { await actor.step("step \(step)") {} }
        }
      }
    }
    #expect(report.passed && report.isComplete && report.orders == 1_680, "\(report)")
  }

  @Test func `Those with fewer forced switches come first`() async {
    let last = Variable(0)
    let report = await explore("fewest switches first") { scenario in
      let order = Variable<[Int]>([])
      for actor in 0..<2 {
        scenario.actor("\(actor)", (0..<3).map { _ in .init("step") { order.value.append(actor) } })
      }
      scenario.atEnd {
        // The end of an actor is no forced switch.
        let chosen = order.value
        let switches = chosen.indices.dropFirst().filter { chosen[$0] != chosen[$0 - 1] }
        let forced = switches.count { chosen[$0...].contains(chosen[$0 - 1]) }
        defer { last.value = forced }
        return forced < last.value ? "\(forced) after \(last.value)" : nil
      }
    }
    #expect(report.passed && report.orders == 20, "\(report)")
    #expect(last.value == 4)
  }

  @Test func `Beyond the limit a quarter is drawn at random, and the report says so`() async {
    let report = await explore("too many", .exhaustive(maxOrders: 400, seed: 7)) { scenario in
      for name in ["a", "b", "c"] { scenario.actor(name, (0..<6).map { .init("step \($0)") {} }) }
    }
    #expect(report.passed && !report.isComplete && report.orders == 400)
    #expect(
      report.description == """
        explore "too many" passed: 400 orders, not all that there are: all with at most 1 forced switch, 300 with the
        fewest switches, 100 at random with seed 7 (99 different ones), 12 of them by priorities: a third of these
        show a mistake in the order of two steps with a probability of at least 1 in 54 each
        """
    )
  }

  @Test func `A random sample is the same for the same seed`() async {
    func orders(_ seed: UInt64) async -> Set<String> {
      let orders = Variable<Set<String>>([])
      _ = await explore("a sample", .sample(orders: 20, seed: seed)) { scenario in
        let order = Variable("")
        for name in ["a", "b", "c"] {
          scenario.actor(name, (0..<4).map { _ in .init("step") { order.value += name } })
        }
        scenario.atEnd {
          orders.value.insert(order.value)
          return nil
        }
      }
      return orders.value
    }
    let first = await orders(1)
    #expect(await orders(1) == first)
    #expect(await orders(2) != first)
    #expect(first.count > 10)
  }

  @Test(.withoutRecording, arguments: [6, 8])
  func `A mistake that needs one switch in the right place is found among many steps`(actors: Int) async {
    let report = await explore("one is interrupted", .exhaustive(maxOrders: 20_000, seed: 1)) { scenario in
      let (atFive, isWrong) = (Variable(false), Variable(false))
      let steps = Variable(0)
      for actor in 0..<actors {
        scenario.actor(
          "\(actor)",
          (0..<12).map { number in
            .init("\(number)") {
              // All of another actor's steps in the middle of those of the one before the last.
              if actor == actors - 2 {
                atFive.value = number == 5
                if number == 6, steps.value == 12 { isWrong.value = true }
                steps.value = 0
              } else if actor == actors - 1, atFive.value {
                steps.value += 1
              }
            }
          }
        )
      }
      scenario.invariant { isWrong.value ? "found" : nil }
    }
    #expect(report.failure == "found")
  }

  // MARK: Steps that touch nothing in common

  @Test(arguments: [(0, 1), (1, 6), (2, 90)])
  func `Independent steps aren't permuted`(shared: Int, count: Int) async {
    let ends = Variable<Set<String>>([])
    let report = await explore("3 actors") { scenario in
      let log = Variable("")
      for name in ["a", "b", "c"] {
        let own = (0..<4 - shared).map { number in Scenario.Step("own \(number)", touches: [name]) {} }
        let common = (0..<shared).map { _ in Scenario.Step("log", touches: ["log"]) { log.value += name } }
        scenario.actor(name, own + common)
      }
      scenario.atEnd {
        ends.value.insert(log.value)
        return nil
      }
    }
    #expect(report.passed && report.isComplete && report.orders == count, "\(report)")
    #expect(ends.value.count == count)
  }

  @Test func `No end of a random program is lost by that`() async {
    var generator = SeededGenerator(seed: testSeed)
    for _ in 0..<iterations(6) {
      // Each step copies a variable to another one, or counts one up, and says so.
      let program = (0..<3).map { _ in
        (0..<3).map { _ in (Int.random(in: 0..<4, using: &generator), Int.random(in: 0..<4, using: &generator)) }
      }
      func ends(says: Bool) async -> Set<[Int]> {
        let ends = Variable<Set<[Int]>>([])
        let report = await explore("random") { scenario in
          let values = Variable([1, 2, 3, 4])
          for (number, actor) in program.enumerated() {
            scenario.actor(
              "\(number)",
              actor.map { from, to in
                .init("\(from) to \(to)", touches: says ? ["\(from)", "\(to)"] : nil) {
                  values.value[to] = values.value[from] * 10 + number
                }
              }
            )
          }
          scenario.atEnd {
            ends.value.insert(values.value)
            return nil
          }
        }
        #expect(report.passed && report.isComplete, "\(report)")
        return ends.value
      }
      #expect(await ends(says: true) == ends(says: false), "\(program), seed \(testSeed)")
    }
  }

  // MARK: Seeded faults

  /// A token with the mistake that most have.
  private static func checkThenAct(_ scenario: Scenario) {
    let (wins, outcome) = (Variable(0), Variable<String?>(nil))
    for name in ["complete", "cancel"] {
      scenario.actor(name) { actor in
        guard await actor.step("is it free?", { outcome.value == nil }) else { return }
        await actor.step("take it") {
          outcome.value = name
          wins.value += 1
        }
      }
    }
    scenario.invariant { wins.value > 1 ? "both have won" : nil }
    scenario.state { "\(wins.value) won" }
  }

  @Test(.withoutRecording) func `A check that is acted upon a step later is found within four orders`() async {
    let report = await explore("only one of the two wins", scenario: Self.checkThenAct)
    #expect(report.failure == "both have won")
    #expect(report.orders <= 4 && report.steps == 4)
    #expect(
      report.description == """
        explore "only one of the two wins" FAILED: order 3, with 1 switch from one that could have continued
        both have won

             complete           │ cancel             │ state
            ────────────────────┼────────────────────┼───────
                                │                    │ 0 won
          1                     │ is it free? → true │ 0 won
        ▸ 2  is it free? → true │                    │ 0 won
          3  take it            │                    │ 1 won
        ✗ 4                     │ take it            │ 2 won

        ▸ decides: no later choice was found that avoids the failure

        this order is the same each time; to run it alone, give explore as its second argument:
        .replay("1001")
        """
    )
  }

  @Test(.withoutRecording) func `A random order that fails loses the switches that it doesn't need`() async {
    let report = await explore("only one of the two wins", .sample(orders: 200, seed: 3)) { scenario in
      Self.checkThenAct(scenario)
      scenario.actor("idle", (0..<4).map { .init("nothing \($0)") {} })
    }
    #expect(report.failure == "both have won")
    let order = report.order ?? ""
    #expect(zip(order, order.dropFirst()).count { $0 != $1 } <= 3, "\(report)")
  }

  @Test(.withoutRecording) func `An order that failed fails again when it is replayed`() async {
    let report = await explore("only one of the two wins", .replay("1001"), scenario: Self.checkThenAct)
    #expect(report.failure == "both have won" && report.orders == 1 && report.order == "1001")
    let other = await explore("only one of the two wins", .replay("11"), scenario: Self.checkThenAct)
    #expect(other.passed && !other.isComplete)
    let wrong = await explore("only one of the two wins", .replay("110011"), scenario: Self.checkThenAct)
    #expect(wrong.passed == false && wrong.failure?.contains("doesn't fit") == true, "\(wrong)")
    #expect(await explore("…", .replay("1-1"), scenario: Self.checkThenAct).failure?.contains("is no order") == true)
  }

  @Test(.withoutRecording) func `A handler that runs after its view has gone is found`() async {
    let report = await explore("a view that is gone is not touched") { scenario in
      let (isGone, touched) = (Variable(false), Variable(false))
      let future = Future(label: "load")
      future.onComplete(on: .main) { touched.value = isGone.value }
      scenario.actor("network", .init("complete()") { future.tryComplete() })
      scenario.actor("user", .init("cancel()") { future.tryCancel() }, .init("the view goes") { isGone.value = true })
      scenario.atEnd { touched.value ? "the handler touched a view that was gone" : nil }
      scenario.state { future.isPending ? "pending" : future.isCompleted ? "completed" : "cancelled" }
    }
    #expect(report.failure == "the handler touched a view that was gone")
    #expect(report.order == "0112")
    #expect(report.description.contains("│ main"), "\(report)")
  }

  @Test(.withoutRecording) func `A lost cancellation is found: the work is stored after it came`() async {
    let report = await explore("cancelled work is stopped") { scenario in
      let (isCancelled, isStored, isStopped) = (Variable(false), Variable(false), Variable(false))
      scenario.actor(
        "worker",
        .init("cancelled already?") { isCancelled.value },
        .init("store how to stop") { isStored.value = true }
      )
      scenario.actor(
        "user",
        .init("cancel") {
          isCancelled.value = true
          isStopped.value = isStored.value
        }
      )
      scenario.atEnd { !isStopped.value && isStored.value ? "the work goes on for ever" : nil }
    }
    #expect(report.failure == "the work goes on for ever")
    #expect(report.orders <= 3)
  }

  @Test func `A future instead of each of them passes`() async throws {
    await explore("only one of the two wins") { scenario in
      let future = Future(label: "work")
      let ran = Variable<[String]>([])
      future.onComplete { ran.value.append("completed") }
      future.onCancel(on: .main) { ran.value.append("cancelled") }
      scenario.actor("worker", .init("complete()") { future.complete() }, .init("again") { future.complete() })
      scenario.actor("user", .init("cancel()") { future.cancel() }, .init("block") { future.perform {} })
      scenario.atEnd { ran.value.count == 1 ? nil : "handlers ran: \(ran.value)" }
    }
  }

  // MARK: What a future does

  @Test func `Handlers, blocks and queued decisions are steps of their own`() async {
    let seen = Variable<Set<String>>([])
    let report = await explore("a block against a cancellation") { scenario in
      let (future, log) = (Future(label: "x"), Variable<[String]>([]))
      future.onCancel { log.value.append("handler") }
      scenario.actor("a", .init("perform") { future.perform { log.value.append("block \(future.isPending)") } })
      scenario.actor("b", .init("cancel") { future.cancel() })
      scenario.atEnd {
        seen.value.insert(log.value.joined(separator: ", "))
        return nil
      }
    }
    #expect(report.passed && report.isComplete)
    #expect(seen.value == ["block true, handler", "handler, block false"])
  }

  @Test func `A timer fires at every moment, and before later ones`() async {
    let seen = Variable<Set<String>>([])
    let report = await explore("timeouts") { scenario in
      let (future, log) = (Future(label: "x"), Variable<[String]>([]))
      let later = Future(label: "later")
      future.onCancel(on: .inline) { log.value.append("first") }
      later.onCancel(on: .inline) { log.value.append("second") }
      later.cancel(after: .seconds(5))
      future.cancel(after: .seconds(3))
      scenario.actor("a", .init("complete") { later.tryComplete() ? log.value.append("completed") : () })
      scenario.atEnd {
        seen.value.insert(log.value.joined(separator: " "))
        return nil
      }
    }
    #expect(report.passed && report.isComplete)
    #expect(seen.value == ["first second", "first completed", "completed first"])
  }

  @Test func `Actors await futures, values, tasks and time limits of the scenario`() async throws {
    let report = await explore("awaiting") { scenario in
      let (number, log) = (ValueFuture<Int>(label: "number"), Variable<[String]>([]))
      let task = ValueFuture<Int>.task(label: "double") { try await number.value * 2 }
      let work = ValueFuture.background(label: "work") { _ in 7 }
      scenario.actor("reader") { actor in
        let sum = try await number.value + task.value + work.value
        await actor.step("sum") { log.value.append("\(sum)") }
        do { _ = try await ValueFuture<Int>(label: "never").value(within: .seconds(1)) } catch is TimeoutError {}
        await number.withTurn { log.value.append("block") }
        _ = await number.handlersFinished
      }
      scenario.actor("giver", .init("give") { number.complete(with: 5) })
      scenario.atEnd { log.value == ["22", "block"] ? nil : "log: \(log.value)" }
    }
    #expect(report.passed && report.isComplete && report.orders == 20, "\(report)")
  }

  @Test func `A waiting call takes along what is queued before it`() async throws {
    await explore("performAndWait") { scenario in
      let (future, log) = (Future(), Variable<[Int]>([]))
      scenario.actor("a", .init("1") { future.perform { log.value.append(1) } })
      scenario.actor("b", .init("2") { future.performAndWait { log.value.append(2) } })
      scenario.atEnd { log.value.count == 2 ? nil : "\(log.value)" }
    }
  }

  // MARK: What isn't as it should be

  @Test(.withoutRecording) func `A deadlock says who waits for what`() async {
    let report = await explore("two wait for each other") { scenario in
      let (a, b) = (Future(label: "a"), Future(label: "b"))
      scenario.actor("one") { actor in
        await actor.step("begin") {}
        _ = await a.outcome
        await actor.step("b") { b.complete() }
      }
      scenario.actor("two", .init("a", when: { b.isCompleted }) { a.complete() })
    }
    #expect(
      report.failure
        == "deadlock: nothing can continue, but \"one\" awaits \"a\" after its step \"begin\", "
        + "\"two\" may not take its step \"a\""
    )
  }

  @Test(.withoutRecording) func `A wait for something of somewhere else is reported`() async {
    let outside = Future(label: "outside")
    let report = await explore("out of control") { scenario in
      scenario.actor("one") { actor in
        await actor.step("begin") {}
        _ = await outside.outcome
      }
    }
    outside.complete()
    #expect(report.failure?.contains("\"one\" left the explorer's control after its step \"begin\"") == true)
  }

  @Test func `An actor that waits for another one of the scenario hasn't left control`() async throws {
    actor Counter {
      var count = 0
      func increment(_ other: Counter?) async {
        await other?.increment(nil)
        count += 1
      }
    }
    await explore("two actors call one Swift actor") { scenario in
      let (counter, other, seen) = (Counter(), Counter(), Variable(0))
      for name in ["a", "b"] {
        scenario.actor(name) { actor in
          await actor.step("begin") {}
          await counter.increment(other)
          seen.value += 1
        }
      }
      scenario.atEnd { seen.value == 2 ? nil : "\(seen.value) calls returned" }
    }
    let orders = Variable<Set<String>>([])
    let report = await explore("one resumes the other") { scenario in
      let (waiting, log) = (Variable<CheckedContinuation<Void, Never>?>(nil), Variable(""))
      scenario.actor("waits") { actor in
        await withCheckedContinuation { waiting.value = $0 }
        await actor.step("woken") { log.value += "w" }
      }
      scenario.actor("wakes", .init("resume", when: { waiting.value != nil }) { waiting.value?.resume() })
      scenario.actor("idle", .init("x") { log.value += "x" })
      scenario.atEnd {
        orders.value.insert(log.value)
        return nil
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(orders.value == ["wx", "xw"])
  }

  @Test func `Child tasks have lines of their own`() async {
    let seen = Variable<Set<String>>([])
    let report = await explore("two children") { scenario in
      let log = Variable("")
      scenario.actor("parent") { actor in
        await withTaskGroup { group in
          for name in ["a", "b"] {
            group.addTask {
              for _ in 0..<2 {
                log.value += name
                await Task.yield()
              }
            }
          }
        }
      }
      scenario.atEnd {
        seen.value.insert(log.value)
        return nil
      }
    }
    #expect(report.passed && report.isComplete && report.orders > 1, "\(report)")
    #expect(seen.value == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
  }

  @Test(.withoutRecording) func `A wait on another thread is reported, and changes nothing of the order's`() async {
    let report = await explore("a wait on another thread") { scenario in
      let future = Future(label: "inside")
      scenario.actor(
        "one",
        .init("start") {
          let ended = DispatchGroup()
          for _ in 0..<4 {
            ended.enter()
            startThread {
              if let queue = future.scheduledQueue {
                for _ in 0..<100 { queue.scheduler.endWait(queue.scheduler.beginWait(for: queue)) }
              }
              ended.leave()
            }
          }
          ended.wait()
        }
      )
    }
    #expect(report.failure?.hasPrefix("another thread awaits \"inside\"") == true, "\(report)")
  }

  @Test(.withoutRecording) func `An order without an end is reported`() async {
    let report = await explore("a loop", .exhaustive(maxSteps: 50)) { scenario in
      let future = Future()
      scenario.actor("waits") { actor in
        while await actor.step("poll", { future.isPending }) {}
      }
      scenario.actor("works", .init("complete") { future.complete() })
    }
    #expect(report.failure?.hasPrefix("no end after 50 steps, the last by \"waits\"") == true)
    #expect(report.description.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
  }

  @Test func `A condition makes a step wait`() async throws {
    await explore("a loop with a condition") { scenario in
      let future = Future()
      scenario.actor("waits") { actor in await actor.step("resolved", when: { !future.isPending }) {} }
      scenario.actor("works", .init("complete") { future.complete() })
    }
  }

  @Test(.withoutRecording) func `Errors are failures`() async {
    struct Oops: Error {}
    let step = await explore("a step") { $0.actor("a", .init("go") { throw Oops() }) }
    #expect(step.failure == "the step \"go\" of \"a\" threw an error: Oops()")
    let task = await explore("a task") { $0.actor("a") { _ in throw Oops() } }
    #expect(task.failure == "\"a\" threw an error: Oops()")
    let scenario = await explore("a scenario") { _ in throw Oops() }
    #expect(scenario.failure == "the scenario threw an error: Oops()")
    let nothing = await explore("no actor") { _ in }
    #expect(!nothing.passed && nothing.orders == 1)
  }

  @Test(.withoutRecording) func `A scenario that differs from run to run is reported`() async {
    let runs = Variable(0)
    let report = await explore("not repeatable") { scenario in
      runs.value += 1
      scenario.actor("a", (0...(runs.value % 2)).map { .init("\($0)") {} })
      scenario.actor("b", .init("x") {}, .init("y") {})
    }
    #expect(report.failure?.hasPrefix("the scenario isn't the same each time") == true, "\(report)")
  }

  @Test(.withoutRecording) func `A failure that comes only once is told first, then that it didn't come again`() async {
    let runs = Variable(0)
    let report = await explore("only once") { scenario in
      runs.value += 1
      let isFirst = runs.value == 1
      scenario.actor("a", .init("x") {}, .init("y") {})
      scenario.atEnd { isFirst ? "the sum is wrong" : nil }
    }
    let failure = "the sum is wrong (once; when this order was run again, it didn't fail: the scenario isn't the same"
    #expect(report.failure?.hasPrefix(failure) == true, "\(report)")
    #expect(report.description.contains("this order, when it was run again; to run it alone"), "\(report)")
    #expect(!report.description.contains("✗"), "\(report)")
  }

  @Test(.withoutRecording) func `However long an order is, the report has it`() async {
    let report = await explore("a long one", .exhaustive(maxSteps: 5_000)) { scenario in
      scenario.actor("a", (0..<1_500).map { .init("\($0)") {} })
      scenario.atEnd { "wrong" }
    }
    #expect(report.order == String(repeating: "0", count: 1_500), "\(report)")
    let lines = report.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 60 && lines.dropLast().allSatisfy { $0.count <= 110 }, "\(report)")
    #expect(lines.last == ".replay(\"\(report.order ?? "")\")", "\(report)")
  }

  @Test func `Nothing of an order is kept after it`() async throws {
    let live = LiveCount()
    await explore("kept") { scenario in
      let instance = live.make()
      let future = Future(label: "kept")
      future.onComplete { instance.touch() }
      future.onComplete(on: .main) { instance.touch() }
      future.cancel(after: .seconds(1))
      scenario.actor("completes", .init("complete") { future.complete() })
      scenario.actor("looks", .init("look") { instance.touch() })
    }
    #expect(live.value == 0)
  }
}
