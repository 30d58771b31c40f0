// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

// MARK: - As a picture

extension OrderDiagram {
  /// The measures of the picture, in pixels; the letters are of one width.
  private enum Measure {
    static let (fewest, letters) = (10, 25)
    static let (gutter, gap) = (60, 28)
    static let (line, padding) = (16, 6)
  }

  /// The number of rows up to which an order is drawn as a whole.
  static let mostDrawn = 2_000

  /// The place of a column.
  private struct Column {
    let left: Int
    /// The number of letters of the longest line.
    let letters: Int
    var width: Int { letters * 29 / 4 + 16 }
    var right: Int { left + width }
    var middle: Int { left + width / 2 }
  }

  /// A row with its place in the picture.
  private struct Placed {
    let number: Int
    let row: Row
    let top: Int
    let height: Int
    let lines: [(text: String, kind: String)]
    var middle: Int { top + height / 2 }
  }

  /// Returns the order as SVG: a lane for each line of work, a box for each step, arrows to what it makes, continues or
  /// cancels.
  func svg(marksLast: Bool = false) -> String {
    let lanes = lanes
    let hasStates = rows.contains { $0.state != nil }
    let titles = lanes.map { self.titles[$0].lines(of: Measure.letters) } + (hasStates ? [["state"]] : [])
    let head = 14 + Measure.line * (titles.map(\.count).max() ?? 1)
    let placed = placed(below: head)
    let byNumber = Dictionary(uniqueKeysWithValues: placed.map { ($0.number, $0) })
    let columns = columns(titles, lanes, placed)
    let places = Dictionary(uniqueKeysWithValues: zip(lanes, columns))
    let width = (columns.last?.right ?? Measure.gutter) + 12
    let height = (placed.last.map { $0.top + $0.height } ?? head) + 10
    var parts = lanes.compactMap { places[$0]?.middle }.map { x in
      "<line class=\"lane\" x1=\"\(x)\" y1=\"\(head)\" x2=\"\(x)\" y2=\"\(height - 6)\"/>"
    }
    for (column, lines) in zip(columns, titles) {
      parts += lines.enumerated().map { text($1, "title", column.left, 8 + Measure.line * ($0 + 1)) }
    }
    for row in placed { parts += arrows(to: row, byNumber, places) }
    for row in placed { parts += held(in: row, places) + box(row, places, marksLast: marksLast) }
    if hasStates, let left = columns.last?.left {
      parts += placed.flatMap { row in
        let lines = (row.row.state ?? "").lines(of: Measure.letters)
        return lines.enumerated().map { text($1, "state", left, row.top + 2 + Measure.line * ($0 + 1)) }
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
      \(parts.joined(separator: "\n"))
      </svg>
      """
  }

  /// Returns what the marks in the picture mean, those that it has.
  func notes(marksLast: Bool = false) -> [String] {
    var notes = ["Time runs downward. A column is a task, a thread, an actor or a queue; a box is a step."]
    if marksLast { notes.append("✗ fails") }
    if deciding != nil { notes.append("▸ decides: no later choice was found that avoids the failure") }
    if rows.contains(where: { row in row.maker.map { rows[$0].line != row.line } ?? false }) {
      notes.append("A solid arrow leads from a step to one that it made or continued.")
    }
    if rows.contains(where: { !$0.cancelled.isEmpty }) {
      notes.append("A dashed arrow leads to a task that is cancelled.")
    }
    if rows.contains(where: { !$0.locks.values.allSatisfy(\.isEmpty) }) {
      notes.append("A bar beside a column shows how long it holds a lock.")
    }
    let left = rows.count - Self.mostDrawn
    if left > 0 { notes.append("Left out: \(times(left, "earlier step")).") }
    return notes
  }

  /// Returns the columns, each as wide as its longest line.
  private func columns(_ titles: [[String]], _ lanes: [Int], _ placed: [Placed]) -> [Column] {
    var widest = titles.map { $0.map(\.count).max() ?? 0 }
    let numbers = Dictionary(uniqueKeysWithValues: lanes.enumerated().map { ($1, $0) })
    for row in placed {
      if let column = row.row.line.flatMap({ numbers[$0] }) {
        widest[column] = row.lines.reduce(widest[column]) { max($0, $1.text.count) }
      }
      guard let state = row.row.state, let last = widest.indices.last else { continue }
      widest[last] = state.lines(of: Measure.letters).reduce(widest[last]) { max($0, $1.count) }
    }
    return widest.reduce(into: []) { columns, letters in
      let left = columns.last.map { $0.right + Measure.gap } ?? Measure.gutter
      columns.append(Column(left: left, letters: max(Measure.fewest, letters)))
    }
  }

  private func placed(below head: Int) -> [Placed] {
    var top = head + 6
    return rows.enumerated().suffix(Self.mostDrawn).compactMap { number, row in
      if row.line == nil, row.state == nil { return nil }
      let texts = [(row.text, ""), (row.answer.map { "→ \($0)" } ?? "", row.isStale ? "stale" : "")]
      var lines = texts.flatMap { text, kind in text.lines(of: Measure.letters).map { ($0, kind) } }
      let locks = row.line.flatMap { row.locks[$0] } ?? []
      if !locks.isEmpty {
        lines += "holds \(locks.joined(separator: ", "))".lines(of: Measure.letters).map { ($0, "lock") }
      }
      lines += (row.place ?? "").lines(of: Measure.letters).map { ($0, "place") }
      let count = max(1, lines.count, (row.state ?? "").lines(of: Measure.letters).count)
      defer { top += count * Measure.line + 2 * Measure.padding + 8 }
      return Placed(
        number: number,
        row: row,
        top: top,
        height: count * Measure.line + 2 * Measure.padding,
        lines: lines.map { (text: $0.0, kind: $0.1) }
      )
    }
  }

  private func box(_ placed: Placed, _ places: [Int: Column], marksLast: Bool) -> [String] {
    guard let line = placed.row.line, let column = places[line] else { return [] }
    let x = column.left
    let fails = marksLast && placed.number == rows.count - 1
    let decides = placed.number == deciding
    let mark = "\(decides ? "▸" : "")\(fails ? "✗" : "")\(decides || fails ? " " : "")"
    let kind = "step\(decides ? " decides" : "")\(fails ? " fails" : "")"
    let words = placed.lines.enumerated().map { index, line in
      text(line.text, line.kind, x + 8, placed.top + 2 + Measure.line * (index + 1))
    }
    return [
      "<g class=\"\(kind)\">", text("\(mark)\(placed.number)", "number", 8, placed.top + 2 + Measure.line),
      "<rect class=\"box\" x=\"\(x)\" y=\"\(placed.top)\" width=\"\(column.width)\" height=\"\(placed.height)\" rx=\"4\"/>",
    ] + words + ["</g>"]
  }

  /// Returns a bar beside each lane that holds a lock.
  private func held(in placed: Placed, _ places: [Int: Column]) -> [String] {
    placed.row.locks.sorted { $0.key < $1.key }.compactMap { line, locks in
      guard !locks.isEmpty, let x = places[line]?.left else { return nil }
      let (top, bottom) = (placed.top, placed.top + placed.height + 8)
      return "<line class=\"held\" x1=\"\(x - 4)\" y1=\"\(top)\" x2=\"\(x - 4)\" y2=\"\(bottom)\">"
        + "<title>\("\(titles[line]) holds \(locks.joined(separator: ", "))".escapedForHTML)</title></line>"
    }
  }

  private func arrows(to placed: Placed, _ byNumber: [Int: Placed], _ places: [Int: Column]) -> [String] {
    guard let line = placed.row.line, let column = places[line] else { return [] }
    var parts: [String] = []
    if let maker = placed.row.maker.flatMap({ byNumber[$0] }), let from = maker.row.line, from != line,
      let start = places[from]
    {
      let title = "step \(maker.number) of \(titles[from]) makes or continues step \(placed.number) of \(titles[line])"
      let isToRight = column.left > start.left
      let (x, tip) = isToRight ? (start.right, column.left) : (start.left, column.right)
      parts += arrow("makes", title, from: x, maker.middle, to: tip, placed.middle)
    }
    for other in placed.row.cancelled where other != line {
      guard let end = places[other] else { continue }
      // To the middle of the lane, where no box is in this row.
      let x = end.left > column.left ? column.right : column.left
      let title = "\(titles[line]) cancels \(titles[other])"
      parts += arrow("cancels", title, from: x, placed.middle, to: end.middle, placed.middle)
    }
    return parts
  }

  /// Returns an arrow between two points.
  private func arrow(_ kind: String, _ title: String, from x: Int, _ y: Int, to tip: Int, _ end: Int) -> [String] {
    let isToRight = tip > x
    let bend = isToRight ? 26 : -26
    let back = isToRight ? -8 : 8
    return [
      "<path class=\"\(kind) arrow\" d=\"M\(x) \(y)C\(x + bend) \(y) \(tip - bend) \(end) \(tip + back) \(end)\">"
        + "<title>\(title.escapedForHTML)</title></path>",
      "<path class=\"\(kind) head\" d=\"M\(tip) \(end)l\(back) -4v8z\"/>",
    ]
  }

  private func text(_ text: String, _ kind: String, _ x: Int, _ y: Int) -> String {
    "<text\(kind.isEmpty ? "" : " class=\"\(kind)\"") x=\"\(x)\" y=\"\(y)\">\(text.escapedForHTML)</text>"
  }
}
