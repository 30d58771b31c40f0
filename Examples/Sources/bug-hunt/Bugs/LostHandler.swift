// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization

/// The event comes between the check for it and the registration of the handler.
enum LostHandler {
  static let bug = Bug(
    id: "T2",
    title: "A handler that is registered too late",
    hunts: [
      .loop: { side in
        await Find.loop {
          let event = Event()
          let runs = Mutex(0)
          atOnce { index in
            if index == 0 { event.fire() } else { event.onFire(side) { runs.withLock { $0 += 1 } } }
          }
          return runs.withLock { $0 } != 1
        }
      },
      .race: { side in
        Find(
          await race(
            "fire against onFire",
            for: Find.limit,
            make: { Event() },
            actors: { $0.fire() },
            { event in event.onFire(side) { event.runs.withLock { $0 += 1 } } },
            outcome: { event, _, _ in event.runs.withLock { $0 } },
            expect: [.acceptable(1, "it ran"), .forbidden(0, "it never ran")]
          )
        )
      },
    ]
  )

  private final class Event: Sendable {
    private let state = Mutex((hasFired: false, handlers: [@Sendable () -> Void]()))
    let runs = Mutex(0)

    func fire() {
      let handlers = state.withLock { state in
        defer { state = (true, []) }
        return state.handlers
      }
      for handler in handlers { handler() }
    }

    func onFire(_ side: Bug.Side, _ handler: @escaping @Sendable () -> Void) {
      if side == .naive {
        if state.withLock({ $0.hasFired }) { return handler() }
        return state.withLock { $0.handlers.append(handler) }
      }
      let hasFired = state.withLock { state in
        if !state.hasFired { state.handlers.append(handler) }
        return state.hasFired
      }
      if hasFired { handler() }
    }
  }
}
