// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The closing table: one line a download, and one that sums up.
public struct Table: CustomStringConvertible {
  private let reports: [Report]

  /// A table of reports.
  public init(_ reports: [Report]) {
    self.reports = reports
  }

  /// The table, each line ended by a line break.
  public var description: String {
    let rows =
      [["file", "bytes", "time", "outcome"]]
      + reports.map { [$0.name, grouped($0.bytes), $0.time?.words ?? "-", $0.words] }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      let numbers = (1...2).map { String(repeating: " ", count: widths[$0] - row[$0].count) + row[$0] }
      return ([row[0].fitted(to: widths[0])] + numbers + [row[3]]).joined(separator: "  ")
    }
    lines.insert(String(repeating: "-", count: lines.map(\.count).max() ?? 0), at: 1)
    return (lines + [summary]).joined(separator: "\n") + "\n"
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
