// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation

/// The command `race-gallery`.
@main
struct RaceGallery: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "race-gallery",
    abstract: "Runs twelve races between completion and cancellation that were published as bugs.",
    discussion: """
      Each race runs twice: as the program that people write, and as one of the same length with a future. Each \
      program runs in a process of its own, because some of them crash or hang.

      EXIT STATUS: 1 if a program with a future failed
      """
  )

  @Flag(help: "List the patterns and where they were published, without running them.")
  var list = false

  @Option(help: ArgumentHelp("Run only this pattern; may be repeated.", valueName: "R1…R12"))
  var only: [String] = []

  @Option(help: "The number of rounds of each program, instead of its own.")
  var rounds: Int?

  @Option(help: .hidden)
  var program: String?

  func validate() throws {
    guard (1...1_000_000).contains(rounds ?? 1) else { throw ValidationError("--rounds is a number from 1 to 1000000") }
    for id in only where pattern(id) == nil { throw ValidationError("--only is one of R1 to R12, not '\(id)'") }
    if let program, parsed(program) == nil { throw ValidationError("there is no program '\(program)'") }
  }

  func run() async throws {
    if let (pattern, side) = program.flatMap(parsed) {
      // The correct program may be slow on a busy machine; the naive one often never ends.
      let patience: Duration = side == .naive ? .seconds(1) : .seconds(300)
      await Rounds.run(
        side == .naive ? pattern.naive : pattern.ours,
        rounds: rounds ?? pattern.rounds,
        patience: patience
      )
    }
    var failed = (naive: 0, ours: 0)
    let chosen = only.isEmpty ? Pattern.all : only.compactMap(pattern)
    for pattern in chosen {
      print("\(pattern.id)  \(pattern.title): \(pattern.published.joined(separator: ", "))")
      if list { continue }
      let naive = try await tally(.naive, of: pattern)
      print("     naive          \(naive)")
      let ours = try await tally(.ours, of: pattern)
      print("     with a future  \(ours)")
      failed = (failed.naive + (naive.failures > 0 ? 1 : 0), failed.ours + (ours.failures > 0 ? 1 : 0))
    }
    if !list { print("\(failed.naive) of \(chosen.count) naive programs failed; with RaceFreeFuture \(failed.ours)") }
    if failed.ours > 0 { throw ExitCode.failure }
  }

  private func tally(_ side: Side, of pattern: Pattern) async throws -> Tally {
    var tally = try await Tally.run(pattern, side, rounds: rounds ?? pattern.rounds)
    // On a busy machine the naive program may be lucky for a while.
    var tries = rounds == nil && side == .naive ? 20 : 0
    while tally.failures == 0, tries > 0 {
      tally += try await Tally.run(pattern, side, rounds: pattern.rounds)
      tries -= 1
    }
    return tally
  }

  private func pattern(_ id: String) -> Pattern? { Pattern.all.first { $0.id.lowercased() == id.lowercased() } }

  private func parsed(_ program: String) -> (Pattern, Side)? {
    let parts = program.split(separator: ".")
    guard parts.count == 2, let pattern = pattern(String(parts[0])), let side = Side(rawValue: String(parts[1])) else {
      return nil
    }
    return (pattern, side)
  }
}
