// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct TrampolineTests {
  @Test func `an action runs before the call returns, also inside of another`() {
    let log = EventLog<Int>()
    Trampoline.run {
      log.add(1)
      Trampoline.run { log.add(2) }
      log.add(3)
    }
    log.add(4)
    #expect(log.events == [1, 2, 3, 4])
  }

  @Test func `actions nested without end need no stack, and have all run when the outermost call returns`() async {
    let count = 100_000
    let log = EventLog<Int>()
    @Sendable func nest(_ level: Int) {
      guard level < count else { return log.add(level) }
      Trampoline.run { nest(level + 1) }
    }
    await onThread(stackSize: 512 << 10) { nest(0) }
    #expect(log.events == [count])
  }

  @Test(arguments: [1, 10, 1_000])
  func `a wait runs what its own thread has left for later`(depth: Int) async {
    let future = Future()
    @Sendable func nest(_ level: Int) {
      if level < depth { return Trampoline.run { nest(level + 1) } }
      Trampoline.run { future.cancel() }
      _ = future.wait()
    }
    await onThread(stackSize: 512 << 10) { nest(0) }
    #expect(future.isCancelled)
  }

  @Test func `of many actions inside of one none is lost`() {
    let live = LiveCount()
    let log = EventLog<Int>()
    func branch(_ depth: Int, _ number: Int) {
      Trampoline.run { [instance = live.make()] in
        instance.touch()
        guard depth < 20 else { return log.add(number) }
        branch(depth + 1, number)
      }
    }
    Trampoline.run { for number in 0..<100 { branch(0, number) } }
    #expect(log.events.sorted() == Array(0..<100))
    #expect(live.value == 0)
  }
}
