// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if BrightFutures
  import BrightFutures

  /// Its handler runs inline: an execution context is a function that is given the work.
  func brightFuturesPromise() -> Sides.Side {
    let tally = Tally()
    let inline: ExecutionContext = { work in work() }
    return { count in
      timed {
        for index in 0..<count {
          let promise = Promise<Void, Never>()
          promise.future.onSuccess(inline) { tally.add(index) }
          promise.success(())
        }
      }
    }
  }
#endif
