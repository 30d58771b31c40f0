// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
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

  @Test(arguments: 0..<UInt64(iterations(30)))
  func `Tasks have the same outcomes without the orders that are left out`(_ seed: UInt64) async {
    await compare { RandomTasks(seed: seed).subject }
  }

  /// Runs a program without and with reduction.
  private func compare(_ subject: () -> @Sendable (ProgramOutcomes.Log) -> OrderRun.Subject) async {
    let (all, full) = await ProgramOutcomes.all(of: subject(), reduces: false)
    let (some, reduced) = await ProgramOutcomes.all(of: subject(), reduces: true)
    let reports = Comment(rawValue: "\(full)\n\(reduced)")
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

  @Test(arguments: [2, 3, 4])
  func `Tasks that call an actor of their own have one order, if they share nothing else`(_ count: Int) async {
    let report = await exploreTasks("own actors(\(count))") { scenario in
      scenario.sharesOnlyActorsAndExplored()
      let tasks = (0..<count).map { _ in Task { await Counter().add() } }
      for task in tasks { await task.value }
    }
    #expect(report.passed && report.isComplete && report.orders == 1, "\(report)")
    let words = report.description.replacing("\n", with: " ")
    #expect(words.contains("if the tasks share only actors and primitives of Explored, as stated"), "\(report)")
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
