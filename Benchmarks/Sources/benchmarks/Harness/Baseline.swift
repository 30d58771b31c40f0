// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// The instructions, and the atomic operations among them, that `Scripts/bench-check.sh` has counted.
struct Baseline {
  private struct Count {
    let ours, peer, oursAtomic, peerAtomic: Double
  }

  private var machine = ""
  private var counts: [String: Count] = [:]

  init(path: String) throws {
    for line in try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("# made on: ") { machine = String(line.dropFirst(11)) }
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Double($0) }
      guard words.count == 5, numbers.count == 4 else { continue }
      counts[String(words[0])] = Count(
        ours: numbers[0],
        peer: numbers[1],
        oursAtomic: numbers[2],
        peerAtomic: numbers[3]
      )
    }
  }

  /// A table in Markdown, in the order of the questions.
  func table(for questions: [Question]) -> String {
    let rows = questions.flatMap(\.rows).compactMap { row -> [String]? in
      guard let name = row.counting?.name, let count = counts[name] else { return nil }
      return [
        row.work, row.peer, whole(count.ours), whole(count.peer), hundredths(count.ours / count.peer),
        whole(count.oursAtomic), whole(count.peerAtomic), name,
      ]
    }
    let titles = ["work", "against", "ours", "peer", "ratio", "ours, atomic", "peer, atomic", "name"]
    let widths = titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
    let rule = widths.enumerated().map { column, width in
      String(repeating: "-", count: width - (isFigure(column) ? 1 : 0)) + (isFigure(column) ? ":" : "")
    }
    let lines = ([titles, rule] + rows).map { cells in
      let padded = zip(cells, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return isFigure(column) ? space + cell.0 : cell.0 + space
      }
      return "| \(padded.joined(separator: " | ")) |"
    }
    return (["Counted on \(machine).", ""] + lines).joined(separator: "\n")
  }

  private func isFigure(_ column: Int) -> Bool { (2...6).contains(column) }

  private func whole(_ value: Double) -> String { "\(Int(value.rounded()))" }

  private func hundredths(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(String(String(100 + hundredths % 100).dropFirst()))"
  }
}
