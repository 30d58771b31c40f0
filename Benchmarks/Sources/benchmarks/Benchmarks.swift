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

  @Flag(help: "Prints the names of the rows whose instructions are the same each time.")
  var listCounted = false

  @Option(help: "Runs the row of this name for callgrind, as Scripts/bench-check.sh does; prints its number of pieces.")
  var countOnly: String?

  @Flag(help: "With --count-only: the peer's side.")
  var peer = false

  func run() throws {
    let questions = Question.all.compactMap { $0.filtered(by: filter) }
    guard !questions.isEmpty else { throw ValidationError("no row contains \"\(filter ?? "")\"") }
    let counted = questions.flatMap(\.rows).filter { $0.counting != nil }
    if listCounted {
      return print(counted.compactMap(\.counting).filter(\.isSteady).map(\.name).joined(separator: "\n"))
    }
    if let countOnly {
      guard let row = counted.first(where: { $0.counting?.name == countOnly }) else {
        throw ValidationError("no row's instructions are counted under the name \"\(countOnly)\"")
      }
      return row.runForCounting(peer: peer)
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
