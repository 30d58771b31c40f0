// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if RxSwift
  import RxSwift

  func rxSwiftSubject() -> Sides.Side {
    let tally = Tally()
    return { count in
      timed {
        for index in 0..<count {
          let subject = PublishSubject<Void>()
          let subscription = subject.subscribe(onCompleted: { tally.add(index) })
          subject.onCompleted()
          withExtendedLifetime(subscription) {}
        }
      }
    }
  }
#endif
