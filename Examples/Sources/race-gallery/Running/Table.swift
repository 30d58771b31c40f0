// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console

/// The printed table, piece by piece, so that each piece appears as soon as it is known.
///
/// Its texts have no line break at the end.
struct Table {
  /// The maximum width of a line.
  let width: Int
  /// True to use colours and weights.
  let isColoured: Bool

  /// Returns a pattern's name.
  func title(_ pattern: Pattern) -> String {
    bold((pattern.id.padded(to: 5) + pattern.title).wrapped(to: width, indentation: Self.indentation))
  }

  /// Returns the text before a program's result; on a narrow screen the result has a line of its own.
  func beginning(_ side: Side) -> String {
    let program = Self.indentation + (side == .naive ? "naive" : "with a future")
    let column = 20
    return width < column + Self.longestResult ? program + "\n  " + Self.indentation : program.padded(to: column)
  }

  /// Returns the result of a program.
  func result(_ tally: Tally, _ side: Side) -> String {
    let isExpected = (tally.failures > 0) == (side == .naive)
    let colour =
      switch (side, isExpected) {
      case (.naive, true): 31
      case (.naive, false): 33
      case (.ours, true): 32
      case (.ours, false): 31
      }
    return coloured(words(tally), colour)
  }

  /// Returns the places where a pattern was published, in as many lines as needed.
  func places(_ pattern: Pattern) -> String {
    let text = Self.indentation + pattern.published.joined(separator: ", ")
    return dim(text.wrapped(to: width, indentation: Self.indentation))
  }

  /// Returns the last line.
  func summary(_ results: [(naive: Tally, ours: Tally)]) -> String {
    let naive = results.count { $0.naive.failures > 0 }
    let ours = results.count { $0.ours.failures > 0 }
    let rounds = results.reduce(0) { $0 + $1.ours.rounds }
    let text = "\(naive) of \(results.count) naive programs failed; with RaceFreeFuture \(ours), in \(rounds) rounds."
    return coloured(text.wrapped(to: width), ours == 0 ? 32 : 31)
  }

  private static let indentation = "     "
  /// The number of columns of a result in a million rounds, the most that there can be.
  private static let longestResult = "1000000 of 1000000 rounds failed".count

  private func words(_ tally: Tally) -> String {
    switch tally.end {
    case .finished: "\(tally.failures) of \(tally.rounds) rounds failed"
    case .hung: "hung in round \(tally.rounds)"
    case .trapped: "trapped in round \(tally.rounds)"
    }
  }

  private func bold(_ text: String) -> String { coloured(text, 1) }
  private func dim(_ text: String) -> String { coloured(text, 2) }
  /// Colours a text line by line, so that only text is coloured.
  private func coloured(_ text: String, _ code: Int) -> String {
    guard isColoured else { return text }
    return text.split(separator: "\n").map { "\u{1b}[\(code)m\($0)\u{1b}[0m" }.joined(separator: "\n")
  }
}
