// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// The part of a search that this process runs, if several share one: together they run all orders, each once.
struct SearchPart: Equatable {
  /// From 1 to the count.
  let number: Int
  let count: Int

  /// The environment variable with the part, as in `3/8`.
  static let variable = "RACEFREEFUTURE_SHARD"

  /// The part of this process; nil: it runs the whole search.
  ///
  /// A variable that names no part stops the program: a part that nobody runs would be missed by nobody.
  static var own: SearchPart? {
    guard let text = environment(variable), !text.isEmpty else { return nil }
    guard let part = SearchPart(text) else {
      fatalError("\(variable) is '\(text)', which is no part such as 3/8")
    }
    return part
  }

  init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1], 1...max(1, count) ~= number, count > 0
    else {
      return nil
    }
    (self.number, self.count) = (number, count)
  }

  /// The number of beginnings that are shared out to each part, or more: as many as make the parts about equal.
  static let beginnings = 16

  /// Returns true if this part is to run one of all.
  func runs(_ index: Int) -> Bool { index % count == number - 1 }
}
