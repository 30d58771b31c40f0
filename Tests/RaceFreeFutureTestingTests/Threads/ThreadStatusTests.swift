// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  import RaceFreeFutureTesting
  @testable import RaceFreeFutureTestingTools

  @Suite struct ThreadStatusTests {
    @Test func `a thread that waits for a semaphore is said to`() async throws {
      let semaphore = DispatchSemaphore(value: 0)
      let words = try await status(of: { semaphore.wait() }, until: { $0.hasPrefix("waits to be woken") })
      semaphore.signal()
      #expect(words.contains(", at 0x"), "\(words)")
    }

    @Test func `a thread that waits for a mutex is said to, and who holds it`() async throws {
      let lock = Lock()
      let holder = Atomic0()
      let gate = Gate("the end of the test", deadline: .seconds(3_600))
      startThread {
        lock.value.withLock { _ in
          holder.value.store(CurrentThread.systemNumber, ordering: .relaxed)
          gate.wait()
        }
      }
      try await eventually("the lock is held", within: .seconds(3_600)) { holder.value.load(ordering: .relaxed) != 0 }
      let words = try await status(
        of: { lock.value.withLock { _ in } },
        names: [holder.value.load(ordering: .relaxed): "actor 7"],
        until: { $0.hasPrefix("waits for a lock") }
      )
      gate.open()
      #expect(words.hasPrefix("waits for a lock that actor 7 holds, at 0x"), "\(words)")
    }

    @Test func `a thread that runs is said to, and one that sleeps`() async throws {
      let isOver = Flag()
      let running = try await status(
        of: { while !isOver.value.load(ordering: .relaxed) {} },
        until: { $0.hasPrefix("runs") }
      )
      isOver.value.store(true, ordering: .relaxed)
      #expect(running == "runs, and doesn't come to an end")
      let isAwake = Flag()
      let sleeping = try await status(
        of: { while !isAwake.value.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: 1) } },
        until: { $0 == "sleeps" }
      )
      isAwake.value.store(true, ordering: .relaxed)
      #expect(sleeping == "sleeps")
    }

    @Test func `a thread that isn't there has nothing to say`() {
      #expect(ThreadStatus(of: 0).words == "doesn't return")
      #expect(ThreadStatus(of: -1).words == "doesn't return")
    }

    /// What a thread does that runs a body, as soon as it is what is looked for.
    private func status(
      of body: @escaping @Sendable () -> Void,
      names: [Int: String] = [:],
      until isFound: (String) -> Bool
    ) async throws -> String {
      let thread = Atomic0()
      startThread {
        thread.value.store(CurrentThread.systemNumber, ordering: .relaxed)
        body()
      }
      var words = ""
      try await eventually("the thread is where it stays", within: .seconds(3_600)) {
        words = ThreadStatus(of: thread.value.load(ordering: .relaxed), names).words
        return isFound(words)
      }
      return words
    }

    private final class Atomic0: Sendable {
      let value = Atomic(0)
    }

    private final class Flag: Sendable {
      let value = Atomic(false)
    }

    private final class Lock: Sendable {
      let value = Mutex(())
    }
  }
#endif
