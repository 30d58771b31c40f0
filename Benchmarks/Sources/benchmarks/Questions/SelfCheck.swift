// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

extension Question {
  static var selfCheck: Question {
    Question(
      name: "self-check",
      asks: "Can the figures be believed?",
      rows: [
        Row("self-check: one future's life", against: "the same code", goal: .same(within: 0.1)) {
          Sides(ours: lives(1), peer: lives(1))
        },
        Row("self-check: two futures' lives", against: "one of them", goal: .times(2.2)) {
          Sides(ours: lives(2), peer: lives(1))
        },
      ]
    )
  }
}

private func lives(_ number: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        for _ in 0..<number {
          let future = Future()
          future.onComplete(on: .inline) { tally.add(index) }
          future.complete()
        }
      }
    }
  }
}
