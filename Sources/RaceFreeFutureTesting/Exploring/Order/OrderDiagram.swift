// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Draws an order: one column per line of work, one row per step, the state beside it.
struct OrderDiagram {
  struct Row {
    /// The line that continued; nil: the beginning.
    let line: Int?
    let text: String
    /// The result of the step.
    let answer: String?
    let state: String?
    /// True if the line before could have continued.
    var isForced = false
  }

  private static let mostWidth = 110
  private static let leastColumn = 14
  private static let mostRows = 42
  /// The number of rows up to which an order is shown as a whole.
  private static let shortest = 12

  let titles: [String]
  /// The lines of the actors: their columns come first.
  let actors: Range<Int>
  let rows: [Row]
  let style: TextStyle

  private var isUnicode: Bool { style.line == TextStyle.unicode.line }

  /// Returns the lines of the drawing; the last step is marked if the failure follows it.
  func lines(marksLast: Bool) -> [String] {
    // Lines of work without steps aren't drawn.
    let inOrder = Array(actors) + titles.indices.filter { !actors.contains($0) }
    let used = inOrder.filter { line in rows.contains { $0.line == line } }
    let hasStates = rows.contains { $0.state != nil }
    let count = used.count + (hasStates ? 1 : 0)
    let isList = count * (Self.leastColumn + 3) + 5 > Self.mostWidth
    var table: [[String]] = []
    var gutter: [String] = []
    if isList {
      table.append(["who", "what"] + (hasStates ? ["state"] : []))
    } else {
      table.append(used.map { titles[$0] } + (hasStates ? ["state"] : []))
    }
    gutter.append("")
    var left: [(row: Int, count: Int)] = []
    var plain = plain[...]
    for (step, row) in rows.enumerated() {
      let isWrong = marksLast && step == rows.count - 1 && row.line != nil
      if let run = plain.first, run.contains(step) {
        if step == run.lowerBound { left.append((table.count, run.count)) }
        if step == run.upperBound - 1 { plain.removeFirst() }
        continue
      }
      if row.line == nil, row.state == nil { continue }
      gutter.append((isWrong ? "\(style.cross) " : "") + (row.line == nil ? "" : "\(step)"))
      let text = row.answer.map { "\(row.text) \(isUnicode ? "→" : "->") \($0)" } ?? row.text
      let cells =
        isList
        ? [row.line.map { titles[$0] } ?? "", text]
        : used.map { $0 == row.line ? text : "" }
      table.append((cells + (hasStates ? [row.state ?? ""] : [])).map(\.onOneLine))
    }
    return drawn(table, gutter, left)
  }

  /// The runs of steps that show nothing new in a long order: those far from its beginning, its end and its switches.
  ///
  /// In them each line continues as long as it can. Of an order without a switch all is shown.
  private var plain: [Range<Int>] {
    let forced = rows.indices.filter { rows[$0].isForced }
    guard rows.count > Self.shortest, !forced.isEmpty else { return [] }
    var runs: [Range<Int>] = []
    var begin = min(2, rows.count)
    for stop in forced + [rows.count - 1] {
      // The step before a switch, and the two that begin with it, are shown.
      if stop - 1 - begin > 2 { runs.append(begin..<(stop - 1)) }
      begin = max(begin, stop + 2)
    }
    return runs
  }

  private func drawn(_ table: [[String]], _ gutter: [String], _ left: [(row: Int, count: Int)]) -> [String] {
    let (bar, cross) = isUnicode ? ("│", "┼") : ("|", "+")
    var widths = (table.first ?? []).indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    let gutterWidth = gutter.map(\.count).max() ?? 0
    // The widest column is shortened first.
    while gutterWidth + widths.reduce(0, { $0 + $1 + 3 }) > Self.mostWidth,
      let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.leastColumn
    { widths[widest] -= 1 }
    func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: width - text.count) }
    var lines = zip(gutter, table).map { number, cells in
      let head = String(repeating: " ", count: gutterWidth - number.count) + number
      let body = zip(cells, widths).map { " " + padded($0.clipped(to: $1, style), $1) + " " }
      return (head + " " + body.joined(separator: bar)).trimmedAtEnd
    }
    for (row, count) in left.reversed() {
      lines.insert("\(style.ellipsis) \(count) steps, in which each continues as long as it can", at: row)
    }
    let rule = widths.map { String(repeating: style.line, count: $0 + 2) }.joined(separator: cross)
    lines.insert(String(repeating: " ", count: gutterWidth + 1) + rule, at: min(1, lines.count))
    // The end of an order is more informative than its middle.
    if lines.count > Self.mostRows {
      let left = lines.count - Self.mostRows
      lines.replaceSubrange(12..<(12 + left), with: ["\(style.ellipsis) \(left) steps are left out here"])
    }
    return lines
  }
}
