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

  /// The calls that may block until another thread has done something, here until `future` is resolved.
  enum Wait: CaseIterable {
    case outcome, timeout, turn, handler

    /// Prepares a wait that ends when the future is resolved, and returns the call.
    func prepared(for future: Future) async -> @Sendable () -> Void {
      let hasBegun = Gate("the other thread waits")
      switch self {
      case .outcome: return { _ = future.wait() }
      case .timeout: return { _ = future.wait(timeout: .seconds(1_000_000)) }
      case .turn:
        let other = Future()
        startThread {
          other.performAndWait {
            hasBegun.open()
            _ = future.wait()
          }
        }
        await hasBegun.passed()
        return { other.performAndWait {} }
      case .handler:
        let other = Future()
        let registration = other.onComplete(on: .inline) {
          hasBegun.open()
          _ = future.wait()
        }
        startThread { other.complete() }
        await hasBegun.passed()
        return { registration.unregisterAndWait() }
      }
    }
  }

  @Test(arguments: Wait.allCases)
  func `whatever it waits for, a thread runs what it has left for later`(wait: Wait) async {
    let future = Future()
    let block = await wait.prepared(for: future)
    await onThread {
      Trampoline.run {
        onDeepStack {
          Trampoline.run { future.cancel() }
          #expect(future.isPending, "the stack isn't deep enough")
          block()
        }
      }
    }
    #expect(future.isCancelled)
  }

  /// Runs the body when much of the stack is used.
  private func onDeepStack(levels: Int = 256, _ body: () -> Void) {
    guard levels > 0 else { return body() }
    unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 10, alignment: 1) { unused in
      unsafe unused.initializeMemory(as: UInt8.self, repeating: 0)
      onDeepStack(levels: levels - 1, body)
    }
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
