// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

extension Question {
  static var addingAndRemoving: Question {
    Question(
      name: "adding and removing",
      asks: "Does a long-lived future get slower with the number of its handlers?",
      rows: [
        Row("add and remove, 1,000,000 others", against: "the same with 1 other", goal: .same(within: 0.2)) {
          Sides(ours: addAndRemove(beside: 1_000_000), peer: addAndRemove(beside: 1))
        }
      ]
    )
  }
}

private func addAndRemove(beside number: Int) -> Sides.Side {
  let tally = Tally()
  let future = Future()
  for index in 0..<number { future.onCancel(on: .inline) { tally.add(index) } }
  return { count in
    timed {
      for index in 0..<count {
        future.onCancel(on: .inline) { tally.add(index) }.remove()
      }
    }
  }
}
