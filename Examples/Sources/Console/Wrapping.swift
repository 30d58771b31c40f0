// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension String {
  /// Returns the string padded with spaces to a number of columns.
  public func padded(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - count)) }

  /// Returns the string in lines of a maximum number of columns, broken at spaces.
  ///
  /// A word that is longer has a line of its own.
  ///
  /// - Parameters:
  ///   - columns: The maximum width of a line.
  ///   - indentation: The beginning of all lines but the first.
  /// - Returns: The lines, with a line break between two.
  public func wrapped(to columns: Int, indentation: String = "") -> String {
    var lines: [String] = []
    var line: String?
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      guard let begun = line else {
        line = (lines.isEmpty ? "" : indentation) + word
        continue
      }
      if begun.count + 1 + word.count <= columns {
        line = begun + " " + word
      } else {
        lines.append(begun)
        line = indentation + word
      }
    }
    return (lines + [line ?? ""]).joined(separator: "\n")
  }

  /// Returns a help text in lines of a maximum number of columns, with the continuation of an item below its text.
  func fittingHelp(to columns: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let label = line.prefixMatch(of: #/ *\S.*?   */#).map { line.hasPrefix(" ") ? $0.output.count : 0 } ?? 0
      let indentation = line.hasPrefix("USAGE: ") ? 7 : min(label, columns / 3)
      // An option and its value stay together.
      let text = String(line).replacing(#/\[[^\]]*\]/#) { $0.output.replacing(" ", with: "\u{A0}") }
      return text.wrapped(to: columns, indentation: String(repeating: " ", count: indentation))
        .replacing("\u{A0}", with: " ")
    }.joined(separator: "\n")
  }
}
