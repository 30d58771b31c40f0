// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The characters that a report is drawn with.
struct TextStyle: Sendable {
  /// A horizontal line.
  let line: String
  /// Marks what is wrong.
  let cross: String
  /// Stands for what was cut off.
  let ellipsis: String

  static let unicode = TextStyle(line: "─", cross: "✗", ellipsis: "…")
  static let ascii = TextStyle(line: "-", cross: "x", ellipsis: "...")

  /// The one for this process: plain ASCII if the environment names an encoding, and not UTF-8.
  static let current = style { environment($0) }

  /// The first of the three variables that is set decides, as POSIX has it.
  static func style(_ variable: (String) -> String?) -> TextStyle {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    guard let locale = set?.lowercased() else { return .unicode }
    return locale.contains("utf-8") || locale.contains("utf8") ? .unicode : .ascii
  }
}
