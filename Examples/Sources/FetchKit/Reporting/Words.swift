// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch

/// A number with separators: 1,234,567.
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
  /// Seconds with one decimal: "1.8 s".
  var words: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

extension DispatchTimeInterval {
  /// A time as the user gave it, in seconds, to the millisecond.
  static func seconds(_ seconds: Double) -> DispatchTimeInterval {
    .milliseconds(Int((seconds * 1000).rounded()))
  }

  /// Seconds, as short as it goes: "1 s", "2.8 s", "0.05 s".
  var words: String {
    switch self {
    case .seconds(let count): return "\(count) s"
    case .milliseconds(let count):
      let decimals = String(String(1000 + count % 1000).dropFirst())
      let digits = decimals.prefix(through: decimals.lastIndex { $0 != "0" } ?? decimals.startIndex)
      return count % 1000 == 0 ? "\(count / 1000) s" : "\(count / 1000).\(digits) s"
    default: return "\(self)"
    }
  }
}
