// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

@testable import RaceFreeFuture

/// What a node does by itself.
struct HandlerNodeTests {
  // MARK: A task that is going to be suspended

  @Test func `a task that is cancelled before it is suspended continues at once, and leaves nothing`() async {
    let (future, node) = (Future(), HandlerNode())
    let isWithdrawn = future.process { $0.unpark(node) } != nil
    #expect(!isWithdrawn)
    let resolution = await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Resolution?, Never>) in
      // Nobody else resumes it, unless it was parked by mistake.
      guard unsafe !future.park(node, continuation) else { return future.complete() }
      unsafe continuation.resume(returning: nil)
    }
    #expect(resolution == nil && future.process { $0.handlers.isEmpty })
  }

  @Test func `a task that is suspended is resumed once, with what ends its wait`() async {
    let (future, node) = (Future(), HandlerNode())
    let resolution = await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Resolution?, Never>) in
      let isParked = unsafe future.park(node, continuation)
      #expect(isParked)
      future.complete()
      let isWithdrawn = future.process { $0.unpark(node) } != nil
      #expect(!isWithdrawn)
    }
    #expect(resolution?.outcome == .completed)
  }
}
