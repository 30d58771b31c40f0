// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import Foundation
import RaceFreeFuture

/// The command `bug-hunt`.
@main
struct BugHunt: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bug-hunt",
    abstract: "Lets every test tool look for eleven bugs, and prints which tool finds which bug, and how soon.",
    discussion: """
      Each bug has a naive and a fixed version, and each hunt takes up to ten seconds in a process of its own. All of \
      them take about five minutes in a release build. A terminal shows each hunt when it ends; elsewhere these lines \
      go to standard error, and a table in Markdown to standard output. A single hunt is named by bug, tool and \
      version, as in A7.exploreTasks.naive; it runs in this process, and some bugs end it.

      EXIT STATUS
        0    no tool reported a bug in a fixed version; or the single hunt has ended
        1    a tool did
        64   invalid arguments
        130  Ctrl-C
      """
  )

  @Argument(
    help: ArgumentHelp(
      "A single hunt; or 'speed', to count the orders that are run in a second. (default: the whole table)",
      valueName: "hunt"
    )
  )
  var hunt: String?

  @Flag(help: .hidden)
  var raw = false

  func validate() throws {
    guard let hunt, hunt != "speed" else { return }
    guard let hunt = Hunt(hunt) else {
      throw ValidationError("'\(hunt)' is not a hunt, such as A7.exploreTasks.naive")
    }
    if hunt.bug.hunts[hunt.tool] == nil { throw ValidationError("\(hunt.tool.rawValue) can't look for \(hunt.bug.id)") }
  }

  func run() async throws {
    if hunt == "speed" { return try await Speed.printTable() }
    if let hunt = hunt.flatMap(Hunt.init) {
      if let result = await hunt.run() { print(raw ? result.raw : result.sentence) }
      return
    }
    let table = Future(label: "bug-hunt")
    let interruptions = await Interruptions(cancelling: table.cancelToken)
    defer { interruptions.end() }
    do {
      try await printTable(until: table.cancelToken)
    } catch let interruption as Interruption {
      throw ExitCode(interruption.exitStatus)
    }
  }

  private func printTable(until stop: CancelToken) async throws {
    // The rows of the table are wider than any terminal.
    let isForPeople = isatty(STDOUT_FILENO) == 1
    let show = { (line: String) in isForPeople ? Console.writeLines(line) : Console.writeError(line + "\n") }
    let row = { (cells: [String]) in if !isForPeople { Console.write("| \(cells.joined(separator: " | ")) |\n") } }
    row(["bug"] + Tool.allCases.map(\.title))
    row(Array(repeating: "---", count: 1 + Tool.allCases.count))
    var (hunts, alarms) = (0, [String]())
    for bug in Bug.all {
      show("\(bug.id): \(bug.title)")
      var cells = ["\(bug.id): \(bug.title)"]
      for tool in Tool.allCases {
        var results: [Bug.Side: Hunt.Result] = [:]
        for side in [Bug.Side.naive, .fixed] {
          let result = try await Hunt(bug, tool, side).result(until: stop)
          if let result { show("  \(tool.rawValue), \(side.rawValue): \(result.sentence)") }
          results[side] = result
        }
        cells.append(results[.naive]?.cell ?? "–")
        guard let fixed = results[.fixed] else { continue }
        hunts += 1
        if fixed.isFound { alarms.append("\(Hunt(bug, tool, .fixed).name): \(fixed.place)") }
      }
      row(cells)
    }
    let all = alarms.isEmpty ? "none" : alarms.joined(separator: ", ")
    let summary = "False alarms in \(hunts) hunts after the fixed programs: \(all)."
    Console.write("\n" + (isForPeople ? Console.lines(summary) : summary + "\n"))
    if !alarms.isEmpty { throw ExitCode.failure }
  }

  static func main() async { await runAsMain() }
}
