// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization
import Testing

@testable import RaceFreeFuture

/// What a node does by itself.
struct HandlerNodeTests {
  private final class TimerNode: HandlerNode, @unchecked Sendable {
    let stops = Atomic(0)

    init() { super.init(nil, .inline, role: .timer, .plain {}) }

    override func stop() { stops.add(1, ordering: .relaxed) }
  }

  @Test func `the outcome stops a timer`() {
    let node = TimerNode()
    node.run(.completed)
    #expect(node.stops.load(ordering: .relaxed) == 1)
  }

  // MARK: A task that is going to be suspended (H4)

  @Test func `a task that is cancelled before it is suspended is removed, and isn't suspended`() async {
    let node = HandlerNode()
    #expect(!node.unpark(with: nil))
    #expect(node.isRevoked)
    let isParked = await withCheckedContinuation { (parked: CheckedContinuation<Bool, Never>) in
      Task {
        _ = await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Resolution?, Never>) in
          let isParked = unsafe node.park(continuation)
          parked.resume(returning: isParked)
          // Nobody else resumes it, unless it was parked by mistake.
          if !isParked { unsafe continuation.resume(returning: nil) } else { node.run(.completed) }
        }
      }
    }
    #expect(!isParked)
  }

  @Test func `a task that is suspended is resumed once, with what ends its wait`() async {
    let node = HandlerNode()
    let resolution = await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Resolution?, Never>) in
      let isParked = unsafe node.park(continuation)
      #expect(isParked)
      node.run(.completed)
      #expect(!node.unpark(with: nil) && !node.isRevoked)
    }
    #expect(resolution?.outcome == .completed)
  }
}
