// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Draws a history: a line for each thread, calls as bars that are longer than their labels, and a list of the calls.
///
/// Places are not to scale; calls overlap in the picture exactly if they did.
struct Timeline: CustomStringConvertible, Sendable {
  private let rows: [Row]
  /// The calls with their times.
  let list: [String]

  /// A line of the picture: a thread's calls that don't overlap each other.
  private struct Row: Sendable {
    let label: String
    var bars: [Bar] = []
  }

  private struct Bar: Sendable {
    let first: Int
    /// The column of its end; nil if there is none.
    let last: Int?
    let label: String
  }

  private let wording: Wording
  private let width: Int

  /// - Parameters:
  ///   - history: The calls.
  ///   - closing: The thread number of calls that were made when all threads had ended.
  ///   - unit: The unit of the times.
  ///   - wording: The characters.
  ///   - width: The maximum number of columns.
  ///   - most: The maximum number of calls; the last ones are shown.
  init<Operation, Answer>(
    _ history: History<Operation, Answer>,
    closing: Int? = nil,
    unit: String = "",
    wording: Wording = .ofEnvironment,
    width: Int = 110,
    most: Int = 20
  ) {
    self.wording = wording
    let threads = history.calls.map(\.thread)
    let calls = history.calls.enumerated().sorted { ($0.element.begun, $0.offset) < ($1.element.begun, $1.offset) }
      .map(\.element)
    let shown = Array(calls.suffix(most))
    let names = Dictionary(threads.map { ($0, $0 == closing ? "then" : "T\($0)") }) { name, _ in name }
    let margin = 2 + (names.values.map(\.count).max() ?? 0) + 2

    let labels = shown.map { wording.call($0.operation, $0.answer) }
    let numbers = shown.indices.map { "\($0 + 1)" }
    // Bars are labelled with their calls, if there is room for them, otherwise with the numbers of the list.
    let columns = Columns(shown, labels: labels)
    let isWide = margin + columns.width > width
    let narrow = isWide ? Columns(shown, labels: numbers) : columns
    let fits = margin + narrow.width <= width
    self.width = narrow.width
    rows = fits ? Self.rows(shown, names, margin, narrow, isWide ? numbers : labels) : []

    let origin = shown.first?.begun ?? 0
    let times = shown.map { call in
      ("\(call.begun - origin)", call.ended.map { "\($0 - origin)\(unit)" } ?? "never returned")
    }
    let begins = times.map(\.0.count).max() ?? 0
    let ends = times.map(\.1.count).max() ?? 0
    var list: [String] = []
    if calls.count > shown.count { list.append("  \(calls.count - shown.count) earlier calls are not shown") }
    for (index, call) in shown.enumerated() {
      let number = isWide ? numbers[index].indented(to: 2) + "  " : ""
      let name = (names[call.thread] ?? "").padded(to: margin - 4)
      let time = "\(times[index].0.indented(to: begins)) \(wording.to) \(times[index].1.padded(to: ends))"
      list.append(wording.shortened("  \(number)\(name)  \(time)  \(labels[index])", to: width))
    }
    self.list = list
  }

  var description: String { (picture + (picture.isEmpty ? [] : [""]) + list).joined(separator: "\n") }

  private var picture: [String] {
    rows.map { row in
      var text = row.label
      let margin = text.count
      for bar in row.bars {
        text = text.padded(to: margin + bar.first)
        let inner = bar.last.map { $0 - bar.first - 1 } ?? width - bar.first - 1
        let fill = bar.last == nil ? wording.open : wording.line
        let before = (inner - bar.label.count) / 2
        text += wording.start + String(repeating: wording.line, count: bar.last == nil ? min(1, before) : before)
        text += bar.label
        text += String(repeating: fill, count: inner - bar.label.count - (bar.last == nil ? min(1, before) : before))
        if bar.last != nil { text += wording.end }
      }
      return text
    }
  }

