// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if ReactiveSwift
  import ReactiveSwift

  func reactiveSwiftSignal() -> Sides.Side {
    let tally = Tally()
    return { count in
      timed {
        for index in 0..<count {
          let (signal, observer) = Signal<Void, Never>.pipe()
          signal.observeCompleted { tally.add(index) }
          observer.sendCompleted()
        }
      }
    }
  }
#endif
