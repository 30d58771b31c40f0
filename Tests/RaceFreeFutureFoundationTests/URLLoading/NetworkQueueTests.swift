// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import RaceFreeFutureFoundation
  import RaceFreeFutureTesting
  import Synchronization
  import TestSupport
  import Testing

  @Suite struct `Network queues` {
    /// Queues like those of a session, and a server that always has the next event ready.
    private final class Network: Sendable {
      let session = DispatchQueue(label: "session")
      let events: DispatchQueue
      let handled = Atomic(0)
      private let isOver = Atomic(false)

      init() { events = DispatchQueue(label: "events", target: session) }

      var queue: NetworkQueue { NetworkQueue(events: events, session: session) }

      /// Handles events, until this object is told to end.
      func handle(_ event: @escaping @Sendable () -> Void) {
        events.async { [self] in
          // Before the event has been handled: the queue is never empty.
          if !isOver.load(ordering: .relaxed) { handle(event) }
          event()
          handled.add(1, ordering: .relaxed)
        }
      }

      func end() { isOver.store(true, ordering: .relaxed) }

      var count: Int { handled.load(ordering: .relaxed) }
    }

    @Test func `are found in each session`() {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      for session in [
        .shared, Sessions.plain.session, Sessions.transferring.session,
        URLSession(configuration: .ephemeral, delegate: TransferDelegate(), delegateQueue: queue),
      ] {
        #expect(NetworkQueue(of: session) != nil)
      }
    }

    @Test func `pause until the pause is over and the session has done what has waited`() async {
      let network = Network()
      defer { network.end() }
      network.handle {}
      let (isPaused, mayEnd, hasBeenDone, goesOn) = (Gate("paused"), Gate("may end"), Gate("done"), Gate("goes on"))
      network.queue.pause { pause in
        isPaused.open()
        startThread {
          mayEnd.wait()
          withExtendedLifetime(pause) {}
        }
      }
      await isPaused.passed()
      let count = network.count
      network.session.async { hasBeenDone.open() }
      await hasBeenDone.passed()
      #expect(network.count == count)
      network.events.async { goesOn.open() }
      mayEnd.open()
      await goesOn.passed()
    }

    @Test func `pause after as many blocks as a paced queue may hold, until half of them have gone`() async throws {
      let network = Network()
      defer { network.end() }
      let queue = PacedQueue(limit: 8, patience: .seconds(Int64.max))
      queue.pace(network.queue)
      let (mayGoOn, isPaused) = (Gate("may go on"), Gate("paused"))
      queue.addOperation(BlockOperation { mayGoOn.wait() })
      let ran = Atomic(0)
      network.handle { queue.addOperation { ran.add(1, ordering: .relaxed) } }
      // It has its turn only in a pause.
      network.session.async { isPaused.open() }
      await isPaused.passed()
      #expect(network.count == 8)
      #expect(queue.operationCount == 9)
      #expect(queue.waitingCount == 0)
      mayGoOn.open()
      try await eventually("events are handled again") { network.count > 8 }
    }

    @Test func `have a pause again and again although each block is done at once`() async {
      let network = Network()
      defer { network.end() }
      let queue = PacedQueue(limit: 8, patience: .seconds(Int64.max))
      queue.pace(network.queue)
      network.handle { queue.addOperation {} }
      for number in 0..<20 {
        let hasItsTurn = Gate("turn \(number)")
        network.session.async { hasItsTurn.open() }
        await hasItsTurn.passed()
      }
    }

    @Test func `wait within an event that brings too many blocks`() async throws {
      let network = Network()
      let queue = PacedQueue(limit: 8, patience: .seconds(Int64.max))
      queue.pace(network.queue)
      let (mayGoOn, all) = (Gate("may go on"), EventLog<Int>())
      queue.addOperation(BlockOperation { mayGoOn.wait() })
      network.events.async { for number in 0..<100 { queue.addOperation { all.add(number) } } }
      try await eventually("the thread waits") { queue.waitingCount == 1 }
      // The operation that waits isn't one of the blocks.
      #expect(queue.operationCount == 17)
      mayGoOn.open()
      try await all.wait(for: 100)
      #expect(all.events == Array(0..<100))
    }
  }
#endif
