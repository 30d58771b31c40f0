// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux) && !RFF_TSAN
  import Dispatch
  import Foundation
  import RaceFreeFuture
  @testable import RaceFreeFutureExploring
  import RaceFreeFutureTesting
  import Synchronization
  import TestSupport
  import Testing

  /// Real locks and queues in explored code: what they keep the explorer from trying is told, by name; each with its mended
  /// twin, which passes.
  ///
  /// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
  @Suite(.serialized) struct RealCallsTests {
    /// A number behind a real lock, whichever.
    ///
    /// Used by one explored task at a time, in the lock: that makes it `@unchecked Sendable`.
    private final class Balance: @unchecked Sendable {
      private var value = 100
      private let around: @Sendable (() -> Void) -> Void

      init(_ kind: String) {
        let (lock, queue, semaphore) = (NSLock(), DispatchQueue(label: kind), DispatchSemaphore(value: 1))
        let recursive = NSRecursiveLock()
        around =
          switch kind {
          case "NSLock": { body in lock.withLock { body() } }
          case "NSRecursiveLock": { body in recursive.withLock { body() } }
          case "a queue": { body in queue.sync(execute: body) }
          default:
            { body in
              semaphore.wait()
              body()
              semaphore.signal()
            }
          }
      }

      func withdraw(_ amount: Int, inOne: Bool) {
        if inOne {
          around { if value >= amount { value -= amount } }
        } else {
          var isEnough = false
          around { isEnough = value >= amount }
          around { if isEnough { value -= amount } }
        }
      }

      var isOverdrawn: Bool {
        var result = false
        around { result = value < 0 }
        return result
      }
    }

    @Test(.withoutRecording, arguments: ["NSLock", "NSRecursiveLock", "a queue", "a semaphore"], [false, true])
    func `Two uses of a lock without a point in between are told of, and one isn't`(kind: String, inOne: Bool) async {
      let report = await exploreTasks(kind, .exhaustive(maxOrders: 100)) { scenario in
        let (balance, bystander) = (Balance(kind), Counter())
        @Sendable func pay() async {
          await bystander.increment()
          balance.withdraw(80, inOne: inOne)
        }
        async let one: Void = pay()
        async let two: Void = pay()
        _ = await (one, two)
        scenario.check(!balance.isOverdrawn, "overdrawn")
      }
      #expect(report.verdict == (inOne ? .passed : .inconclusive), "\(report)")
      let told = report.description.replacing("\n", with: " ")
      #expect(told.contains("each used real locks in one step") == !inOne, "\(report)")
      #expect(told.contains("\"async let\" (in Balance.") == !inOne, "\(report)")
      #expect(!told.contains("\"body\" ("), "\(report)")
    }

    @Test(.withoutRecording, arguments: [false, true])
    func `Threads that use a lock twice without a point in between are told of`(inOne: Bool) async {
      let report = await explore("threads") { scenario in
        let balance = Balance("NSLock")
        let atomic = Explored.Atomic(0)
        for name in ["a", "b"] {
          scenario.thread(name) {
            atomic.wrappingAdd(1, ordering: .relaxed)
            balance.withdraw(80, inOne: inOne)
            atomic.wrappingAdd(1, ordering: .relaxed)
          }
        }
        scenario.atEnd { balance.isOverdrawn ? "overdrawn" : nil }
      }
      #expect(report.verdict == (inOne ? .passed : .inconclusive), "\(report)")
    }

    private final class Account: Sendable {
      let balance = Mutex(100)
      func withdraw(_ amount: Int, inOne: Bool) {
        if inOne { return balance.withLock { if $0 >= amount { $0 -= amount } } }
        if balance.withLock({ $0 >= amount }) { balance.withLock { $0 -= amount } }
      }
    }

    #if DEBUG
      @Test(.withoutRecording, arguments: [1, 2], [false, true])
      func `A Mutex that two tasks use twice between their points is told of`(tasks: Int, inOne: Bool) async {
        let report = await exploreTasks("a Mutex", .exhaustive(maxOrders: 400)) { scenario in
          let (account, bystander) = (Account(), Counter())
          @Sendable func pay(_ isReal: Bool) async {
            await bystander.increment()
            if isReal { account.withdraw(80, inOne: inOne) }
          }
          async let one: Void = pay(true)
          async let two: Void = pay(tasks == 2)
          _ = await (one, two)
          // Behind the others: this is no use between theirs.
          scenario.check(account.balance.withLock { $0 } >= 0, "overdrawn")
        }
        let isTold = tasks == 2 && !inOne
        #expect(report.verdict == (isTold ? .inconclusive : .passed), "\(report)")
        let told = report.description.replacing("\n", with: " ")
        #expect(told.contains("\"async let\" (in Account.withdraw(…))") == isTold, "\(report)")
        #expect(!told.contains("\"body\" ("), "\(report)")
      }
    #endif

    @Test(.withoutRecording, arguments: ["NSLock", "a queue"])
    func `A lock that only one of two tasks uses twice is mentioned by a report that passes`(kind: String) async {
      let report = await exploreTasks(kind, .exhaustive(maxOrders: 100)) { _ in
        let (balance, bystander) = (Balance(kind), Counter())
        @Sendable func pay(inOne: Bool) async {
          await bystander.increment()
          balance.withdraw(80, inOne: inOne)
        }
        async let one: Void = pay(inOne: false)
        async let two: Void = pay(inOne: true)
        _ = await (one, two)
      }
      let told = report.description.replacing("\n", with: " ")
      #expect(report.passed && told.contains("used real locks in one step; if more than once"), "\(report)")
    }

    @Test(.withoutRecording) func `The owner of a group uses a Mutex behind the tasks of that`()
      async
    {
      let report = await exploreTasks("a group", .exhaustive(maxOrders: 100)) { scenario in
        let account = Account()
        let bystander = Counter()
        await withTaskGroup { group in
          for uses in [true, false] {
            group.addTask {
              await bystander.increment()
              if uses { account.withdraw(80, inOne: true) }
            }
          }
        }
        scenario.check(account.balance.withLock { $0 } == 20, "lost")
      }
      #expect(report.passed, "\(report)")
    }

    @Test(.withoutRecording, arguments: ["a thread", "Dispatch", "later", "a group", "mended"])
    func `Work that is started elsewhere is told of, with its place`(kind: String) async {
      let report = await exploreTasks(kind) { _ in
        let counter = Counter()
        @Sendable func start() {
          switch kind {
          case "a thread": Thread {}.start()
          case "Dispatch": DispatchQueue.global().async {}
          case "later": DispatchQueue.global().asyncAfter(deadline: .now()) {}
          case "a group": DispatchGroup().notify(queue: .global()) {}
          default: Task { await counter.increment() }
          }
        }
        start()
        await counter.increment()
      }
      let words = [
        "a thread": "starts a thread", "Dispatch": "queues work in Dispatch",
        "later": "queues work in Dispatch for later", "a group": "queues work behind a group in Dispatch",
      ]
      #expect(report.verdict == (kind == "mended" ? .passed : .inconclusive), "\(report)")
      #expect(report.uncontrolled?.hasPrefix("\"body\" \(words[kind] ?? "") (in RealCallsTests.") ?? (kind == "mended"))
    }

    @Test(.withoutRecording) func `A step that blocks is told with what it waits for`() async {
      let semaphore = DispatchSemaphore(value: 0)
      defer { semaphore.signal() }
      let explorer = Explorer("blocked", .exhaustive, patience: .milliseconds(200), .body { _ in wait(for: semaphore) })
      let report = await explorer.run()
      #expect(report.failure?.contains("it waits for a semaphore of Dispatch (in wait(…))") == true, "\(report)")
    }
  }

  private func wait(for semaphore: DispatchSemaphore) {
    let wait: (DispatchSemaphore) -> Void = { $0.wait() }
    wait(semaphore)
  }
#endif
