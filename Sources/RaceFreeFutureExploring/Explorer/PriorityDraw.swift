// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Draws lines by priorities that change at a few steps.
///
/// Of the lines that can continue, the one with the highest priority does, and at a few steps drawn at random the
/// running line falls behind all others. If there are n lines and k steps, a mistake that shows as soon as d steps come
/// in some order is found with a probability of at least 1 in n · k^(d-1), with any number of steps between them.
/// (Probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi and Nagarakatte, 2010.)
final class PriorityDraw: LineDraw {
  private var generator: SeededGenerator
  private var priorities: [Int: UInt64] = [:]
  /// The steps before which the running line falls behind.
  private let changes: Set<Int>
  /// The number of falls; of the fallen lines the one that fell last comes last.
  private var fallen = 0

  /// - Parameters:
  ///   - depth: The number of steps that have to come in some order, d.
  ///   - length: The number of steps of an order, k.
  ///   - seed: The seed of the random numbers.
  init(depth: Int, length: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    changes = Set((1..<max(2, depth)).map { _ in Int.random(in: 0..<max(1, length), using: &generator) })
      .filter { _ in depth > 1 }
    self.generator = generator
  }

  func line(of lines: [Int], in run: OrderRun) -> Int {
    for line in lines where priorities[line] == nil {
      priorities[line] = .random(in: 1 << 32 ... .max, using: &generator)
    }
    if changes.contains(run.trail.count), let on = highest(lines) {
      fallen += 1
      priorities[on] = 1 << 31 - UInt64(fallen)
    }
    return highest(lines) ?? lines[0]
  }

  private func highest(_ choices: [Int]) -> Int? {
    choices.max { priorities[$0, default: 0] < priorities[$1, default: 0] }
  }
}
