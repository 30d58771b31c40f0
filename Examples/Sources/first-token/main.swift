// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A worker counts down and hands out a token. Its client changes its mind midway.

import Dispatch
import RaceFreeFuture

func countDown(
  from start: Int,
  each report: @escaping @Sendable (Int, CancelToken) -> Void
) -> CancelToken {
  let work = Future(label: "countdown")
  DispatchQueue(label: "rocket").async {
    for number in (1...start).reversed() {
      // Never after a cancel.
      work.unlessCancelledAndWait { report(number, work.cancelToken) }
    }
    work.complete()  // does nothing after a cancel
  }
  return work.cancelToken
}

let token = countDown(from: 5) { number, token in
  print(number)
  // From any thread, at any time, as often as you like.
  if number == 3 { token.cancel() }
}
token.onComplete { print("lift-off") }  // one of these two
token.onCancel { print("stopped") }  // runs, once
print("the countdown was", await token.handlersFinished)
