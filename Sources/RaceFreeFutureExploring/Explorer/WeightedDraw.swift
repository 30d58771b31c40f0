// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Draws lines by the numbers of steps that they have ahead of them, so that all orders are about as likely.
///
/// A line with many steps would otherwise mostly come last. Of the steps, those count that use one thing, drawn for each
/// order, or all: the others are taken in between, by anybody. (Selectively uniform random walk: Zhao and others, 2025.)
final class WeightedDraw: LineDraw {
  private var generator: SeededGenerator
  private let profile: OrderProfile
  private var progress: OrderProgress
  private let thing: Footprint.Thing?
  private let counts: OrderProfile.Counts
  /// The line that is next to take a step that counts; nil: it is to be drawn.
  private var next: Int?

  /// - Parameters:
  ///   - profile: The steps that each line has.
  ///   - seed: The seed of the random numbers.
  init(_ profile: OrderProfile, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    self.profile = profile
    progress = OrderProgress(profile)
    thing = (profile.shared.map(Optional.some) + [nil]).randomElement(using: &generator) ?? nil
    counts = profile.counts(of: thing)
    self.generator = generator
  }

  func line(of lines: [Int], in run: OrderRun) -> Int {
    _ = progress.follow(run.trail)
    let next = next.flatMap { lines.contains($0) ? $0 : nil } ?? drawn(of: lines)
    self.next = next
    // Whoever comes to a step that counts waits for its turn.
    let free = lines.filter { $0 == next || !doesCount($0, run) }
    let line = free.randomElement(using: &generator) ?? next
    if line == next, doesCount(line, run) { self.next = nil }
    return line
  }

  private func doesCount(_ line: Int, _ run: OrderRun) -> Bool {
    thing == nil || progress.next(of: line, in: run)?.mayUse(thing) == true
  }

  private func drawn(of lines: [Int]) -> Int {
    let weights = lines.map { line in
      profile.ahead(
        of: line,
        at: progress.taken[line, default: 0],
        besides: { progress.taken[$0] != nil || lines.contains($0) },
        counts
      )
    }
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return lines.randomElement(using: &generator) ?? lines[0] }
    var left = Int.random(in: 0..<sum, using: &generator)
    for (line, weight) in zip(lines, weights) {
      if left < weight { return line }
      left -= weight
    }
    return lines[0]
  }
}
