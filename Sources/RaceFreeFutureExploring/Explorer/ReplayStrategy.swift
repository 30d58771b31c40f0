// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

/// Runs exactly one order; steps that it leaves open are chosen as usual.
final class ReplayStrategy: Strategy {
  private let lines: [Int]

  init(_ lines: [Int]) { self.lines = lines }

  func choose(among choices: [Int], in run: OrderRun) throws(OrderFailure) -> Int {
    let step = run.trail.count
    guard step < lines.count else { return OrderSearch.goOn(run.trail.on.last, choices) ?? choices[0] }
    if choices.contains(lines[step]) { return lines[step] }
    let titles = run.titles
    let wanted = lines[step] < titles.count ? "\"\(titles[lines[step]])\"" : "number \(lines[step])"
    throw .impossible(step: step + 1, wanted: wanted, now: choices.map { titles[$0] })
  }

  func end(_ order: Explorer.Ended) -> Explorer.Ended {
    var order = order
    if order.failure == nil, order.trail.count < lines.count {
      order.failure = .impossible(step: order.trail.count + 1, wanted: "one more", now: [])
    }
    return order
  }
}

/// Continues who could continue first, without interrupting anybody.
final class FirstComeStrategy: Strategy {
  func choose(among choices: [Int], in run: OrderRun) throws(OrderFailure) -> Int {
    choices.min { run.arrival(of: $0) < run.arrival(of: $1) } ?? choices[0]
  }
}

extension OrderRun {
  /// The number of items that were queued before that of a choice; less if it is an interrupted step, and more if it is the
  /// clock.
  fileprivate func arrival(of choice: Int) -> Int {
    threadChoice(choice) != nil ? -1 : lines.withLock { $0.head(choice)?.number } ?? .max
  }
}

/// Runs an order as far as it is possible, without the choices that aren't.
final class NearestStrategy: Strategy {
  private var wanted: ArraySlice<Int>

  init(_ lines: ArraySlice<Int>) { wanted = lines }

  func choose(among choices: [Int], in run: OrderRun) throws(OrderFailure) -> Int {
    while let next = wanted.popFirst() {
      if choices.contains(next) { return next }
    }
    return OrderSearch.goOn(run.trail.on.last, choices) ?? choices[0]
  }
}
