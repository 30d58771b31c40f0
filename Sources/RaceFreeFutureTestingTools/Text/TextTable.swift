// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A table of text with aligned columns.
struct TextTable {
  struct Column {
    var title: String
    var isRight = false
    var most = Int.max

    /// Creates a left-aligned column, whose cells are cut off if they are too long.
    static func left(_ title: String, _ most: Int = .max) -> Column { Column(title: title, most: most) }

    /// Creates a right-aligned column, for numbers.
    static func right(_ title: String) -> Column { Column(title: title, isRight: true) }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(columns: [Column]) { self.columns = columns }

  /// Adds a row with a cell for each column.
  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// Returns the lines: titles, a rule, rows.
  func lines(in style: TextStyle) -> [String] {
    let rows = self.rows.map { row in zip(row, columns).map { $0.onOneLine.clipped(to: $1.most, style) } }
    let titles = columns.map(\.title)
    let widths = columns.indices.map { column in rows.reduce(titles[column].count) { max($0, $1[column].count) } }
    let rule = columns.indices.map { String(repeating: titles[$0].isEmpty ? " " : style.line, count: widths[$0]) }
    return ([titles, rule] + rows).map { row in
      let cells = columns.indices.map { padded(row[$0], to: widths[$0], isRight: columns[$0].isRight) }
      return cells.joined(separator: "  ").trimmedAtEnd
    }
  }

  private func padded(_ cell: String, to width: Int, isRight: Bool) -> String {
    let space = String(repeating: " ", count: width - cell.count)
    return isRight ? space + cell : cell + space
  }
}
