// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser

/// Answers the questions and prints a table.
@main
struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmarks",
    abstract: "Measures RaceFreeFuture side by side with what people would use instead."
  )

  @Option(help: "Only rows whose work, peer or question contains this text.")
  var filter: String?

  @Flag(help: "Short runs and few of them: shows that everything works, not how fast it is.")
  var quick = false

  @Flag(help: "Prints JSON instead of the table.")
  var json = false

  @Flag(help: "Runs what has its instructions counted, for callgrind: see Scripts/bench-check.sh.")
  var countOnly = false

  @Flag(help: "With --count-only: the other side too.")
  var peerToo = false

  func run() throws {
    let questions = Question.all.compactMap { $0.filtered(by: filter) }
    guard !questions.isEmpty else { throw ValidationError("no row contains \"\(filter ?? "")\"") }
    if countOnly {
      for row in questions.flatMap(\.rows) { row.runForCounting(peerToo: peerToo) }
      return
    }
    let effort: Effort = quick ? .quick : .full
    if json {
      print(try Finding.json(questions.flatMap { $0.measure(effort) }))
    } else {
      let table = Table(for: questions)
      print(table.head)
      for question in questions {
        for row in question.rows { print(table.line(row, row.measure(effort))) }
      }
    }
  }
}
