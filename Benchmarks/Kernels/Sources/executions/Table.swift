// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The table, printed row by row.
struct Table {
  let isMarkdown: Bool
  private(set) var rows: [Row] = []

  private static let titles = [
    "program", "GenMC, RC11", "here", "orders", "GenMC, SC", "here", "orders", "remark",
  ]
  private static let widths = [32, 11, 9, 9, 9, 9, 9, 0]

  init(isMarkdown: Bool) { self.isMarkdown = isMarkdown }

  func printTitles() {
    printLine(Self.titles)
    if isMarkdown { printLine(Self.titles.indices.map { $0 == 0 || $0 == 7 ? "---" : "---:" }) }
  }

  mutating func add(_ row: Row) {
    rows.append(row)
    printLine([row.program.name] + row.cells)
  }

  private func printLine(_ cells: [String]) {
    if isMarkdown { return print("| \(cells.joined(separator: " | ")) |") }
    let padded = cells.indices.map { index in
      let space = String(repeating: " ", count: max(0, Self.widths[index] - cells[index].count))
      return index == 0 ? cells[index] + space : index == 7 ? cells[index] : space + cells[index]
    }
    var line = padded.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    print(line)
  }

  /// Prints what the remarks mean, and the sums.
  func printSums() {
    print("")
    let list = isMarkdown ? "- " : ""
    for reason in Reason.allCases where rows.contains(where: { $0.isKnown(for: reason) }) {
      print("\(list)\(reason.rawValue): \(reason.words).")
    }
    print(
      """
      \(list)orders: an execution is run more than once if a load of an old value is tried before the store and, out of date, \
      after it; if a fence, which may touch anything, is exchanged with other steps; or if threads take turns with a lock, \
      or meet at a barrier, in another sequence. Orders in which an assumption doesn't hold are no executions.
      """
    )
    let programs = Set(rows.map { $0.program.name.prefix { $0 != "(" } }).count
    print("\(list)\(rows.count) rows, of \(programs) programs.")
    for model in Model.allCases {
      let counted = rows.filter { $0.verdict(model) != nil }
      guard !counted.isEmpty else { continue }
      var (equal, fewer, more, unfinished, unknown) = (0, 0, 0, 0, 0)
      for row in counted {
        switch row.verdict(model) {
        case .equal: equal += 1
        case .known(.symmetry): more += 1
        case .known: fewer += 1
        case .unfinished: unfinished += 1
        case .unknown: unknown += 1
        case nil: break
        }
      }
      let once = counted.count { row in
        row.counts[model].map { $0.isComplete && $0.orders == $0.executions.count } ?? false
      }
      print(
        """
        \(list)\(model.rawValue): \(equal) of \(counted.count) rows have GenMC's number of executions, \(fewer) fewer, \
        \(more) more, \(unfinished) aren't counted to the end, \(unknown) differ without a known reason; in \(once) rows \
        each execution is run once.
        """
      )
    }
  }
}

extension Row {
  fileprivate func isKnown(for reason: Reason) -> Bool {
    Model.allCases.contains { model in
      if case .known(reason) = verdict(model) { true } else { false }
    }
  }
}
