// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Testing

@testable import RaceFreeFuture

/// The moves of a handler, one by one (E2).
struct HandlerTests {
  @Test func `a handler that was unregistered doesn't begin`() {
    var handler = Handler(nil, .inline, .plain {})
    let isTaken = [handler.take() != nil, handler.take() != nil, handler.begin(on: thread) != nil]
    let state = handler.shown
    #expect(isTaken == [true, false, false] && state == "over")
  }

  @Test(arguments: [false, true])
  func `a handler that runs, or has run, is neither unregistered nor begun again`(isSent: Bool) {
    var handler = Handler(nil, isSent ? .serialQueue : .inline, .plain {})
    if isSent { handler.dispatch() }
    let begins = handler.begin(on: thread) != nil
    var states = [handler.shown]
    var isTaken = [handler.take() != nil, handler.begin(on: thread) != nil]
    _ = handler.end()
    isTaken += [handler.take() != nil, handler.begin(on: thread) != nil]
    states.append(handler.shown)
    #expect(begins && isTaken == [false, false, false, false] && states == ["running", "over"])
  }

  @Test func `a handler that is on its way to a queue can be unregistered`() {
    var handler = Handler(nil, .serialQueue, .plain {})
    handler.dispatch()
    let state = handler.shown
    let isTaken = [handler.take() != nil, handler.begin(on: thread) != nil]
    #expect(state == "dispatched" && isTaken == [true, false])
  }

  @Test func `threads that wait for the return of a handler leave with it, and it doesn't wait for itself`() {
    var handler = Handler(nil, .inline, .plain {})
    let (group, other) = (DispatchGroup(), DispatchGroup())
    var awaited = [handler.awaitEnd(by: otherThread, group)]
    _ = handler.begin(on: thread)
    awaited.append(handler.awaitEnd(by: thread, group))
    for next in [group, other] { awaited.append(handler.awaitEnd(by: otherThread, next)) }
    awaited.append(handler.awaitEnd(by: thread, group))
    #expect(awaited.map { $0 === group } == [false, false, true, true, false], "all by the group of the first")
    #expect(group.wait(timeout: .now()) == .timedOut)
    handler.end()?.leave()
    #expect(group.wait(timeout: .now()) == .success)
    let isAwaited = handler.awaitEnd(by: otherThread, other) != nil
    #expect(!isAwaited)
  }
}

extension Handler {
  var shown: String {
    switch state {
    case .waiting: "waiting"
    case .dispatched: "dispatched"
    case .running: "running"
    case .awaited: "awaited"
    case .over: "over"
    }
  }
}
