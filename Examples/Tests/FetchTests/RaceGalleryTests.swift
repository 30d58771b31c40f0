// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import race_gallery

/// The executable `race-gallery`, run as a process of its own.
@Suite(.serialized)
struct RaceGalleryTests {
  private static let patterns = (1...12).map { "R\($0)" }

  @Test(arguments: patterns)
  func `the naive program fails, and the one with a future doesn't`(id: String) async throws {
    var hasFailed = false
    // A machine that is busy may keep two threads from meeting for a while.
    for _ in 1...50 where !hasFailed {
      try await withFolder { folder in
        let end = try await Child("race-gallery", ["--only", id], in: folder).end()
        #expect(end.status == 0, "\(end.output)")
        #expect(end.errors == "")
        let lines = end.output.split(separator: "\n")
        #expect(lines[0].hasPrefix("\(id) "))
        let failure = #/^     naive          ((hung|trapped) in round [1-9]|[1-9][0-9]* of [1-9][0-9]* rounds failed)/#
        hasFailed = lines[1].contains(failure)
        #expect(lines[2].contains(#/^     with a future  0 of [1-9][0-9]* rounds failed$/#))
        #expect(lines[3].contains("#"))
        let naive = hasFailed ? 1 : 0
        #expect(lines.last?.hasPrefix("\(naive) of 1 naive programs failed; with RaceFreeFuture 0, in ") == true)
      }
    }
    #expect(hasFailed)
  }

  @Test func `--list names every pattern and where it was published, and runs nothing`() async throws {
    try await withFolder { folder in
      let end = try await Child("race-gallery", ["--list"], in: folder).end()
      #expect(end.status == 0)
      let lines = end.output.split(separator: "\n")
      #expect(lines.compactMap { $0.firstMatch(of: #/^R[0-9]+/#)?.output }.map(String.init) == Self.patterns)
      #expect(!end.output.contains("rounds"))
      // In a pipe there are no colours.
      #expect(!end.output.contains("\u{1b}"))
      #expect(end.output.contains("     Automattic/wordpress-rs#1518, kean/Nuke#671"))
      #expect(tooLong(80, end.output) == [])
    }
  }

  @Test func `on a narrow terminal no line is too long`() async throws {
    let child = try TerminalChild("race-gallery", ["--only", "R12", "--rounds", "3"], columns: 40, ["NO_COLOR": "1"])
    let end = try await child.end()
    #expect(end.status == 0)
    #expect(tooLong(40, end.output.replacing("\r\n", with: "\n")) == [])
  }

  @Test(arguments: [([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false), (["NO_COLOR": ""], true)])
  func `a terminal has colours, unless it knows none or the user wants none`(
    environment: [String: String],
    hasColours: Bool
  ) async throws {
    let list = try await TerminalChild("race-gallery", ["--list"], environment).end()
    #expect(list.status == 0)
    #expect(list.output.contains("\u{1b}[1mR1 ") == hasColours)
    #expect(list.output.contains("\u{1b}") == hasColours)
  }

  @Test func `--rounds and --only choose, in small letters too`() async throws {
    try await withFolder { folder in
      let end = try await Child("race-gallery", ["--only", "r8", "--only", "R12", "--rounds", "3"], in: folder).end()
      #expect(end.status == 0)
      let results = "     naive          3 of 3 rounds failed\n     with a future  0 of 3 rounds failed\n"
      #expect(end.output.hasPrefix("R8   Search as you type\n\(results)"))
      #expect(end.output.contains("R12  Handlers on a long-lived token\n\(results)"))
      #expect(end.output.hasSuffix("\n2 of 2 naive programs failed; with RaceFreeFuture 0, in 6 rounds.\n"))
    }
  }

  @Test(
    arguments: [
      (["--rounds", "0"], "--rounds is a number from 1 to 1000000, not 0"),
      (["--only", "R13"], "--only is one of R1 to R12, not 'R13'"),
      (["--program", "R1"], "there is no program 'R1'"),
    ]
  )
  func `bad input gets one line and status 64`(arguments: [String], message: String) async throws {
    try await withFolder { folder in
      let end = try await Child("race-gallery", arguments, in: folder).end()
      #expect(end.status == 64)
      #expect(end.output == "")
      #expect(end.errors == "race-gallery: \(message) (see race-gallery --help)\n")
    }
  }

  @Test func `rounds of several runs are added up`() {
    var tally = Tally(output: "1 0\n2 0\n", isTrapped: false)
    tally += Tally(output: "1 0\n", isTrapped: true)
    #expect(tally == Tally(output: "1 0\n2 0\n3 0\n", isTrapped: true))
  }

  @Test func `what a child leaves behind is counted: rounds, failures, and the round that it didn't survive`() {
    func counted(_ output: String, isTrapped: Bool = false) -> [Int] {
      let tally = Tally(output: output, isTrapped: isTrapped)
      return [tally.rounds, tally.failures]
    }
    #expect(counted("1 0\n2 1\n") == [2, 1])
    #expect(counted("1 0\n2 1\nhung\n") == [3, 2])
    #expect(counted("hung\n") == [1, 1])
    #expect(counted("1 0\n2 0\n", isTrapped: true) == [3, 1])
    #expect(counted("", isTrapped: true) == [1, 1])
    // Cut off in the middle of a line.
    #expect(counted("1 0\n2 0\n3", isTrapped: true) == [3, 1])
    #expect(Tally(output: "1 0\nhung\n", isTrapped: false).end == .hung)
    #expect(Tally(output: "1 0\n", isTrapped: true).end == .trapped)
    #expect(Tally(output: "1 0\n", isTrapped: false).end == .finished)
  }
}
