// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation

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

  @Option(help: "Writes the table into this page in Markdown, between its marks.")
  var markdown: String?

  @Option(help: "With --markdown: on which machine this is.")
  var machine = "a machine without a name"

  @Option(help: "Draws how cost grows from 1 to 1,000,000, as SVG files in this folder; with --quick to 1,000.")
  var plot: String?

  @Flag(help: "Prints the names of the rows whose instructions are the same each time.")
  var listCounted = false

  @Option(help: "Runs the row of this name for callgrind, as Scripts/bench-check.sh does; prints its number of pieces.")
  var countOnly: String?

  @Flag(help: "With --count-only: the peer's side.")
  var peer = false

  func run() throws {
    let questions = Question.all.compactMap { $0.filtered(by: filter) }
    guard !questions.isEmpty else { throw ValidationError("no row contains \"\(filter ?? "")\"") }
    let effort: Effort = quick ? .quick : .full
    if listCounted || countOnly != nil {
      try runForCounting(questions)
    } else if let plot {
      try draw(in: plot, effort)
    } else if let markdown {
      try write(questions, to: markdown, effort)
    } else if json {
      print(try Finding.json(questions.flatMap { $0.measure(effort) }))
    } else {
      let table = Table(for: questions)
      print(table.head)
      for question in questions {
        for row in question.rows { print(table.line(row, row.measure(effort))) }
      }
    }
  }

  private func runForCounting(_ questions: [Question]) throws {
    let counted = questions.flatMap(\.rows).filter { $0.counting != nil }
    guard let countOnly else {
      return print(counted.compactMap(\.counting).filter(\.isSteady).map(\.name).joined(separator: "\n"))
    }
    guard let row = counted.first(where: { $0.counting?.name == countOnly }) else {
      throw ValidationError("no row's instructions are counted under the name \"\(countOnly)\"")
    }
    row.runForCounting(peer: peer)
  }

  private func draw(in folder: String, _ effort: Effort) throws {
    let folder = URL(filePath: folder, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for curve in Curve.all {
      let points = curve.measure(effort)
      for point in points { print(curve.file, point.number, Int(point.ours.rounded()), Int(point.peer.rounded())) }
      let image = folder.appending(component: "\(curve.file).svg")
      try Plot(curve, points).svg.write(to: image, atomically: true, encoding: .utf8)
    }
  }

  private func write(_ questions: [Question], to path: String, _ effort: Effort) throws {
    var document = try Document(path: path)
    // The marks first, so that nobody waits for an error.
    try document.replace("figures", with: "")
    let table = Table(for: questions)
    let lines = questions.flatMap(\.rows).map { table.line($0, $0.measure(effort)) }
    let figures = ["Measured on \(machine).", "", table.head] + lines
    try document.replace("figures", with: figures.joined(separator: "\n"))
    try document.save()
  }
}
