// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// The table, line by line.
struct Table {
  /// With colours and weights, for a terminal.
  let isColoured: Bool

  var header: String {
    let titles = line("", "pattern", "naive", "with RaceFreeFuture")
    return bold(titles) + "\n" + String(repeating: "─", count: titles.count)
  }

  /// A pattern and what came out, with the places where it was published below.
  func row(_ pattern: Pattern, naive: Tally, ours: Tally) -> String {
    let left = padded(pattern.id, 5) + padded(pattern.title, 39)
    let naiveText = coloured(padded(words(naive), 30), naive.failures > 0 ? 31 : 33)
    return bold(left) + naiveText + coloured(words(ours), ours.failures == 0 ? 32 : 31) + "\n" + places(pattern)
  }

  /// Where a pattern was published, in as many lines as it takes.
  func places(_ pattern: Pattern) -> String {
    var lines = [""]
    for place in pattern.published {
      if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + place.count > 96 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : "  ") + place
    }
    return lines.map { "     " + dim($0) }.joined(separator: "\n")
  }

  func title(_ pattern: Pattern) -> String { bold(padded(pattern.id, 5) + pattern.title) }

  /// The last line.
  func summary(_ results: [(naive: Tally, ours: Tally)]) -> String {
    let naive = results.count { $0.naive.failures > 0 }
    let ours = results.count { $0.ours.failures > 0 }
    let rounds = results.reduce(0) { $0 + $1.ours.rounds }
    let text = "\(naive) of \(results.count) naive programs failed; with RaceFreeFuture \(ours), in \(rounds) rounds."
    return coloured(text, ours == 0 ? 32 : 31)
  }

  private func words(_ tally: Tally) -> String {
    switch tally.end {
    case .finished: "\(tally.failures) of \(tally.rounds) rounds failed"
    case .hung: "hung in round \(tally.rounds)"
    case .trapped: "trapped in round \(tally.rounds)"
    }
  }

  private func line(_ id: String, _ title: String, _ naive: String, _ ours: String) -> String {
    padded(id, 5) + padded(title, 39) + padded(naive, 30) + padded(ours, 26)
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func bold(_ text: String) -> String { coloured(text, 1) }
  private func dim(_ text: String) -> String { coloured(text, 2) }
  private func coloured(_ text: String, _ code: Int) -> String { isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }
}
