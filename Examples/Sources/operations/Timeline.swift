// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// The times of pieces of work: one line for each.
///
/// `@unchecked Sendable`: `lock` guards `lines`.
final class Timeline: @unchecked Sendable {
  /// The end of a piece of work.
  enum End: String {
    case done, failed, cancelled
  }

  private struct Line {
    let name: String
    var begin: Duration?
    var end: Duration?
    var how: End?
  }

  private let start = ContinuousClock.now
  private let lock = NSLock()
  private var lines: [Line] = []

  /// Adds a line, unless there is one of this name.
  func add(_ name: String) {
    lock.withLock {
      if !lines.contains(where: { $0.name == name }) { lines.append(Line(name: name)) }
    }
  }

  func begin(_ name: String) {
    change(name) { line, now in line.begin = now }
  }

  func end(_ name: String, _ how: End) {
    change(name) { line, now in (line.end, line.how) = (now, how) }
  }

  /// The highest number of lines that overlap.
  var mostAtOnce: Int {
    let lines = snapshot
    return lines.map { (one: Line) -> Int in
      lines.count { other in
        guard let begin = one.begin, let from = other.begin, let until = other.end else { return false }
        return from <= begin && begin < until
      }
    }.max() ?? 0
  }

  /// Returns a diagram: dots for waiting, hashes for running.
  func drawn(width: Int) -> String {
    let lines = snapshot
    let whole = lines.compactMap(\.end).max() ?? .milliseconds(1)
    let column = { (time: Duration) in min(width, Int((time / whole * Double(width)).rounded())) }
    return lines.map { (line: Line) -> String in
      let end = column(line.end ?? whole)
      let begin = line.begin.map { min(column($0), end) } ?? end
      let running = String(repeating: "#", count: end - begin)
      let picture = String(repeating: ".", count: begin) + running + String(repeating: " ", count: width - end)
      let how = line.how?.rawValue ?? (line.begin == nil ? "never started" : "never ended")
      return "  \(line.name.padding(toLength: 6, withPad: " ", startingAt: 0)) |\(picture)| \(how)"
    }.joined(separator: "\n")
  }

  private var snapshot: [Line] { lock.withLock { lines } }

  private func change(_ name: String, _ body: (inout Line, Duration) -> Void) {
    lock.withLock {
      let now = ContinuousClock.now - start
      if let index = lines.firstIndex(where: { $0.name == name }) { body(&lines[index], now) }
    }
  }
}
