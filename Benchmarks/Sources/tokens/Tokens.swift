// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// What our futures cost in the rows of `OtherLanguages`, measured as the programs there do it.
///
/// Prints one line a row: its name and nanoseconds a piece.
@main
struct Tokens {
  private static let runs = 400, pieces = 2000, width = 1000

  static func main() {
    let tally = Tally()
    best("callback") { count in
      for index in 0..<count {
        let future = Future()
        future.onCancel(on: .inline) { tally.sum += index }
        future.cancel()
      }
    }
    best("cancel") { count in
      for _ in 0..<count { Future().cancel() }
    }
    let parent = Future()
    best("child") { count in
      for _ in 0..<count { Future(linkedTo: parent).complete() }
    }
    best("wide") { count in
      for _ in 0..<count / width {
        let root = Future()
        let children = (0..<width).map { _ in Future(linkedTo: root) }
        root.cancel()
        precondition(children[width - 1].isCancelled)
      }
    }
    best("deep") { count in
      for _ in 0..<count / width {
        let root = Future()
        var line = [root]
        for index in 0..<width { line.append(Future(linkedTo: line[index])) }
        root.cancel()
        precondition(line[width].isCancelled)
      }
    }
    best("maps") { count in
      for index in 0..<count {
        let first = ValueFuture<Int>()
        var last = first
        for _ in 0..<10 { last = last.map { $0 + 1 } }
        last.onValue(on: .inline) { tally.sum += $0 }
        first.complete(with: index)
      }
    }
    precondition(tally.sum != 0)
  }

  /// Tells how long one piece of the work takes in the best of many short runs.
  private static func best(_ row: String, _ work: (Int) -> Void) {
    var least = Duration.seconds(1000)
    for _ in 0..<runs {
      least = min(least, ContinuousClock().measure { work(pieces) })
    }
    print(row, Int((least / .nanoseconds(pieces)).rounded()))
  }
}

/// Only touched by the one thread of this program.
private final class Tally: @unchecked Sendable {
  var sum = 0
}
