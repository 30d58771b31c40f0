// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Prevents a task that waits in a loop, yielding, from blocking all others forever.
///
/// On a machine every task acts eventually; an order in which one doesn't shows nothing. So a line that has yielded a
/// few times while another one could have continued isn't a choice before that one has.
struct Fairness {
  /// The number of times that a line may yield while another waits.
  static let yields = 3

  /// The step since which each line can continue, or has acted; nil if it can't.
  private var readySince: [Int?] = []
  /// The steps in which each line yielded.
  private var yielded: [Int: [Int]] = [:]
  private var now = 0
  /// True if some line wasn't a choice for this reason.
  private(set) var hasInterfered = false

  var isInUse: Bool { !yielded.isEmpty }

  mutating func yields(_ line: Int) { yielded[line, default: []].append(now) }

  mutating func acts(_ line: Int) {
    now += 1
    if line < readySince.count { readySince[line] = nil }
  }

  /// Returns those of the choices that may be chosen.
  ///
  /// Never empty: a line that is excluded has acted after the one that excludes it could continue, and the other one
  /// hasn't acted since.
  ///
  /// - Parameters:
  ///   - choices: The lines that may be next.
  ///   - others: Lines that could continue, too, but are interrupted by a step that has to end first. They wait
  ///     meanwhile.
  /// - Returns: The choices that may be chosen.
  mutating func fair(_ choices: [Int], besides others: [Int] = []) -> [Int] {
    // In linear time: there may be hundreds of lines at each step.
    let last = max(choices.max() ?? -1, others.max() ?? -1)
    var since = [Int?](repeating: nil, count: max(readySince.count, last + 1))
    for line in choices + others { since[line] = line < readySince.count ? readySince[line] ?? now : now }
    readySince = since
    guard isInUse, choices.count > 1 else { return choices }
    let fair = choices.filter { line in
      guard let times = yielded[line], times.count >= Self.yields else { return true }
      let since = times[times.count - Self.yields]
      return !choices.contains { other in other != line && (readySince[other] ?? now) < since }
    }
    if fair.count < choices.count { hasInterfered = true }
    return fair
  }
}
