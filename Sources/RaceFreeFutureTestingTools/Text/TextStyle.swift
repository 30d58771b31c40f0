// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The characters that a report is drawn with.
package struct TextStyle: Sendable {
  /// A horizontal line.
  package let line: String
  /// The mark of a failure.
  package let cross: String
  /// The mark of what decides.
  package let pointer: String
  /// The mark of text that was cut off.
  package let ellipsis: String
  /// The word between the ends of a range.
  package let to: String

  package static let unicode = TextStyle(line: "─", cross: "✗", pointer: "▸", ellipsis: "…", to: "–")
  static let ascii = TextStyle(line: "-", cross: "x", pointer: ">", ellipsis: "...", to: "-")

  /// The style for this process: plain ASCII if the environment names an encoding other than UTF-8.
  package static let current = style { environment($0) }

  /// Returns the style for an environment: the first of the three variables that is set decides, as in POSIX.
  static func style(_ variable: (String) -> String?) -> TextStyle {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    guard let locale = set?.lowercased() else { return .unicode }
    return locale.contains("utf-8") || locale.contains("utf8") ? .unicode : .ascii
  }
}
