// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Curve {
  /// All curves, in the order of the README.
  ///
  /// The code of their sides stands in the files of the questions.
  static var all: [Curve] {
    [
      Curve(
        "handlers",
        title: "Time for one handler of n: adding and running it",
        axis: "inline handlers of one future",
        peer: "SwiftNIO promise"
      ) { number in
        Sides(burst: number, ours: addAndDeliver(number), peer: addAndDeliverByPromise(number))
      },
      Curve(
        "adding-and-removing",
        title: "Time for adding a handler and removing it beside n others",
        axis: "other handlers of the future",
        peer: "dictionary behind a Mutex"
      ) { number in
        Sides(ours: addAndRemove(beside: number), peer: addAndRemoveByHand(beside: number))
      },
      Curve(
        "links",
        title: "Time for one future of n below one that is cancelled",
        axis: "futures that are linked to one",
        peer: "SwiftNIO cascadeFailure"
      ) { number in
        Sides(burst: number, ours: fan(number), peer: promisesInFan(number))
      },
      Curve(
        "all",
        title: "Time for one future of n in all(n), completed one by one",
        axis: "futures that are waited for",
        peer: "SwiftNIO whenAllSucceed",
        items: { $0 }
      ) { number in
        Sides(ours: allOurs(number), peer: allPromises(number))
      },
    ]
  }
}
