// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

extension Question {
  /// Those whose traits are enabled; nil if there are none.
  ///
  /// The code of each stands in the folder `Peers`; what it is measured against stands here.
  static var furtherPeers: Question? {
    var rows: [Row] = []
    #if PromiseKit
      rows.append(
        Row(work, against: "PromiseKit promise, done(on: nil)", goal: .times(0.04)) {
          Sides(ours: lifeWithOneHandler(), peer: promiseKitPromise())
        }
      )
    #endif
    #if BrightFutures
      rows.append(
        Row(work, against: "BrightFutures promise, onSuccess") {
          Sides(ours: lifeWithOneHandler(), peer: brightFuturesPromise())
        }
      )
    #endif
    #if RxSwift
      rows.append(
        Row(work, against: "RxSwift PublishSubject, subscribe") {
          Sides(ours: lifeWithOneHandler(), peer: rxSwiftSubject())
        }
      )
    #endif
    #if ReactiveSwift
      rows.append(
        Row(work, against: "ReactiveSwift signal, observeCompleted") {
          Sides(ours: lifeWithOneHandler(), peer: reactiveSwiftSignal())
        }
      )
    #endif
    guard !rows.isEmpty else { return nil }
    return Question(
      name: "further peers",
      asks: "What does the whole life of a future with one inline handler cost, beside others that are used a lot?",
      rows: rows
    )
  }

  private static var work: String { "create, 1 inline handler, complete" }
}

private func lifeWithOneHandler() -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let future = Future()
        future.onComplete(on: .inline) { tally.add(index) }
        future.complete()
      }
    }
  }
}
