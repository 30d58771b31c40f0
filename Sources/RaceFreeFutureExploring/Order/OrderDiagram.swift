// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Draws an order: one column per line of work, one row per step, the state beside it.
struct OrderDiagram: Sendable {
  struct Row {
    /// The line that continued; nil: the beginning.
    let line: Int?
    let text: String
    /// The result of the step.
    var answer: String?
    var state: String?
    /// True if the line before could have continued.
    var isForced = false
    /// The number of choices in the order up to its end.
    var end = 0
    /// True if it says no more than where a task has come to.
    var isOnTheWay = false
    /// The row that made or continued its work.
    var maker: Int?
    /// The lines of the tasks that it has cancelled.
    var cancelled: [Int] = []
    /// The locks that are held after it, by the lines of their holders.
    var locks: [Int: [String]] = [:]
    /// The code from which the step was taken; the place of a caller, or where the task continues.
    var address: UInt?
    /// Its file and line, in a picture.
    var place: String?
    /// Returns true if another row has the same step with the same result.
    func shows(_ other: Row) -> Bool { line == other.line && text == other.text && answer == other.answer }
    /// True if it has read an old value.
    var isStale: Bool { answer?.hasSuffix(OrderDiagram.outOfDate) == true }
  }

  /// Rows that are drawn as one, because they differ only in numbers.
  private struct Item {
    var rows: ClosedRange<Int>
    let key: [String?]
    /// True if it is one of the rows near which an order is shown.
    let isMarked: Bool
  }

  private static let mostWidth = 110
  private static let leastColumn = 14
  private static let mostRows = 42
  /// The number of rows up to which an order is shown as a whole.
  private static let shortest = 16
  /// The least number of rows that are drawn as one.
  private static let leastAlike = 4

  /// The end of an answer that is an old value.
  static let outOfDate = ", which is out of date"

  let titles: [String]
  /// The lines of the actors: their columns come first.
  let actors: Range<Int>
  var rows: [Row]
  let style: TextStyle
  /// The row after which no choice was found that avoids the failure.
  var deciding: Int?

  private var isUnicode: Bool { style.line == TextStyle.unicode.line }

  /// The lines of work with steps, in the order in which they are drawn.
  var lanes: [Int] {
    let inOrder = Array(actors) + titles.indices.filter { !actors.contains($0) }
    return inOrder.filter { line in rows.contains { $0.line == line } }
  }

  /// Returns the lines of the drawing; the last step is marked if the failure follows it.
  func lines(marksLast: Bool) -> [String] {
    let used = lanes
    let hasStates = rows.contains { $0.state != nil }
    let count = used.count + (hasStates ? 1 : 0)
    let isList = count * (Self.leastColumn + 3) + 5 > Self.mostWidth
    var table = [(isList ? ["who", "what"] : used.map { titles[$0] }) + (hasStates ? ["state"] : [])]
    var gutter = [""]
    var left: [(row: Int, count: Int)] = []
    let items = items(isList: isList)
    var plain = Self.plain(items)[...]
    for (index, item) in items.enumerated() {
      if let run = plain.first, run.contains(index) {
        if index == run.lowerBound {
          left.append((table.count, items[run].reduce(0) { $0 + $1.rows.count }))
        }
        if index == run.upperBound - 1 { plain.removeFirst() }
        continue
      }
      let (first, row) = (rows[item.rows.lowerBound], rows[item.rows.upperBound])
      if row.line == nil, row.state == nil { continue }
      gutter.append(mark(of: item, marksLast: marksLast) + (row.line == nil ? "" : number(of: item)))
      let text = words(first.text, row.text)
      let cell = row.answer.map { "\(text) \(isUnicode ? "→" : "->") \($0)" } ?? text
      let cells =
        isList
        ? [words(first.line.map { titles[$0] } ?? "", row.line.map { titles[$0] } ?? ""), cell]
        : used.map { $0 == row.line ? cell : "" }
      table.append((cells + (hasStates ? [row.state ?? ""] : [])).map(\.onOneLine))
    }
    return drawn(table, gutter, left)
  }

