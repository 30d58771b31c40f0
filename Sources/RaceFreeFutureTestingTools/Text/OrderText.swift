// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// An order as a text to paste: a digit or letter per step, which is the number of the line that continued.
package enum OrderText {
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  package static func text(_ lines: [Int]) -> String {
    if lines.allSatisfy({ $0 < digits.count }) { return String(lines.map { digits[$0] }) }
    return lines.map(String.init).joined(separator: ".")
  }

  /// Returns one step of a text; nil if it takes more than a digit.
  static func digit(_ line: Int) -> UInt8? { line < bytes.count ? bytes[line] : nil }

  private static let bytes = digits.compactMap(\.asciiValue)

  /// Returns the lines in a text; nil if it is invalid.
  package static func lines(_ text: String) -> [Int]? {
    let lines =
      text.contains(".")
      ? text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      : text.map { digits.firstIndex(of: $0) }
    let known = lines.compactMap(\.self)
    return known.count == lines.count ? known : nil
  }
}
