// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension String {
  /// The string, filled up with spaces to so many columns.
  public func padded(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - count)) }

  /// The string in lines of at most so many columns, broken at spaces.
  ///
  /// A word that is longer has a line of its own.
  ///
  /// - Parameters:
  ///   - columns: How wide a line may be.
  ///   - indentation: What all lines but the first begin with.
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
}
