// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  extension DispatchPair {
    static let ofSources = [
      DispatchPair("a timer's handler after cancel", "used after cancel", orders: (4, 24)) { scenario, isMended in
        let (lock, isOpen, failure) = (NSLock(), PairValue(true), PairValue<String?>(nil))
        let timer = PairValue(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q")))
        timer.value.setEventHandler {
          lock.withLock {}
          if !isOpen.value { failure.value = "used after cancel" }
        }
        // On the timer's queue: no handler is under way.
        if isMended { timer.value.setCancelHandler { isOpen.value = false } }
        timer.value.schedule(deadline: .now() + 1, repeating: 1)
        timer.value.activate()
        scenario.thread("owner") {
          timer.value.cancel()
          if !isMended { isOpen.value = false }
        }
        scenario.atEnd { failure.value }
      },
      DispatchPair("a lost merge", "an event was lost", orders: (1, 4)) { scenario, isMended in
        let count = PairValue<UInt>(0)
        let source = PairValue(DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "q")))
        // Two events may be told of at once.
        source.value.setEventHandler { count.value += isMended ? source.value.data : 1 }
        source.value.activate()
        for name in ["a", "b"] { scenario.thread(name) { source.value.add(data: 1) } }
        scenario.atEnd { count.value == 2 ? nil : "an event was lost" }
      },
      DispatchPair("a timer that nobody keeps", "never fired", orders: (1, 1)) { scenario, isMended in
        let (hasFired, kept) = (PairValue(false), PairValue<(any DispatchSourceTimer)?>(nil))
        scenario.thread("owner") {
          let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "q"))
          timer.setEventHandler { hasFired.value = true }
          timer.schedule(deadline: .now() + 1)
          timer.activate()
          if isMended { kept.value = timer }
        }
        scenario.atEnd { hasFired.value ? nil : "never fired" }
      },
    ]
  }
#endif
