// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// Prints a row as soon as it is measured, and sums up.
struct Table {
  private let columns: [Column]
  private let orders: Int
  private let isMarkdown: Bool
  private var count = 0
  /// The number of kernels of which each column finds the bug with all seeds.
  private var found: [Column: Int] = [:]
  private var (compared, noHigher) = (0, 0)
  private(set) var isWorse = false

  init(columns: [Column], orders: Int, isMarkdown: Bool) {
    (self.columns, self.orders, self.isMarkdown) = (columns, orders, isMarkdown)
    let titles = columns.flatMap { $0.published == nil ? [$0.title] : [$0.title, "published \($0.published ?? "")"] }
    let first = columns.contains(.weights) ? [] : ["published SURW"]
    show(["kernel"] + titles + first)
    if isMarkdown { print("| --- |" + String(repeating: " ---: |", count: titles.count + first.count)) }
  }

  private func show(_ cells: [String]) {
    if isMarkdown {
      print("| \(cells.joined(separator: " | ")) |")
    } else {
      let widths = [42] + [Int](repeating: 24, count: cells.count - 1)
      print(zip(cells, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }.joined())
    }
    fflush(nil)
  }

  /// Adds a row.
  mutating func add(_ kernel: Kernel, _ measure: (Column) -> Cell?) {
    count += 1
    var cells: [String] = []
    for column in columns {
      let cell = measure(column)
      cells.append(cell?.text ?? "died")
      if let published = column.published { cells.append(self.published(kernel, published)) }
      if cell?.isAlwaysFound == true { found[column, default: 0] += 1 }
      guard column == .usual else { continue }
      if cell?.isMissed(within: orders) != false { isWorse = true }
      guard let surw = Published.mean(of: kernel.name, by: "SURW") else { continue }
      compared += 1
      if let mean = cell?.mean, cell?.isAlwaysFound == true, mean.rounded() <= surw { noHigher += 1 }
    }
    if !columns.contains(.weights) { cells.append(published(kernel, "SURW")) }
    show([kernel.name] + cells)
  }

  private func published(_ kernel: Kernel, _ draw: String) -> String {
    let column = Published.draws.firstIndex(of: draw) ?? 0
    return Published.rows[kernel.name]?[column] ?? "–"
  }

  func end() {
    let sums = columns.map { "\($0.title) \(found[$0, default: 0])" }.joined(separator: ", ")
    print("\nFound with all seeds, of \(count): \(sums).")
    print("The default search needs no more orders on average than SURW published: \(noHigher) of \(compared).")
  }
}
