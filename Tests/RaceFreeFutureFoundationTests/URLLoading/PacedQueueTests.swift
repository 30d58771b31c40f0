// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import RaceFreeFutureFoundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  @Suite struct `Paced queues` {
    /// Adds blocks with their numbers, and logs each when it has been added.
    private func add(
      _ numbers: Range<Int>,
      to queue: PacedQueue,
      _ added: EventLog<Int>,
      _ body: @escaping @Sendable (Int) -> Void
    ) {
      for number in numbers {
        queue.addOperation { body(number) }
        added.add(number)
      }
    }

    @Test func `run all blocks in order, and never queue more than they may`() async {
      let queue = PacedQueue(limit: 4, patience: .seconds(Int64.max))
      let (ran, most) = (EventLog<Int>(), EventLog<Int>())
      await onThread {
        for number in 0..<1000 {
          queue.addOperation {
            most.add(queue.operationCount)
            ran.add(number)
          }
        }
      }
      queue.addBarrierBlock {}
      await withCheckedContinuation { continuation in
        queue.addOperation(BlockOperation { continuation.resume() })
      }
      #expect(ran.events == Array(0..<1000))
      // The limit, one that waits no more, and the last two.
      #expect(most.events.allSatisfy { $0 <= 7 })
    }

    @Test func `make those wait who add too many, until one is done`() async throws {
      let queue = PacedQueue(limit: 3, patience: .seconds(Int64.max))
      let (added, gates) = (EventLog<Int>(), (0..<6).map { Gate("block \($0)") })
      startThread { [self] in add(0..<6, to: queue, added) { gates[$0].wait() } }
      for number in 0..<3 {
        try await added.wait(for: 3 + number)
        try await eventually("somebody waits") { queue.waitingCount == 1 }
        #expect(added.events == Array(0..<(3 + number)))
        gates[number].open()
      }
      try await added.wait(for: 6)
      for gate in gates { gate.open() }
    }

    @Test func `don't wait for a block that is stuck`() async throws {
      let queue = PacedQueue(limit: 2, patience: .milliseconds(1))
      let (added, isStuck) = (EventLog<Int>(), Gate("stuck"))
      // Nobody opens the gate before all have been added.
      await onThread { [self] in add(0..<100, to: queue, added) { if $0 == 0 { isStuck.wait() } } }
      #expect(added.count == 100)
      isStuck.open()
    }

    @Test func `don't make a block wait for those who wait for it`() async throws {
      let queue = PacedQueue(limit: 2, patience: .seconds(Int64.max))
      let (added, isFull) = (EventLog<Int>(), Gate("full"))
      let areAdded = DispatchSemaphore(value: 0)
      queue.addOperation(
        BlockOperation {
          isFull.wait()
          queue.unpaced { areAdded.wait() }
        }
      )
      startThread { [self] in
        add(0..<10, to: queue, added) { _ in }
        areAdded.signal()
      }
      try await eventually("somebody waits") { queue.waitingCount == 1 }
      isFull.open()
      try await added.wait(for: 10)
    }

    @Test func `forget blocks that never run`() async throws {
      let queue = PacedQueue(limit: 2, patience: .seconds(Int64.max))
      let (added, mayRun) = (EventLog<Int>(), Gate("may run"))
      queue.addOperation(BlockOperation { mayRun.wait() })
      startThread { [self] in add(0..<2, to: queue, added) { _ in } }
      try await added.wait(for: 2)
      queue.cancelAllOperations()
      mayRun.open()
      await onThread { [self] in add(2..<10, to: queue, added) { _ in } }
      #expect(added.count == 10)
    }
  }
#endif
