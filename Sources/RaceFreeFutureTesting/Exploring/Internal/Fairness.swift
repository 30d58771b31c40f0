// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Keeps a task that waits in a loop, yielding, from keeping all others away for ever.
///
/// A machine lets everybody act some time; an order in which it doesn't shows nothing. So a line that has yielded a few
/// times while another one could have gone on isn't a choice before that one has.
struct Fairness {
  /// How often somebody may yield while another waits.
  static let yields = 3

  /// Since when each line could go on, or has acted; nil if it can't.
  private var readySince: [Int?] = []
  /// When each line yielded.
  private var yielded: [Int: [Int]] = [:]
  private var now = 0
  /// Whether some line wasn't a choice for this reason.
  private(set) var hasInterfered = false

  var isInUse: Bool { !yielded.isEmpty }

  mutating func yields(_ line: Int) { yielded[line, default: []].append(now) }

  mutating func acts(_ line: Int) {
    now += 1
    if line < readySince.count { readySince[line] = nil }
  }

  /// Those of the choices that may be chosen.
  ///
  /// Never nobody: a line that is kept away has acted after the one that keeps it away could go on, and the other one
  /// hasn't acted since.
  ///
  /// - Parameters:
  ///   - choices: Who may be next.
  ///   - others: Who could go on, too, but has to let somebody end what began in the middle of its own step. They wait
  ///     all the while.
  /// - Returns: Those of the choices.
  mutating func fair(_ choices: [Int], besides others: [Int] = []) -> [Int] {
    for line in readySince.indices where !choices.contains(line) && !others.contains(line) { readySince[line] = nil }
    choices.forEach { goesOn($0) }
    others.forEach { goesOn($0) }
    guard isInUse, choices.count > 1 else { return choices }
    let fair = choices.filter { line in
      guard let times = yielded[line], times.count >= Self.yields else { return true }
      let since = times[times.count - Self.yields]
      return !choices.contains { other in other != line && (readySince[other] ?? now) < since }
    }
    if fair.count < choices.count { hasInterfered = true }
    return fair
  }

  /// A line can go on.
  private mutating func goesOn(_ line: Int) {
    while readySince.count <= line { readySince.append(nil) }
    if readySince[line] == nil { readySince[line] = now }
  }
}
