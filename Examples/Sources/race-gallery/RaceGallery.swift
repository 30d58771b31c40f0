// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import Foundation
import RaceFreeFuture

/// The command `race-gallery`.
@main
struct RaceGallery: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "race-gallery",
    abstract: "Runs twelve races between completion and cancellation that were published as bugs.",
    discussion: """
      Each race runs twice: as the program that people write, and as one of the same length with a future. Each \
      program runs in a process of its own, because some of them crash or hang.

      EXIT STATUS
        0    no program with a future failed
        1    one did
        64   invalid arguments
        130  Ctrl-C
      """
  )

  @Flag(help: "List the patterns and where they were published, without running them.")
  var list = false

  @Option(help: ArgumentHelp("Run only this pattern; may be repeated.", valueName: "R1…R12"))
  var only: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of rounds of each program, instead of its own.", valueName: "n")
  )
  var rounds: Int?

  @Option(help: .hidden)
  var program: String?

  func validate() throws {
    if let rounds, !(1...1_000_000).contains(rounds) {
      throw ValidationError("--rounds is a number from 1 to 1000000, not \(rounds)")
    }
    for id in only where pattern(id) == nil { throw ValidationError("--only is one of R1 to R12, not '\(id)'") }
    if let program, parsed(program) == nil { throw ValidationError("there is no program '\(program)'") }
  }

  func run() async throws {
    if let (pattern, side) = program.flatMap(parsed) {
      // The correct program may be slow on a busy machine; the naive one often never ends.
      let patience: Duration = side == .naive ? .seconds(1) : .seconds(300)
      await Rounds.run(pattern.program(side), rounds: rounds ?? pattern.rounds, patience: patience)
    }
    let table = Table(width: Console.width, isColoured: Console.takesColours)
    let chosen = only.isEmpty ? Pattern.all : only.compactMap(pattern)
    if list {
      for pattern in chosen { Console.write(table.title(pattern) + "\n" + table.places(pattern) + "\n") }
      return
    }
    let gallery = Future(label: "race-gallery")
    let interruptions = await Interruptions(cancelling: gallery.cancelToken)
    defer { interruptions.end() }
    var results: [(naive: Tally, ours: Tally)] = []
    do {
      for pattern in chosen {
        Console.write(table.title(pattern) + "\n")
        let naive = try await show(.naive, of: pattern, in: table, until: gallery.cancelToken)
        let ours = try await show(.ours, of: pattern, in: table, until: gallery.cancelToken)
        results.append((naive, ours))
        Console.write(table.places(pattern) + "\n")
      }
    } catch let interruption as Interruption {
      Console.write("interrupted\n")
      throw ExitCode(interruption.exitStatus)
    }
    Console.write("\n" + table.summary(results) + "\n")
    if results.contains(where: { $0.ours.failures > 0 }) { throw ExitCode.failure }
  }

  /// Runs a program; prints the beginning of its line before, and the rest afterwards.
  private func show(
    _ side: Side,
    of pattern: Pattern,
    in table: Table,
    until stop: CancelToken
  ) async throws -> Tally {
    Console.write(table.beginning(side))
    var tally = try await Tally.run(pattern, side, rounds: rounds ?? pattern.rounds, until: stop)
    // On a busy machine the naive program may be lucky for a while.
    var tries = rounds == nil && side == .naive ? 20 : 0
    while tally.failures == 0, tries > 0 {
      tally += try await Tally.run(pattern, side, rounds: pattern.rounds, until: stop)
      tries -= 1
    }
    Console.write(table.result(tally, side) + "\n")
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

  static func main() async { await runAsMain() }
}
