// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

/// A hunt of one tool for one bug.
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

  /// Runs it in this process; nil if the tool can't look for this bug.
  func run() async -> Result? {
    guard let hunt = bug.hunts[tool] else { return nil }
    let start = ContinuousClock.now
    let find = await hunt(side)
    return Result(find, seconds: (ContinuousClock.now - start) / .seconds(1))
  }

  /// Runs it in a child, because some bugs end their process; nil if the tool can't look for this bug.
  ///
  /// - Throws: The reason of `stop` if that is cancelled, when the child has been killed.
  func result(until stop: CancelToken) async throws -> Result? {
    guard bug.hunts[tool] != nil else { return nil }
    let child = Process()
    child.executableURL = Bundle.main.executableURL
    child.arguments = [name, "--raw"]
    child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let start = ContinuousClock.now
    let run = child.runFuture(error: .discarded, stopping: [.send(.kill)])
    stop.cascadeCancellation(to: run)
    _ = await run.handlersFinished
    let end = try await run.value
    return Result(raw: end.outputText)
      ?? Result(isFound: true, place: "ended the process", seconds: (ContinuousClock.now - start) / .seconds(1))
  }

  struct Result: Sendable {
    let isFound: Bool
    let place: String
    let seconds: Double

    init(isFound: Bool, place: String, seconds: Double) {
      (self.isFound, self.place, self.seconds) = (isFound, place, seconds)
    }

    init(_ find: Find, seconds: Double) {
      let plural = find.noun == "history" ? "histories" : find.noun + "s"
      let count = find.count.formatted()
      let place = find.isFound ? "\(find.noun) \(count)" : "\(count) \(find.count == 1 ? find.noun : plural)"
      self.init(isFound: find.isFound, place: place, seconds: seconds)
    }

    /// Makes a result of what a child printed: nil if it ended before.
    init?(raw: String) {
      let lines = raw.split(separator: "\n")
      guard lines.count == 3, let isFound = Bool(String(lines[0])), let seconds = Double(lines[2]) else { return nil }
      self.init(isFound: isFound, place: String(lines[1]), seconds: seconds)
    }

    /// The result for `init(raw:)`.
    var raw: String { "\(isFound)\n\(place)\n\(seconds)" }

    /// The result for the table.
    var cell: String { isFound ? "**\(place)**, \(time)" : "not in \(place), \(time)" }

    /// The result for people.
    var sentence: String { isFound ? "found in \(place), after \(time)" : "not found in \(place), \(time)" }

    private var time: String { String(format: seconds < 0.995 ? "%.2g s" : "%.0f s", max(seconds, 0.001)) }
  }
}
