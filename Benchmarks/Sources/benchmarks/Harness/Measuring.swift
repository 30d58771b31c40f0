// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// How much time is spent on a row.
struct Effort {
  /// How often both sides run, one after the other.
  let pairs: Int
  /// How long a run takes at least.
  let run: Duration

  static let full = Effort(pairs: 21, run: .milliseconds(20))
  static let quick = Effort(pairs: 5, run: .milliseconds(3))
}

/// What one piece of the work took, run by run.
struct Samples {
  /// The run of this package beside the run of its peer that was made right before or after it.
  let pairs: [(ours: Double, peer: Double)]

  var ours: Spread { Spread(pairs.map(\.ours)) }
  var peer: Spread { Spread(pairs.map(\.peer)) }
  /// Taken pair by pair, so that what slows both sides down for a while falls out.
  var ratio: Spread { Spread(pairs.map { $0.ours / $0.peer }) }
}

extension Row {
  /// Runs both sides alternately.
  func measure(_ effort: Effort) -> Samples {
    switch method {
    case .time(let make):
      let sides = make()
      // Finding the size of a run is the warm-up as well.
      let counts = (
        ours: count(sides.ours, in: sides.burst, filling: effort.run),
        peer: count(sides.peer, in: sides.burst, filling: effort.run)
      )
      func ours() -> Double { sides.ours(counts.ours) / .nanoseconds(counts.ours) }
      func peer() -> Double { sides.peer(counts.peer) / .nanoseconds(counts.peer) }
      return Samples(
        pairs: (0..<effort.pairs).map { index in
          // Neither side always comes first.
          if index.isMultiple(of: 2) { return (ours: ours(), peer: peer()) }
          let peer = peer()
          return (ours: ours(), peer: peer)
        }
      )
    case .bytes(let ours, let peer):
      return Samples(pairs: (0..<3).map { _ in (ours: ours(), peer: peer()) })
    }
  }

  /// How many pieces fill the time, in whole bursts.
  private func count(_ side: Sides.Side, in burst: Int, filling time: Duration) -> Int {
    var bursts = 1
    while true {
      // The quicker of two, so that one interruption doesn't pass for work.
      let taken = min(side(bursts * burst), side(bursts * burst))
      if taken >= time { return bursts * burst }
      let factor = taken > .zero ? (time / taken) * 1.2 : 10
      bursts = Int(Double(bursts) * min(max(factor, 1.5), 10)) + 1
    }
  }
}

/// Where the middle of some figures lies, and the middle half of them.
struct Spread {
  let median: Double
  let lower: Double
  let upper: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    func quantile(_ fraction: Double) -> Double {
      let position = fraction * Double(sorted.count - 1)
      let index = Int(position)
      let next = min(index + 1, sorted.count - 1)
      return sorted[index] + (sorted[next] - sorted[index]) * (position - Double(index))
    }
    median = quantile(0.5)
    lower = quantile(0.25)
    upper = quantile(0.75)
  }
}

extension Samples {
  /// Whether the goal is met; nil if there is none.
  func meets(_ goal: Goal) -> Bool? {
    switch goal {
    case .none: nil
    case .times(let factor, let extra): Spread(pairs.map { $0.ours / ($0.peer * factor + extra) }).median <= 1
    case .same(let tolerance): abs(ratio.median - 1) <= tolerance
    case .most(let limit): ours.median <= limit
    }
  }
}
