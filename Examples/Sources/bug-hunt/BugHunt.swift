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
      Each bug has a naive and a fixed version, and each hunt takes up to ten seconds in a process of its own. The \
      whole table, in Markdown, takes about five minutes in a release build. A single hunt is named by bug, tool and \
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
    Console.write("| bug | \(Tool.allCases.map(\.title).joined(separator: " | ")) |\n")
    Console.write("| --- |\(String(repeating: " --- |", count: Tool.allCases.count))\n")
    var (hunts, alarms) = (0, [String]())
    for bug in Bug.all {
      var cells = ["\(bug.id): \(bug.title)"]
      for tool in Tool.allCases {
        cells.append(try await Hunt(bug, tool, .naive).result(until: stop)?.cell ?? "–")
        guard let fixed = try await Hunt(bug, tool, .fixed).result(until: stop) else { continue }
        hunts += 1
        if fixed.isFound { alarms.append("\(Hunt(bug, tool, .fixed).name): \(fixed.place)") }
      }
      Console.write("| \(cells.joined(separator: " | ")) |\n")
    }
    let all = alarms.isEmpty ? "none" : alarms.joined(separator: ", ")
    Console.write("\nFalse alarms in \(hunts) hunts after the fixed programs: \(all).\n")
    if !alarms.isEmpty { throw ExitCode.failure }
  }

  static func main() async { await runAsMain() }
}
