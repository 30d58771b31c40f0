// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

/// A hunt of one tool for one bug, in a process of its own, because some bugs end it.
struct Hunt: Sendable {
  let bug: Bug
  let tool: Tool
  let side: Bug.Side

  var name: String { "\(bug.id).\(tool.rawValue).\(side.rawValue)" }

  init?(_ name: String) {
    let parts = name.split(separator: ".").map(String.init)
    guard parts.count == 3, let bug = Bug.all.first(where: { $0.id == parts[0] }), let tool = Tool(rawValue: parts[1]),
      let side = Bug.Side(rawValue: parts[2])
    else { return nil }
    self.init(bug, tool, side)
  }

  init(_ bug: Bug, _ tool: Tool, _ side: Bug.Side) {
    (self.bug, self.tool, self.side) = (bug, tool, side)
  }

  /// Runs it in this process, and writes the result.
  func run() async {
    guard let hunt = bug.hunts[tool] else { return }
    let start = ContinuousClock.now
    let find = await hunt(side)
    let time = (ContinuousClock.now - start) / .seconds(1)
    FileHandle.standardOutput.write(Data("\(find.isFound) \(find.count) \(find.noun) \(time)\n".utf8))
  }

  /// Runs it in a child; nil if the tool can't look for this bug.
  func result() async throws -> Result? {
    guard bug.hunts[tool] != nil else { return nil }
    let child = Process()
    child.executableURL = Bundle.main.executableURL
    child.arguments = [name]
    child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let start = ContinuousClock.now
    let end = try await child.runFuture(error: .discarded).value
    let parts = String(decoding: end.standardOutput, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    if parts.count == 4, let isFound = Bool(String(parts[0])), let count = Int(parts[1]), let time = Double(parts[3]) {
      return Result(isFound: isFound, place: Self.place(isFound, count, String(parts[2])), seconds: time)
    }
    return Result(isFound: true, place: "ended the process", seconds: (ContinuousClock.now - start) / .seconds(1))
  }

  private static func place(_ isFound: Bool, _ count: Int, _ noun: String) -> String {
    let plural = noun == "history" ? "histories" : noun + "s"
    return isFound ? "\(noun) \(count.formatted())" : "\(count.formatted()) \(count == 1 ? noun : plural)"
  }

  struct Result: Sendable {
    let isFound: Bool
    let place: String
    let seconds: Double

    var text: String {
      let time = String(format: seconds < 0.995 ? "%.2g s" : "%.0f s", max(seconds, 0.001))
      return isFound ? "**\(place)**, \(time)" : "not in \(place), \(time)"
    }
  }
}
