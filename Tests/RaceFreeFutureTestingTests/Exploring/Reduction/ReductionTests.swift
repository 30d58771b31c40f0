// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureExploring

@Suite struct ReductionTests {
  @Test(arguments: ClassicProgram.all)
  func `No order is run twice`(_ program: ClassicProgram) async {
    let report = await explore(program.name, .exhaustive(maxOrders: 20_000), scenario: program.scenario)
    #expect(report.passed && report.isComplete && report.orders == program.least, "\(report)")
  }

  @Test(arguments: 0..<UInt64(iterations(40)))
  func `Threads have the same outcomes without the orders that are left out`(_ seed: UInt64) async {
    await compare { RandomThreads(seed: seed).subject }
  }

  @Test(arguments: 0..<UInt64(iterations(60)))
  func `Steps have the same outcomes without the orders that are left out`(_ seed: UInt64) async {
    await compare { RandomSteps(seed: seed).subject }
  }

  @Test(arguments: 0..<UInt64(iterations(60)))
  func `Tasks have the outcomes of a simulation`(_ seed: UInt64) async {
    let program = RandomTasks(seed: seed)
    guard let all = SimulatedTasks.outcomes(of: program) else { return }
    let (some, report) = await ProgramOutcomes.all(of: program.subject, reduces: true, maxOrders: 2_000)
    let isRight = report.isComplete ? some.seen == all : some.seen.isSubset(of: all)
    let (missing, invented) = (all.subtracting(some.seen), some.seen.subtracting(all))
    #expect(report.passed && isRight, "\(program)\n\(report)\nmissing: \(missing)\ninvented: \(invented)")
  }

  @Test(arguments: ["line", "task", "results"])
  func `If steps use something unnoticed, the simulation has an outcome that the search misses`(_ thing: String) async {
    for seed in 0..<UInt64(100) {
      let program = RandomTasks(seed: seed)
      guard let all = SimulatedTasks.outcomes(of: program, most: 10_000) else { continue }
      let (some, report) = await ProgramOutcomes.all(of: program.subject, reduces: true, ignoring: thing)
      if report.isComplete, !some.seen.isSuperset(of: all) { return }
    }
    Issue.record("nothing is missed without \(thing)")
  }

  /// Runs a program without and with reduction.
  private func compare(_ subject: () -> @Sendable (ProgramOutcomes.Log) -> OrderRun.Subject) async {
    let (all, full) = await ProgramOutcomes.all(of: subject(), reduces: false)
    let (some, reduced) = await ProgramOutcomes.all(of: subject(), reduces: true)
    let missing = all.seen.subtracting(some.seen)
    let reports = Comment(rawValue: "\(full)\n\(reduced)\nmissing: \(missing)")
    if all.fails {
      // Which order fails first is another matter: the search ends there.
      #expect(some.fails, reports)
    } else if full.isComplete {
      #expect(some == all && reduced.orders <= full.orders && reduced.isComplete, reports)
    } else if reduced.isComplete || some.fails {
      #expect(all.seen.isSubset(of: some.seen) || some.fails, reports)
    }
  }

  @Test func `A step that became impossible, and possible again, is also taken before both`() async {
    let seen = Variable(Set<Int>())
    let report = await explore("broken and mended") { scenario in
      let (isBroken, isMade, changes) = (Variable(false), Variable(false), Variable(0))
      scenario.actor(
        "breaks",
        .init("breaks", touches: ["whole"]) {
          isBroken.value = true
          changes.value += 1
        }
      )
      scenario.actor("makes", .init("makes", touches: ["made"]) { isMade.value = true })
      scenario.actor(
        "mends",
        .init("mends", touches: ["whole"], when: { isBroken.value }) {
          isBroken.value = false
          changes.value += 1
        }
      )
      scenario.actor(
        "uses",
        .init("uses", touches: ["whole", "made"], when: { isMade.value && !isBroken.value }) {
          seen.value.insert(changes.value)
        }
      )
    }
    #expect(report.passed && report.isComplete && report.orders == 2 && seen.value == [0, 2], "\(report)")
  }

