// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension String {
  /// The text as it stands in a page, between tags or in the quotes of an attribute.
  package var escapedForHTML: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      // No page may contain these, not even escaped.
      case "\0"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns the text in lines of at most so many characters, broken between words where that is possible.
  package func lines(of width: Int) -> [String] {
    onOneLine.split(separator: " ").reduce(into: [String]()) { lines, word in
      var rest = word
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
        return
      }
      while rest.count > width {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
      lines.append(String(rest))
    }
  }
}
