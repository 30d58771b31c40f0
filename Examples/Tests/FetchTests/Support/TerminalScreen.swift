// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The screen of a terminal after a program has written to it.
///
/// It understands the escape sequences that the examples use, and records any other as a fault.
struct TerminalScreen {
  /// What is wrong: lines that are longer than the screen and could have been broken, unknown sequences.
  private(set) var faults: [String] = []
  /// The escape sequences that were written.
  private(set) var sequences: Set<String> = []
  /// True if the program has left the terminal as it found it, with the cursor at the beginning of a line.
  var isTidy: Bool { column == 0 && isCursorVisible && !isStyled && saved == nil }
  /// True if text was ever coloured, bold or dim.
  var hasColours: Bool { sequences.contains { $0.hasSuffix("m") } }

  private let columns: Int
  private var lines: [[Character]] = [[]]
  private var (row, column) = (0, 0)
  private var isCursorVisible = true
  private var isStyled = false
  /// The main screen, while the alternate one is shown.
  private var saved: (lines: [[Character]], row: Int, column: Int)?

  /// Makes a screen of so many columns that shows an output.
  init(_ output: String, columns: Int) {
    self.columns = columns
    var rest = output.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}":
        let end = rest.firstIndex { $0.properties.isAlphabetic } ?? rest.endIndex
        let sequence = String(rest.prefix(through: end == rest.endIndex ? rest.index(before: end) : end))
        rest = rest.dropFirst(sequence.unicodeScalars.count)
        sequences.insert(sequence)
        obey(sequence)
      case "\r": column = 0
      case "\n":
        row += 1
        if row == lines.count { lines.append([]) }
      default: put(Character(scalar))
      }
    }
  }

  /// The lines, without blanks at their ends.
  var text: String {
    lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  /// The words, separated by single spaces: however the lines are broken.
  var words: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  private mutating func put(_ character: Character) {
    if column == columns {
      let line = String(lines[row]) + String(character)
      faults += tooLong(columns, line).map { "too long: \($0)…" }
      (row, column) = (row + 1, 0)
      if row == lines.count { lines.append([]) }
    }
    while lines[row].count <= column { lines[row].append(" ") }
    lines[row][column] = character
    column += 1
  }

  private mutating func obey(_ sequence: String) {
    switch sequence {
    case "[?25l": isCursorVisible = false
    case "[?25h": isCursorVisible = true
    case "[?1049h":
      saved = (lines, row, column)
      (lines, row, column) = ([[]], 0, 0)
    case "[?1049l":
      guard let main = saved else { return faults.append("there was no alternate screen") }
      (lines, row, column) = main
      saved = nil
    case "[H": (row, column) = (0, 0)
    case "[J":
      lines[row] = Array(lines[row].prefix(column))
      lines = Array(lines[...row])
    case _ where sequence.hasSuffix("A"):
      guard let count = Int(sequence.dropFirst().dropLast()), count <= row else {
        return faults.append("above the top: \(sequence)")
      }
      row -= count
    case _ where sequence.hasSuffix("m"): isStyled = sequence != "[0m"
    default: faults.append("unknown: \(sequence)")
    }
  }
}
