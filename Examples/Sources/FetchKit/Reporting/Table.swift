// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console

/// The closing table: one line per download, and a summary.
public struct Table: CustomStringConvertible {
  private let reports: [Report]

  /// Makes a table of reports.
  public init(_ reports: [Report]) {
    self.reports = reports
  }

  /// The table, each line ended by a line break.
  public var description: String { fitted(to: .max) }

  /// Returns the table for lines of a maximum number of columns.
  ///
  /// If a line would be too long, the outcomes stand below their downloads, and names are cut.
  public func fitted(to columns: Int) -> String {
    let rows =
      [["file", "bytes", "time", "outcome"]]
      + reports.map { [$0.name, grouped($0.bytes), $0.time?.measured ?? "-", $0.words] }
    var widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let isNarrow = widths.reduce(6, +) > columns
    if isNarrow { widths[0] = max(4, min(widths[0], columns - widths[1] - widths[2] - 4)) }
    var lines = rows.enumerated().map { index, row in
      let numbers = (1...2).map { String(repeating: " ", count: widths[$0] - row[$0].count) + row[$0] }
      let line = ([row[0].fitted(to: widths[0])] + numbers).joined(separator: "  ")
      if !isNarrow { return line + "  " + row[3] }
      // The outcome needs no title.
      return index == 0 ? line : line + "\n" + "  \(row[3])".wrapped(to: columns, indentation: "  ")
    }
    let width = isNarrow ? widths[0] + widths[1] + widths[2] + 4 : lines.map(\.count).max() ?? 0
    lines.insert(String(repeating: "-", count: width), at: 1)
    return (lines + [summary.wrapped(to: columns)]).joined(separator: "\n") + "\n"
  }

  private var summary: String {
    var completed = 0
    var cancelled = 0
    var failed = 0
    for report in reports {
      switch report.ending {
      case .completed: completed += 1
      case .cancelled: cancelled += 1
      case .failed: failed += 1
      }
    }
    return "\(completed) completed, \(cancelled) cancelled, \(failed) failed"
  }
}
