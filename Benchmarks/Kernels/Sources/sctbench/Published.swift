// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// The schedules to the first bug that SURW's artifact (Zhao and others, ASPLOS 2025) published for SCTBench: mean and
/// deviation of twenty runs, of at most 10,000 schedules each.
enum Published {
  /// The draws of the table.
  static let draws = ["SURW", "PCT-3", "PCT-10", "POS", "random"]

  /// A row: the kernel, then a cell for each draw.
  static let rows: [String: [String]] = Dictionary(
    uniqueKeysWithValues: text.split(separator: "\n").map { line in
      let cells = line.components(separatedBy: " | ")
      return (cells[0], Array(cells.dropFirst()))
    }
  )

  /// The mean of a cell; nil if it found nothing, or wasn't run.
  static func mean(of kernel: String, by draw: String) -> Double? {
    guard let column = draws.firstIndex(of: draw), let cell = rows[kernel]?[column], cell.contains("±") else {
      return nil
    }
    return Double(cell.prefix { $0.isNumber })
  }

  private static let text = """
    CB/stringbuffer-jdk1.4 | 8 ± 7 | 281 ± 261 | 26 ± 24 | 23 ± 19 | 2243 ± 2324 in 19/20
    CS/account | 6 ± 5 | 4 ± 2 | 4 ± 3 | 4 ± 3 | 18 ± 24
    CS/bluetooth_driver | 70 ± 55 | 112 ± 73 | 83 ± 86 | 36 ± 29 | 215 ± 225
    CS/carter01 | – | 5 ± 3 | 3 ± 1 | 2 ± 2 | 1 ± 0
    CS/circular_buffer | 3 ± 1 | 9 ± 7 | 5 ± 3 | 2 ± 1 | 4 ± 3
    CS/deadlock01 | 2 ± 0 | 13 ± 12 | 7 ± 6 | 4 ± 3 | 3 ± 3
    CS/lazy01 | 2 ± 0 | 5 ± 3 | 5 ± 3 | 5 ± 3 | 21 ± 21
    CS/queue | 2 ± 0 | 3 ± 2 | 2 ± 0 | 1 ± 1 | 1 ± 0
    CS/reorder_10 | 17 ± 11 | 3225 ± 2426 in 16/20 | 4462 ± 3266 in 12/20 | 0/20 | 0/20
    CS/reorder_100 | 194 ± 214 | 0/20 | 0/20 | 0/20 | 0/20
    CS/reorder_20 | 6 ± 4 | 3005 ± 2680 | 3297 ± 2877 in 17/20 | 0/20 | 0/20
    CS/reorder_3 | 7 ± 7 | 185 ± 199 | 148 ± 191 | 86 ± 70 | 0/20
    CS/reorder_4 | 7 ± 6 | 554 ± 643 | 362 ± 213 | 533 ± 651 | 0/20
    CS/reorder_5 | 10 ± 9 | 647 ± 517 | 1094 ± 1216 | 2169 ± 2182 | 0/20
    CS/reorder_50 | 13 ± 12 | 3304 ± 1721 in 6/20 | 9422 ± 0 in 1/20 | 0/20 | 0/20
    CS/stack | 5 ± 3 | 3 ± 2 | 3 ± 1 | 2 ± 1 | 176 ± 136
    CS/token_ring | 8 ± 6 | 8 ± 6 | 8 ± 8 | 9 ± 11 | 13 ± 13
    CS/twostage | 8 ± 4 | 13 ± 14 | 9 ± 10 | 15 ± 12 | 464 ± 581
    CS/twostage_100 | 454 ± 444 | 7466 ± 831 in 3/20 | 5726 ± 2591 in 9/20 | 6674 ± 2877 in 3/20 | 0/20
    CS/twostage_20 | 6 ± 3 | 159 ± 151 | 101 ± 92 | 156 ± 137 | 0/20
    CS/twostage_50 | 20 ± 17 | 1676 ± 1715 | 692 ± 392 | 1637 ± 1385 | 0/20
    CS/wronglock | 7 ± 7 | 51 ± 50 | 20 ± 20 | 10 ± 14 | 36 ± 42
    CS/wronglock_3 | 9 ± 9 | 58 ± 46 | 14 ± 10 | 11 ± 14 | 36 ± 42
    Chess/InterlockedWorkStealQueue | 6 ± 5 | 48 ± 36 | 13 ± 14 | 14 ± 11 | 0/20
    Chess/InterlockedWorkStealQueueWithState | 6 ± 5 | 907 ± 740 | 204 ± 220 | 5 ± 4 | 26 ± 28
    Chess/StateWorkStealQueue | 7 ± 6 | 842 ± 679 | 199 ± 216 | 6 ± 5 | –
    Chess/WorkStealQueue | 6 ± 4 | 48 ± 49 | 16 ± 14 | 12 ± 7 | –
    """
}
