// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if Deferred
  import Deferred

  func deferred() -> Sides.Side {
    let tally = Tally()
    let inline = InlineExecutor()
    return { count in
      timed {
        for index in 0..<count {
          let deferred = Deferred<Void>()
          deferred.upon(inline) { tally.add(index) }
          deferred.fill(with: ())
        }
      }
    }
  }

  /// Runs what it is given at once, on the thread that fills the deferred.
  private final class InlineExecutor: Executor {
    func submit(_ body: @escaping () -> Void) { body() }
  }
#endif
