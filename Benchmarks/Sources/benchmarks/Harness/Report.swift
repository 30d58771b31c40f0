// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A table in Markdown whose columns are also straight on a terminal.
struct Table {
  private let widths: [Int]

  private static let titles = ["work", "against", "ours", "peer", "ratio", "goal"]
  /// The least width of each column; the columns that hold figures are set flush right.
  private static let least = [0, 0, 9, 9, 5, 0]
  private static let figures = 2...4

  init(for questions: [Question]) {
    let rows = questions.flatMap(\.rows)
    var widths = zip(Table.titles, Table.least).map { max($0.count, $1) }
    widths[0] = max(widths[0], rows.map(\.work.count).max() ?? 0)
    widths[1] = max(widths[1], rows.map(\.peer.count).max() ?? 0)
    widths[5] = max(widths[5], rows.map(\.goalText.count).max() ?? 0) + ", not met".count
    self.widths = widths
  }

  var head: String {
    let rule = widths.indices.map { column in
      let line = String(repeating: "-", count: widths[column])
      return Table.figures.contains(column) ? "\(line.dropLast()):" : line
    }
    return line(Table.titles) + "\n" + line(rule)
  }

  func line(_ row: Row, _ samples: Samples) -> String {
    line([
      row.work,
      row.peer,
      row.amount(samples.ours.median),
      row.amount(samples.peer.median),
      decimal(samples.ratio.median),
      row.goalText + (samples.meets(row.goal) == false ? ", not met" : ""),
    ])
  }

  private func line(_ cells: [String]) -> String {
    let padded = cells.enumerated().map { column, cell in
      let space = String(repeating: " ", count: max(0, widths[column] - cell.count))
      return Table.figures.contains(column) ? space + cell : cell + space
    }
    return "| " + padded.joined(separator: " | ") + " |"
  }
}

extension Row {
  var unit: String {
    switch method {
    case .time: "ns"
    case .bytes: "bytes"
    }
  }

  var goalText: String {
    switch goal {
    case .none: ""
    case .times(let factor, let extra): "≤ \(decimal(factor)) ×" + (extra > 0 ? " + \(amount(extra))" : "")
    case .same(let tolerance): "1 ± \(decimal(tolerance))"
    case .most(let limit): "≤ \(amount(limit))"
    }
  }

  func amount(_ value: Double) -> String {
    switch value {
    case ..<10: "\(decimal(value)) \(unit)"
    case 10_000... where unit == "ns": "\(Int((value / 1000).rounded())) µs"
    default: "\(Int(value.rounded())) \(unit)"
    }
  }
}

/// Two places.
private func decimal(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let fraction = String(hundredths % 100)
  return "\(hundredths / 100).\(fraction.count < 2 ? "0" : "")\(fraction)"
}

/// A measured row as JSON has it.
struct Finding: Codable {
  let question: String
  let work: String
  let peer: String
  let unit: String
  let ours: Double
  let peers: Double
  let ratio: Double
  let lowerQuartile: Double
  let upperQuartile: Double
  let goal: String
  let met: Bool?

  init(_ question: Question, _ row: Row, _ samples: Samples) {
    self.question = question.name
    work = row.work
    peer = row.peer
    unit = row.unit
    ours = samples.ours.median
    peers = samples.peer.median
    ratio = samples.ratio.median
    lowerQuartile = samples.ratio.lower
    upperQuartile = samples.ratio.upper
    goal = row.goalText
    met = samples.meets(row.goal)
  }

  static func json(_ findings: [Finding]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(findings), as: UTF8.self)
  }
}
