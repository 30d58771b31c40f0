// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Synchronization

extension Question {
  static var polling: Question {
    // One atomic load, and the call of a function in another module. A lock, a retain or a second call would cost more.
    let goal = Goal.times(1, plus: 3)
    return Question(
      name: "polling",
      asks: "May the inside of a loop ask whether it was cancelled?",
      rows: [
        Row("poll isCancelled", against: "atomic load in the loop itself", goal: goal) {
          Sides(ours: pollFuture(), peer: load())
        }
        .counted("poll"),
        Row("poll a token's isCancelled", against: "atomic load in the loop itself", goal: goal) {
          Sides(ours: pollToken(), peer: load())
        },
        Row("poll isCancelled", against: "atomic load behind a call") {
          Sides(ours: pollFuture(), peer: callAndLoad())
        },
      ]
    )
  }
}

private func pollFuture() -> Sides.Side {
  let future = Future()
  return { count in
    timed {
      var cancelled = 0
      for _ in 0..<count where future.isCancelled { cancelled += 1 }
      blackHole(cancelled)
    }
  }
}

private func pollToken() -> Sides.Side {
  let future = Future()
  let token = future.cancelToken
  return { count in
    timed {
      var cancelled = 0
      for _ in 0..<count where token.isCancelled { cancelled += 1 }
      blackHole(cancelled)
    }
  }
}

private final class Flag: Sendable {
  private let value = Atomic<UInt8>(0)

  /// As a library has it: the caller doesn't see its code.
  @inline(never)
  var isSetOutOfLine: Bool { isSet }

  @inline(__always)
  var isSet: Bool { value.load(ordering: .acquiring) == 2 }
}

private func callAndLoad() -> Sides.Side {
  let flag = Flag()
  return { count in
    timed {
      var cancelled = 0
      for _ in 0..<count where flag.isSetOutOfLine { cancelled += 1 }
      blackHole(cancelled)
    }
  }
}

private func load() -> Sides.Side {
  let flag = Flag()
  return { count in
    timed {
      var cancelled = 0
      for _ in 0..<count where flag.isSet { cancelled += 1 }
      blackHole(cancelled)
    }
  }
}
