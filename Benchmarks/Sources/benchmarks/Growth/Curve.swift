// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// How the cost of one piece grows with the number of those that are there, for this package and for a peer.
struct Curve {
  /// The name of the image, without its extension.
  let file: String
  let title: String
  /// What is counted on the axis of numbers.
  let axis: String
  let peer: String
  /// Makes both sides for a number.
  let sides: (_ number: Int) -> Sides
  /// How many items the cost of a piece is shared among.
  let items: (_ number: Int) -> Int

  init(
    _ file: String,
    title: String,
    axis: String,
    peer: String,
    items: @escaping (_ number: Int) -> Int = { _ in 1 },
    _ sides: @escaping (_ number: Int) -> Sides
  ) {
    self.file = file
    self.title = title
    self.axis = axis
    self.peer = peer
    self.items = items
    self.sides = sides
  }

  /// One number, and the nanoseconds of one item on each side.
  struct Point {
    let number: Int
    let ours: Double
    let peer: Double
  }

  /// Measures it for the numbers 1, 3, 10, 30 and so on.
  ///
  /// The sides run alternately; each point is the median of its runs.
  func measure(_ effort: Effort) -> [Point] {
    numbers(upTo: effort.largest).map { number in
      let sides = sides(number)
      let samples = Row(title, against: peer) { sides }.measure(effort.forNumber(number))
      let items = Double(items(number))
      return Point(number: number, ours: samples.ours.median / items, peer: samples.peer.median / items)
    }
  }

  private func numbers(upTo largest: Int) -> [Int] {
    var numbers: [Int] = []
    var decade = 1
    while decade <= largest {
      numbers += [decade, 3 * decade].filter { $0 <= largest }
      decade *= 10
    }
    return numbers
  }
}

extension Effort {
  fileprivate var largest: Int { pairs == Effort.quick.pairs ? 1000 : 1_000_000 }

  /// Large numbers take long and vary little.
  fileprivate func forNumber(_ number: Int) -> Effort {
    Effort(pairs: number < 10_000 ? min(pairs, 11) : 5, run: min(run, .milliseconds(5)))
  }
}
