// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

extension OrderRun {
  /// True if others could act between the begin and the end of a task or thread, or there were no two of them.
  ///
  /// Without such points each runs in one step, and what goes wrong within it isn't seen. Tasks that await a future need
  /// none, because its operations are whole. To be read at the end of the order, before it lets go of its scenario.
  var hasPoints: Bool {
    guard taskScenario != nil else {
      // A thread without an explored operation ends before the first step. A cell makes no step, but is looked after.
      let areThreads = scenario.actors.allSatisfy { if case .thread = $0.script { true } else { false } }
      return !areThreads || scenario.actors.count < 2 || !trail.chosen.isEmpty || threads.count > 0
    }
    if !jobs.actors.isEmpty || others.waits.withLock({ $0.count > 0 }) || lines.withLock({ $0.mainLine != nil }) {
      return true
    }
    let steps = trail.on.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    // The body awaits the others, in one more step.
    let others = steps.filter { !actorLines.contains($0.key) }
    return others.count < 2 || others.contains { $0.value > 1 }
  }
}