  actor Counter {
    private var count = 0
    func add() { count += 1 }
  }

  /// Tasks with one call each, and the number of their orders of which no two can be told apart.
  struct Calls: Sendable, CustomTestStringConvertible {
    let name: String
    let count: Int
    let least: Int
    let call: @Sendable (_ actors: [Counter]) async -> Void
    var isOfOne = false

    var testDescription: String { "\(name)(\(count))" }

    static let all: [Self] = [
      Self(name: "own actors", count: 2, least: 1, call: inTasks),
      Self(name: "own actors", count: 3, least: 1, call: inTasks),
      Self(name: "own actors", count: 4, least: 1, call: inTasks),
      Self(name: "own actors in a group", count: 4, least: 1, call: inGroup),
      Self(name: "one actor", count: 3, least: 6, call: inTasks, isOfOne: true),
      Self(name: "one actor", count: 4, least: 24, call: inTasks, isOfOne: true),
      Self(name: "one actor in a group", count: 4, least: 24, call: inGroup, isOfOne: true),
      Self(name: "one actor, results", count: 3, least: 36, call: asResults, isOfOne: true),
      Self(name: "one actor, results", count: 4, least: 576, call: asResults, isOfOne: true),
    ]

    @Sendable private static func inTasks(_ actors: [Counter]) async {
      let tasks = actors.map { actor in Task { await actor.add() } }
      for task in tasks { await task.value }
    }

    @Sendable private static func inGroup(_ actors: [Counter]) async {
      await withTaskGroup(of: Void.self) { group in
        for actor in actors { group.addTask { await actor.add() } }
      }
    }

    @Sendable private static func asResults(_ actors: [Counter]) async {
      await withTaskGroup(of: Int.self) { group in
        for (number, actor) in actors.enumerated() {
          group.addTask {
            await actor.add()
            return number
          }
        }
        var numbers: [Int] = []
        for await number in group { numbers.append(number) }
      }
    }
  }

  @Test(arguments: Calls.all)
  func `Tasks that call actors have no two orders that can't be told apart, if they share nothing else`(
    _ calls: Calls
  ) async {
    let report = await exploreTasks(calls.testDescription) { scenario in
      scenario.sharesOnlyActorsAndExplored()
      let one = Counter()
      await calls.call((0..<calls.count).map { _ in calls.isOfOne ? one : Counter() })
    }
    #expect(report.passed && report.isComplete && report.orders == calls.least, "\(report)")
    let words = report.description.replacing("\n", with: " ")
    #expect(words.contains("if the tasks share only actors and primitives of Explored, as stated"), "\(report)")
  }

  private actor Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  @Test func `Calls of tasks with different priorities have the same outcomes without the orders that are left out`()
    async
  {
    await compare {
      { outcomes in
        .body { scenario in
          scenario.sharesOnlyActorsAndExplored()
          let (log, hasCome) = (Log(), Shared(Explored.Atomic(0)))
          let low = Task(priority: .low) {
            hasCome.value.store(1, ordering: .sequentiallyConsistent)
            await log.add("low")
          }
          let high = Task(priority: .high) {
            let seen = hasCome.value.load(ordering: .sequentiallyConsistent)
            await log.add("high after \(seen)")
          }
          await low.value
          await high.value
          outcomes.add("\(await log.lines)")
        }
      }
    }
  }

  @Test func `Too many orders of tasks: those that can be told apart by what is seen are run in any case`() async {
    let report = await exploreTasks("own actors", .exhaustive(maxOrders: 400)) { _ in
      let tasks = (0..<4).map { _ in Task { await Counter().add() } }
      for task in tasks { await task.value }
    }
    #expect(report.passed && !report.isComplete && report.orders == 400, "\(report)")
    let words = report.description.replacing("\n", with: " ")
    #expect(words.contains("and the only one that can be told apart if"), "\(report)")
  }
}
