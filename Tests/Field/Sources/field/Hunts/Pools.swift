// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import NIOConcurrencyHelpers
import NIOPosix
import RaceFreeFutureTesting

extension Hunt {
  private static let version = "swift-nio"

  /// Its locks and its threads as they are, on the real functions of the system.
  static let pools = [
    Hunt(
      name: "nio.lock",
      package: version,
      type: "`NIOLock`, `NIOLockedValueBox`",
      property: "What two threads do under them is done as a whole, and nobody waits for nobody",
      tool: "explore"
    ) {
      await exploredThreads("withLock, withLockedValue") { scenario in
        let (lock, box) = (NIOLock(), NIOLockedValueBox(0))
        let number = Shared(0)
        for name in ["a", "b"] {
          scenario.thread(name) {
            lock.withLock {
              let old = number.value
              box.withLockedValue { $0 += 1 }
              number.value = old + 1
            }
            box.withLockedValue { $0 += 1 }
          }
        }
        scenario.atEnd {
          let sum = box.withLockedValue { $0 }
          return number.value == 2 && sum == 4 ? nil : "\(number.value) and \(sum) instead of 2 and 4"
        }
      }
    },
    Hunt(
      name: "nio.condition-lock",
      package: version,
      type: "`ConditionLock`",
      property: "Threads that wait for each other's values take turns",
      tool: "explore"
    ) {
      await exploredThreads("lock(whenValue:) against unlock(withValue:)") { scenario in
        let lock = ConditionLock(value: 0)
        let turns = Shared("")
        for (name, mine, next) in [("a", 0, 1), ("b", 1, 2), ("c", 2, 0)] {
          scenario.thread(name) {
            lock.lock(whenValue: mine)
            turns.value += name
            lock.unlock(withValue: next)
          }
        }
        scenario.atEnd { turns.value == "abc" && lock.value == 0 ? nil : "their turns were \(turns.value)" }
      }
    },
    Hunt(
      name: "nio.condition-timeout",
      package: version,
      type: "`ConditionLock`",
      property: "A wait with an end has the lock and the value, or neither",
      tool: "explore"
    ) {
      await exploredThreads("lock(whenValue:timeoutSeconds:) against unlock(withValue:)") { scenario in
        let lock = ConditionLock(value: 0)
        let inside = Shared(0)
        for name in ["a", "b"] {
          scenario.thread(name) {
            guard lock.lock(whenValue: 1, timeoutSeconds: 1) else { return }
            inside.value += 1
            lock.unlock(withValue: 2)
          }
        }
        scenario.thread("setter") {
          lock.lock()
          lock.unlock(withValue: 1)
        }
        scenario.atEnd {
          let value = lock.value
          return inside.value == value - 1 ? nil : "\(inside.value) were inside, and the value is \(value)"
        }
      }
    },
    Hunt(
      name: "nio.pool-submit",
      package: version,
      type: "`NIOThreadPool`",
      property: "Work that is submitted during a shutdown is told once, and so is the shutdown",
      tool: "explore"
    ) {
      await exploredThreads("submit against shutdownGracefully(queue:)") { scenario in
        let pool = NIOThreadPool(numberOfThreads: 1)
        let (hasStarted, queue) = (DispatchSemaphore(value: 0), DispatchQueue(label: "told"))
        let (calls, ends) = (Shared(0), Shared(0))
        scenario.thread("user") {
          pool.start()
          hasStarted.signal()
          pool.submit { _ in calls.value += 1 }
        }
        scenario.thread("owner") {
          hasStarted.wait()
          pool.shutdownGracefully(queue: queue) { _ in ends.value += 1 }
        }
        scenario.atEnd {
          calls.value == 1 && ends.value == 1 ? nil : "the work was told \(calls.value) times, the end \(ends.value)"
        }
      }
    },
    Hunt(
      name: "nio.pool-told",
      package: version,
      type: "`NIOThreadPool.syncShutdownGracefully`",
      property: "When it returns, work that was submitted before has been told",
      tool: "explore",
      known: ["without being told"],
      remark: """
        Work is cancelled and the end is told in two blocks of a global queue. No report found. \
        `upstream pool-told` shows it without a tool.
        """
    ) {
      await exploredThreads("work that is left over, and the end") { scenario in
        let pool = NIOThreadPool(numberOfThreads: 1)
        let isTold = Shared(false)
        scenario.thread("owner") {
          pool.start()
          pool.submit { _ in isTold.value = true }
          try? pool.syncShutdownGracefully()
          if !isTold.value { throw Problem("the pool is shut down, and its work is left without being told") }
        }
      }
    },
    Hunt(
      name: "nio.pool-twice",
      package: version,
      type: "`NIOThreadPool.syncShutdownGracefully`",
      property: "When it returns, no work is running, whoever else shuts the pool down",
      tool: "explore",
      known: ["still at work"],
      remark: """
        The second call doesn't wait for the first one's threads. No report found. \
        `upstream pool-twice` shows it without a tool.
        """
    ) {
      await exploredThreads("two shutdowns") { scenario in
        let pool = NIOThreadPool(numberOfThreads: 1)
        let (hasBegun, work) = (DispatchSemaphore(value: 0), NIOLock())
        let isAtWork = Shared(false)
        scenario.thread("first") {
          pool.start()
          pool.submit { state in
            isAtWork.value = state == .active
            hasBegun.signal()
            work.withLock {}
            isAtWork.value = false
          }
          try? pool.syncShutdownGracefully()
        }
        scenario.thread("second") {
          hasBegun.wait()
          try? pool.syncShutdownGracefully()
          if isAtWork.value { throw Problem("the pool is shut down, and its thread is still at work") }
        }
      }
    },
    Hunt(
      name: "nio.pool-cancel",
      package: version,
      type: "`NIOThreadPool.runIfActive`",
      property: "Cancelled while it starts, it runs its closure or throws, not both",
      tool: "exploreTasks"
    ) {
      await explored("cancel against the pool's thread") { scenario in
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let runs = Shared(0)
        let task = Task { try await pool.runIfActive { runs.value += 1 } }
        let canceller = Task { task.cancel() }
        let result = await task.result
        await canceller.value
        try? await pool.shutdownGracefully()
        switch result {
        case .success: scenario.check(runs.value == 1, "it returned, and ran \(runs.value) times")
        case .failure: scenario.check(runs.value == 0, "it threw, and ran \(runs.value) times")
        }
      }
    },
  ]
}

/// A value that explored code shares: its threads run one at a time.
final class Shared<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// What a thread finds.
struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Explores threads, with a bound that keeps a hunt under a minute.
func exploredThreads(
  _ name: String,
  orders: Int = 20_000,
  scenario: @escaping @Sendable (Scenario) throws -> Void
) async -> Catch {
  Catch(await explore(name, .exhaustive(maxOrders: orders, seed: 14), scenario: scenario))
}
