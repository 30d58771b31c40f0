// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The folder with the large graphs.
private let folder = ProcessInfo.processInfo.environment["RACEFREEFUTURE_GRAPHS"].map { URL(filePath: $0) }

/// The TLA+ specification and the code: the graph of states that TLC has found is walked with the real machine.
@Suite struct SpecificationTests {
  @Test func `the code takes every step of the specification`() throws {
    try expectSameSteps(StateGraph(named: "pair"))
  }

  @Test(
    .enabled(if: folder != nil, "Scripts/specification.sh makes the graphs, and runs this test"),
    arguments: ["one-future", "trees", "bare"]
  ) func `the code takes every step of the large graphs`(name: String) throws {
    try expectSameSteps(StateGraph(named: name, in: folder))
  }

  private func expectSameSteps(_ graph: StateGraph) {
    #expect(graph.programs.count > 20)
    // All of them, or one of so many.
    let stride = graph.programs.count / min(graph.programs.count, iterations(graph.programs.count))
    for number in Swift.stride(from: 0, to: graph.programs.count, by: stride) {
      let program = graph.programs[number]
      let walk = graph.walk(program)
      if let difference = walk.difference {
        Issue.record("\(difference)")
        return
      }
      #expect(walk.states == program.states.count)
      #expect(walk.steps == program.states.reduce(0) { $0 + $1.steps.count })
    }
  }

  @Test(arguments: ["M1", "M2", "M3", "M4", "M7", "E2", "order", "late", "back", "forth"])
  func `a machine without one of its guards is told from the code`(guard name: String) throws {
    let graph = try StateGraph(named: "without-\(name)")
    #expect(graph.programs.contains { graph.walk($0).difference != nil })
  }
}
