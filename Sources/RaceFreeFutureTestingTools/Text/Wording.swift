// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The notation of calls and answers, with box characters or in plain ASCII.
struct Wording: Sendable {
  let arrow, line, start, end, open, dash, to, ellipsis, times: String

  static let unicode = Wording(
    arrow: "→",
    line: "─",
    start: "├",
    end: "┤",
    open: "╌",
    dash: "–",
    to: "…",
    ellipsis: "…",
    times: "×"
  )
  static let ascii = Wording(
    arrow: "->",
    line: "-",
    start: "|",
    end: "|",
    open: ".",
    dash: "-",
    to: "..",
    ellipsis: "...",
    times: "x"
  )

  /// The wording for this process.
  static let ofEnvironment = TextStyle.current.line == TextStyle.unicode.line ? unicode : ascii

  /// Returns a call with its answer, as in `pop() → 3`.
  func call<Operation, Answer>(_ operation: Operation, _ answer: Answer?) -> String {
    let name = text(operation)
    guard let answer else { return name }
    let returned = text(answer)
    return returned.isEmpty ? name : "\(name) \(arrow) \(returned)"
  }

  /// Returns a value in readable form: without `Optional(…)`, and empty for no value.
  func text<Value>(_ value: Value) -> String {
    if value is Void { return "" }
    // A line of a report must stay one line.
    return shortened(readable(value).split(whereSeparator: \.isNewline).joined(separator: " "), to: 60)
  }

  func shortened(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(width - ellipsis.count) + ellipsis
  }
}

extension String {
  /// Returns the text padded with spaces at its end.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// Returns the text padded with spaces at its beginning.
  func indented(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
