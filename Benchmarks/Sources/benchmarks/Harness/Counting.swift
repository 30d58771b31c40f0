// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CMeasuring
import Foundation

/// How the instructions of a row are counted.
struct Counting {
  /// By which the row is known in the baseline.
  let name: String
  /// How many pieces the shorter one of two runs has; the longer one has twice as many.
  let pieces: Int
  /// Whether the count is the same each time: everything happens on one thread.
  let isSteady: Bool
}

extension Row {
  /// A row whose instructions are counted as well.
  func counted(_ name: String, pieces: Int = 1000, isSteady: Bool = true) -> Row {
    var row = self
    row.counting = Counting(name: name, pieces: pieces, isSteady: isSteady)
    return row
  }

  /// Runs one side three times between `begin_counting` and `end_counting`, and prints its number of pieces.
  ///
  /// The first run is the warm-up. The third has twice the pieces of the second, so that their difference is free of what doesn't depend on the number.
  func runForCounting(peer: Bool) {
    guard let counting, case .time(let make) = method else { return }
    print(counting.pieces)
    let sides = make()
    let side = peer ? sides.peer : sides.ours
    let long = SeededFault.applied(to: 2 * counting.pieces, inBurstsOf: sides.burst)
    for pieces in [counting.pieces, counting.pieces, long] {
      begin_counting()
      blackHole(side(pieces))
      end_counting()
    }
  }
}

/// Makes all counted work so many times as large, to see whether the check finds that out: `BENCHMARKS_SEEDED_FAULT=1.2`.
private enum SeededFault {
  private static let factor = ProcessInfo.processInfo.environment["BENCHMARKS_SEEDED_FAULT"].flatMap(Double.init)

  /// The pieces of the longer run; half of them are subtracted again.
  static func applied(to pieces: Int, inBurstsOf size: Int) -> Int {
    guard let factor else { return pieces }
    let half = Double(pieces / 2)
    return Int((half + half * factor) / Double(size)) * size
  }
}
