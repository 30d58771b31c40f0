// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// Runs every tool for every bug, and prints the table; or prints the number of orders that are run in a second.
@main
enum BugHunt {
  static func main() async throws {
    if CommandLine.arguments.dropFirst() == ["speed"] { return try await Speed.printTable() }
    if CommandLine.arguments.count > 1 {
      guard CommandLine.arguments.count == 2, let hunt = Hunt(CommandLine.arguments[1]) else {
        let usage = "usage: bug-hunt [<bug>.<tool>.naive | <bug>.<tool>.mended | speed]\n"
        FileHandle.standardError.write(Data(usage.utf8))
        exit(64)
      }
      return await hunt.run()
    }
    print("| bug | \(Tool.allCases.map(\.title).joined(separator: " | ")) |")
    print("| --- |\(String(repeating: " --- |", count: Tool.allCases.count))")
    var (hunts, alarms) = (0, [String]())
    for bug in Bug.all {
      var cells = ["\(bug.id): \(bug.title)"]
      for tool in Tool.allCases {
        cells.append(try await Hunt(bug, tool, .naive).result()?.text ?? "–")
        guard let mended = try await Hunt(bug, tool, .mended).result() else { continue }
        hunts += 1
        if mended.isFound { alarms.append("\(Hunt(bug, tool, .mended).name): \(mended.place)") }
      }
      print("| \(cells.joined(separator: " | ")) |")
      fflush(nil)
    }
    let all = alarms.isEmpty ? "none" : alarms.joined(separator: ", ")
    print("\nFalse alarms in \(hunts) hunts after the mended programs: \(all).")
    if !alarms.isEmpty { exit(1) }
  }
}
