// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting

/// A handler was already dispatched when its screen was closed.
enum ClosedScreen {
  static let bug = Bug(
    id: "T4",
    title: "A handler for a screen that is closed",
    hunts: [
      .explore: { side in
        Find(
          await explore("a closed screen is left alone") { scenario in
            let (load, screen) = (Future(label: "load"), Variable("waiting"))
            let showing = load.onComplete(on: .main) { screen.value = screen.value == "closed" ? "touched" : "loaded" }
            scenario.actor("network", .init("complete()") { load.tryComplete() })
            scenario.actor(
              "user",
              .init("cancel()") { load.tryCancel() },
              .init("closes") {
                if side == .fixed { showing.unregister() }
                screen.value = "closed"
              }
            )
            scenario.invariant { screen.value == "touched" ? "the screen was closed" : nil }
          }
        )
      }
    ]
  )
}
