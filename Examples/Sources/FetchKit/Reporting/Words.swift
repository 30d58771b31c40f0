// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Returns a number with separators: 1,234,567.
func grouped(_ number: Int) -> String {
  var groups: [Substring] = []
  var digits = Substring(String(number))
  while digits.count > 3 {
    groups.insert(digits.suffix(3), at: 0)
    digits = digits.dropLast(3)
  }
  return ([digits] + groups).joined(separator: ",")
}

extension Duration {
  /// A measured time, in seconds with one decimal: "1.8 s".
  var measured: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// A time as the user gave it: seconds, to the millisecond, as short as possible: "1 s", "2.8 s", "0.05 s".
  var words: String {
    let count = Int((self / .milliseconds(1)).rounded())
    let decimals = String(String(1000 + count % 1000).dropFirst())
    let digits = decimals.prefix(through: decimals.lastIndex { $0 != "0" } ?? decimals.startIndex)
    return count % 1000 == 0 ? "\(count / 1000) s" : "\(count / 1000).\(digits) s"
  }
}
