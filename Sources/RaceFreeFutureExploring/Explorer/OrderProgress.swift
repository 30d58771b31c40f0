// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The steps that the lines of an order have taken, and what their next ones use, as far as that is known or was seen in
/// another order.
struct OrderProgress {
  private let profile: OrderProfile
  private(set) var taken: [Int: Int] = [:]
  private var count = 0

  init(_ profile: OrderProfile) { self.profile = profile }

  /// Takes note of the steps that were taken meanwhile; returns the line of the last one.
  mutating func follow(_ trail: OrderTrail) -> Int? {
    guard count < trail.count else { return nil }
    for line in trail.on[count...] { taken[line, default: 0] += 1 }
    count = trail.count
    return trail.on.last
  }

  func next(of line: Int, in run: OrderRun) -> Footprint? {
    run.threads.byLine[line]?.pending?.touches ?? profile.footprint(of: line, at: taken[line, default: 0])
  }
}