  /// The picture as SVG: a lane for each thread, a box for each call.
  var svg: String {
    let (column, margin, height) = (8, 64, 36)
    let (right, bottom) = (margin + width * column + 12, rows.count * height + 8)
    func text(_ text: String, _ kind: String, _ x: Int, _ y: Int) -> String {
      "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\">\(text.escapedForHTML)</text>"
    }
    var parts: [String] = []
    for (index, row) in rows.enumerated() {
      let middle = index * height + height / 2 + 4
      let name = String(row.label.drop { $0 == " " }).trimmedAtEnd
      if !name.isEmpty { parts.append(text(name, "title", 12, middle + 4)) }
      parts.append("<line class=\"lane\" x1=\"\(margin)\" y1=\"\(middle)\" x2=\"\(right)\" y2=\"\(middle)\"/>")
      for bar in row.bars {
        let (x, end) = (margin + bar.first * column, margin + (bar.last ?? width) * column)
        let kind = bar.last == nil ? "open box" : "box"
        parts.append(
          "<rect class=\"\(kind)\" x=\"\(x)\" y=\"\(middle - 13)\" width=\"\(end - x)\" height=\"26\" rx=\"4\"/>"
        )
        parts.append(text(bar.label, "call", x + 8, middle + 4))
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(right)" height="\(bottom)" viewBox="0 0 \(right) \(bottom)">
      \(parts.joined(separator: "\n"))
      </svg>
      """
  }

  private static func rows<Operation, Answer>(
    _ calls: [History<Operation, Answer>.Call],
    _ names: [Int: String],
    _ margin: Int,
    _ columns: Columns,
    _ labels: [String]
  ) -> [Row] {
    names.keys.sorted().flatMap { thread -> [Row] in
      // Queued calls can overlap others of their own thread: those get lines below.
      var rows: [Row] = []
      for index in calls.indices where calls[index].thread == thread {
        let bar = Bar(first: columns.begins[index], last: columns.ends[index], label: labels[index])
        let free = rows.firstIndex { row in row.bars.last.map { ($0.last ?? .max) < bar.first } ?? true }
        if let free {
          rows[free].bars.append(bar)
        } else {
          let label = rows.isEmpty ? "  \(names[thread] ?? "")" : ""
          rows.append(Row(label: label.padded(to: margin), bars: [bar]))
        }
      }
      return rows
    }
  }
}

/// The columns at which bars begin and end: in the order of the times, and far enough from each other for the labels.
private struct Columns {
  var begins: [Int]
  var ends: [Int?]
  var width = 0

  init<Operation, Answer>(_ calls: [History<Operation, Answer>.Call], labels: [String]) {
    begins = Array(repeating: 0, count: calls.count)
    ends = Array(repeating: nil, count: calls.count)
    var events = calls.indices.map { (time: calls[$0].begun, isEnd: false, call: $0) }
    for index in calls.indices { if let ended = calls[index].ended { events.append((ended, true, index)) } }
    events.sort { ($0.time, $0.isEnd ? 1 : 0, $0.call) < ($1.time, $1.isEnd ? 1 : 0, $1.call) }

    var column = 0
    var last: (time: UInt64, isEnd: Bool)?
    for event in events {
      // Simultaneous begins, or ends, have the same place.
      if let last, last != (event.time, event.isEnd) { column += 2 }
      last = (event.time, event.isEnd)
      if event.isEnd {
        column = max(column, begins[event.call] + labels[event.call].count + 3)
        ends[event.call] = column
      } else {
        begins[event.call] = column
      }
    }
    // Ends at the same place as one whose label needs more room would seem to be before it.
    for event in events where event.isEnd {
      ends[event.call] = events.lazy.filter { $0.isEnd && $0.time == event.time }
        .compactMap { [ends] in ends[$0.call] }.max()
    }
    width = column + 1
    for index in calls.indices where ends[index] == nil { width = max(width, begins[index] + labels[index].count + 5) }
  }
}