  private func mark(of item: Item, marksLast: Bool) -> String {
    let last = item.rows.upperBound
    if marksLast, last == rows.count - 1, rows[last].line != nil { return "\(style.cross) " }
    return last == deciding ? "\(style.pointer) " : ""
  }

  private func number(of item: Item) -> String {
    let (first, last) = (item.rows.lowerBound, item.rows.upperBound)
    return first == last ? "\(last)" : "\(first)\(style.to)\(last)"
  }

  /// Returns a text for two that differ in a number.
  private func words(_ first: String, _ last: String) -> String {
    first == last ? last : "\(first) \(style.ellipsis)\(last.dropFirst(Self.withoutNumber(last).count))"
  }

  /// Returns a text without the number with which it ends, as in "task #2".
  private static func withoutNumber(_ text: String) -> Substring {
    guard let end = text.lastIndex(where: { !$0.isNumber }), text.index(after: end) < text.endIndex else {
      return text[...]
    }
    return text[...end].hasSuffix(" #") ? text[...end].dropLast(2) : text[...]
  }

  /// Returns the rows, those as one that follow each other and differ only in numbers.
  ///
  /// In a drawing with columns they are of one line.
  private func items(isList: Bool) -> [Item] {
    let all = rows.indices.map { index in
      let row = rows[index]
      let who = row.line.map { isList ? String(Self.withoutNumber(titles[$0])) : "\($0)" }
      let isMarked = row.isForced || index == deciding || index == rows.count - 1
      return Item(
        rows: index...index,
        key: [who, String(Self.withoutNumber(row.text)), row.answer, row.state],
        isMarked: isMarked
      )
    }
    var items: [Item] = []
    var rest = all[...]
    while let first = rest.first {
      let alike = first.isMarked ? rest.prefix(1) : rest.prefix { !$0.isMarked && $0.key == first.key }
      rest = rest.dropFirst(alike.count)
      if alike.count < Self.leastAlike {
        items += alike
      } else {
        items.append(
          Item(rows: first.rows.lowerBound...(first.rows.lowerBound + alike.count - 1), key: first.key, isMarked: false)
        )
      }
    }
    return items
  }

  /// Returns the runs that show nothing new in a long order: those far from its beginning, its end, its switches, and
  /// what decides.
  ///
  /// In them each line continues as long as it can. Of an order without any of these all is shown.
  private static func plain(_ items: [Item]) -> [Range<Int>] {
    let stops = items.indices.filter { items[$0].isMarked }
    guard items.count > shortest, stops.count > 1 else { return [] }
    var runs: [Range<Int>] = []
    var begin = min(2, items.count)
    for stop in stops {
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
    return shortened(lines)
  }

  /// Returns the lines of a drawing that isn't too long: its beginning, its end, and what decides.
  ///
  /// The end of an order is more informative than its middle.
  private func shortened(_ lines: [String]) -> [String] {
    guard lines.count > Self.mostRows else { return lines }
    let cause = lines.firstIndex { $0.drop { $0 == " " }.hasPrefix("\(style.pointer) ") }
    let (head, tail) = (12, Self.mostRows - 12)
    var kept = Set(0..<head)
    if let cause, cause >= head, cause < lines.count - tail {
      kept.formUnion(max(head, cause - 4)..<(cause + 5))
      kept.formUnion((lines.count - tail + 10)..<lines.count)
    } else {
      kept.formUnion((lines.count - tail)..<lines.count)
    }
    var (short, left) = ([String](), 0)
    for (index, line) in lines.enumerated() {
      if !kept.contains(index) {
        left += 1
        continue
      }
      if left > 0 { short.append("\(style.ellipsis) \(left) steps are left out here") }
      left = 0
      short.append(line)
    }
    return short
  }
}
