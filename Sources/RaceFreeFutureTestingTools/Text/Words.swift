// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension String {
  /// The text with line breaks and tabs written as escapes, so that it takes one line.
  package var onOneLine: String {
    reduce(into: "") { line, character in
      switch character {
      case "\n", "\r\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      default: line.append(character)
      }
    }
  }

  /// Returns the text, cut off if it is longer.
  package func clipped(to most: Int, _ style: TextStyle) -> String {
    count <= most ? self : prefix(most - style.ellipsis.count) + style.ellipsis
  }

  /// The text without the spaces at its end.
  package var trimmedAtEnd: String { String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]) }
}

/// Returns the description of a value, without the `Optional(…)` of an optional.
package func readable(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return String(describing: value) }
  return mirror.children.first.map { readable($0.value) } ?? "nil"
}

/// Returns a number with its digits in groups of three.
package func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude)
  let groups = digits.enumerated().map { ($0 > 0 && (digits.count - $0) % 3 == 0 ? "," : "") + String($1) }
  return (number < 0 ? "-" : "") + groups.joined()
}

/// Returns a number of things: "1 round", "2,000 rounds".
package func times(_ number: Int, _ noun: String) -> String { "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")" }

/// Returns a number with a fixed number of decimal places.
func fixed(_ number: Double, _ digits: Int) -> String {
  let scale = (0..<digits).reduce(1) { product, _ in product * 10 }
  let scaled = Int((number * Double(scale)).rounded())
  if digits == 0 { return grouped(scaled) }
  let behind = String(scaled % scale)
  return grouped(scaled / scale) + "." + String(repeating: "0", count: digits - behind.count) + behind
}

/// Returns a part of 1 in percent; only 0 is shown as 0 %, and only 1 as 100 %.
func percent(_ part: Double, digits: Int = 0) -> String {
  if digits == 0, part > 0, part < 0.01 { return "less than 1 %" }
  if digits == 0, part < 1, part > 0.99 { return "more than 99 %" }
  return fixed(part * 100, digits) + " %"
}

/// Returns a time in seconds.
package func seconds(_ time: Duration) -> String { fixed(time / .seconds(1), 2) + " s" }
