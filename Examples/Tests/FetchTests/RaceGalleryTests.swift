// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import race_gallery

/// The executable `race-gallery`, run as a process of its own.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct RaceGalleryTests {
  private static let patterns = (1...12).map { "R\($0)" }

  @Test(arguments: patterns)
  func `the naive program fails, and the one with a future doesn't`(id: String) async throws {
    try await withFolder { folder in
      let end = try await Child("race-gallery", ["--only", id], in: folder).end()
      #expect(end.status == 0, "\(end.output)")
      #expect(end.errors == "")
      let lines = end.output.split(separator: "\n")
      let row = try #require(lines.first { $0.hasPrefix("\(id) ") })
      #expect(row.contains(#/ 0 of [1-9][0-9]* rounds failed$/#))
      #expect(row.contains(#/(hung|trapped) in round [1-9]| [1-9][0-9]* of [1-9][0-9]* rounds failed +0 of/#), "\(row)")
      #expect(lines.last?.hasPrefix("1 of 1 naive programs failed; with RaceFreeFuture 0, in ") == true)
    }
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
      #expect(end.output.contains("     Automattic/wordpress-rs#1518  kean/Nuke#671"))
    }
  }

  @Test func `--rounds and --only choose, in small letters too`() async throws {
    try await withFolder { folder in
      let end = try await Child("race-gallery", ["--only", "r8", "--only", "R12", "--rounds", "3"], in: folder).end()
      #expect(end.status == 0)
      #expect(end.output.contains(#/R8 .* 3 of 3 rounds failed +0 of 3 rounds failed/#))
      #expect(end.output.contains(#/R12 .* 3 of 3 rounds failed +0 of 3 rounds failed/#))
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
      #expect(end.errors == "race-gallery: \(message) (race-gallery --help tells more)\n")
    }
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
