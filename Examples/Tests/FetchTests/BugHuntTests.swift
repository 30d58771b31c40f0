// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

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
  func `an exploration finds the naive program, and has nothing to say about the mended one`(hunt: String) async throws
  {
    try await withFolder { folder in
      let naive = try await Child("bug-hunt", ["\(hunt).naive"], in: folder).end()
      // One of them ends the process.
      #expect(naive.output.hasPrefix("true ") || hunt.hasPrefix("A4") && naive.output == "", "\(naive.output)")
      let mended = try await Child("bug-hunt", ["\(hunt).mended"], in: folder).end()
      #expect(mended.status == 0 && mended.output.hasPrefix("false "), "\(mended.output)")
    }
  }

  @Test func `bad input gets one line and status 64`() async throws {
    try await withFolder { folder in
      let end = try await Child("bug-hunt", ["A1.race.naive.twice"], in: folder).end()
      #expect(end.status == 64 && end.output == "")
      #expect(end.errors == "usage: bug-hunt [<bug>.<tool>.naive | <bug>.<tool>.mended | speed]\n")
    }
  }

  @Test func `the programs whose orders are counted are right`() async throws {
    for subject in Subject.all {
      try await exploreTasks(subject.title, .exhaustive(maxOrders: 300), body: subject.body).verify()
    }
  }

  @Test func `results are told in words`() {
    #expect(Hunt.Result(isFound: true, place: "order 3", seconds: 0.0042).text == "**order 3**, 0.0042 s")
    #expect(Hunt.Result(isFound: false, place: "1,715 rounds", seconds: 10.02).text == "not in 1,715 rounds, 10 s")
    #expect(Hunt("A1.loop.naive")?.name == "A1.loop.naive" && Hunt("A1.loop") == nil && Hunt("X.loop.naive") == nil)
  }
}
