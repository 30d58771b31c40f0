// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Draws lines by a random priority for each step, drawn again for the steps that conflict with the one that was taken.
///
/// So the order of two steps is as likely to be one as the other, however long their lines are. (Partial order sampling:
/// Yuan, Yang and Gu, 2018.)
final class ConflictDraw: LineDraw {
  private var generator: SeededGenerator
  private var progress: OrderProgress
  private var priorities: [Int: UInt64] = [:]

  /// - Parameters:
  ///   - profile: What steps use that aren't known before.
  ///   - seed: The seed of the random numbers.
  init(_ profile: OrderProfile, seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    progress = OrderProgress(profile)
  }

  func line(of lines: [Int], in run: OrderRun) -> Int {
    if let last = progress.follow(run.trail), let used = run.trail.footprints.last {
      priorities[last] = nil
      for line in priorities.keys where progress.next(of: line, in: run)?.conflicts(with: used) == true {
        priorities[line] = nil
      }
    }
    for line in lines where priorities[line] == nil { priorities[line] = generator.next() }
    return lines.max { priorities[$0, default: 0] < priorities[$1, default: 0] } ?? lines[0]
  }
}
