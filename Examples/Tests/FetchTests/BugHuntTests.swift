// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting
import Testing

@testable import bug_hunt

/// The executable `bug-hunt`, run as a process of its own.
@Suite struct BugHuntTests {
  /// The hunts that don't depend on the machine.
  private static let explorations = Bug.all.flatMap { bug in
    [Tool.explore, .exploreTasks].filter { bug.hunts[$0] != nil }.map { "\(bug.id).\($0.rawValue)" }
  }

  @Test(arguments: explorations)
  func `an exploration finds the bug in the naive program, and none in the fixed one`(hunt: String) async throws {
    try await withFolder { folder in
      let naive = try await Child("bug-hunt", ["\(hunt).naive"], in: folder).end()
      // One of them ends the process.
      let isCrash = hunt.hasPrefix("A4") && naive.output == ""
      #expect(naive.output.hasPrefix("found in order ") || isCrash, "\(naive.output)")
      let fixed = try await Child("bug-hunt", ["\(hunt).fixed"], in: folder).end()
      #expect(fixed.status == 0 && fixed.output.hasPrefix("not found in "), "\(fixed.output)")
    }
  }

  @Test func `the hunts are told one by one, on standard error where there is no terminal`() async throws {
    try await withFolder { folder in
      let child = try Child("bug-hunt", [], in: folder)
      try await eventually("a hunt is told", within: .seconds(600)) {
        child.errors.contains(#/^A1: .*\n  loop, naive: (not )?found in /#)
      }
      kill(child.process.processIdentifier, SIGINT)
      let end = try await child.end()
      #expect(end.status == 130)
      #expect(end.output.hasPrefix("| bug | a loop | `race` | ") && end.output.hasSuffix(" --- |\n"), "\(end.output)")
    }
  }

  @Test func `a terminal shows lines that fit, and no table`() async throws {
    let child = try TerminalChild("bug-hunt", [], columns: 40)
    try await child.wait(until: "a hunt is told") { $0.contains(" loop, naive: ") }
    child.interrupt()
    let end = try await child.end()
    #expect(end.status == 130 && !end.output.contains("|"), "\(end.output)")
    #expect(tooLong(40, end.output.replacing("\r\n", with: "\n")) == [])
  }

  @Test(
    arguments: [
      (["A1.race.naive.twice"], "'A1.race.naive.twice' is not a hunt, such as A7.exploreTasks.naive"),
      (["A1.race.naive"], "race can't look for A1"), (["speed", "fast"], "Unexpected argument 'fast'"),
    ]
  )
  func `bad input gets one line and status 64`(arguments: [String], message: String) async throws {
    try await withFolder { folder in
      let end = try await Child("bug-hunt", arguments, in: folder).end()
      #expect(end.status == 64 && end.output == "")
      #expect(end.errors == "bug-hunt: \(message) (see bug-hunt --help)\n")
    }
  }

  @Test func `the programs whose orders are counted are right`() async throws {
    for subject in Subject.all {
      try await exploreTasks(subject.title, .exhaustive(maxOrders: 300), body: subject.body).verify()
    }
  }

  @Test func `results are told in words`() throws {
    let found = Hunt.Result(Find(true, 3, "order"), seconds: 0.0042)
    #expect(found.cell == "**order 3**, 0.0042 s" && found.sentence == "found in order 3, after 0.0042 s")
    let nothing = Hunt.Result(Find(false, 1715, "history"), seconds: 10.02)
    #expect(nothing.cell == "not in 1,715 histories, 10 s")
    #expect(nothing.sentence == "not found in 1,715 histories, 10 s")
    #expect(Hunt.Result(raw: nothing.raw + "\n")?.cell == nothing.cell && Hunt.Result(raw: "true\n") == nil)
    #expect(Hunt("A1.loop.naive")?.name == "A1.loop.naive" && Hunt("A1.loop") == nil && Hunt("X.loop.naive") == nil)
  }
}
