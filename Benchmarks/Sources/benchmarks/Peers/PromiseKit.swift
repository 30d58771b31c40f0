// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if PromiseKit
  import PromiseKit

  /// Its handler runs inline: `on: nil` gives it to no queue.
  func promiseKitPromise() -> Sides.Side {
    let tally = Tally()
    return { count in
      timed {
        for index in 0..<count {
          let (promise, resolver) = Promise<Void>.pending()
          _ = promise.done(on: nil) { tally.add(index) }
          resolver.fulfill(())
        }
      }
    }
  }
#endif
