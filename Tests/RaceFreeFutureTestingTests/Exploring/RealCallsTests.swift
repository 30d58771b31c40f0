// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import RaceFreeFuture
  @testable import RaceFreeFutureExploring
  import RaceFreeFutureTesting
  import Synchronization
  import TestSupport
  import Testing

  /// Calls in explored code that aren't driven: what they keep the explorer from trying is told, by name; each with its
  /// mended twin, which passes.
  ///
  /// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
  @Suite(.serialized) struct RealCallsTests {
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

    /// Made outside of every order.
    private static let foreign = DispatchQueue(label: "RealCallsTests")

    @Test(.withoutRecording, arguments: ["a source", "Dispatch", "later", "a group", "mended"])
    func `Work that is started elsewhere is told of, with its place`(kind: String) async {
      _ = Self.foreign
      let report = await exploreTasks(kind) { _ in
        let counter = Counter()
        @Sendable func start() {
          switch kind {
          case "a source": DispatchSource.makeTimerSource(queue: Self.foreign).activate()
          case "Dispatch": Self.foreign.async {}
          case "later": Self.foreign.asyncAfter(deadline: .now()) {}
          case "a group": DispatchGroup().notify(queue: Self.foreign) {}
          default: Task { await counter.increment() }
          }
        }
        start()
        await counter.increment()
      }
      let words = [
        "a source": "makes a source of Dispatch", "Dispatch": "queues work in Dispatch",
        "later": "queues work in Dispatch for later", "a group": "queues work behind a group in Dispatch",
      ]
      #expect(report.verdict == (kind == "mended" ? .passed : .inconclusive), "\(report)")
      #expect(report.uncontrolled?.hasPrefix("\"body\" \(words[kind] ?? "") (in RealCallsTests.") ?? (kind == "mended"))
    }

    @Test(.withoutRecording) func `A step that blocks is told with what it waits for`() async {
      let semaphore = DispatchSemaphore(value: 0)
      defer { semaphore.signal() }
      let explorer = Explorer("blocked", .exhaustive, patience: .seconds(2), .body { _ in wait(for: semaphore) })
      let report = await explorer.run()
      #expect(report.failure?.contains("it waits for a semaphore of Dispatch (in wait(…))") == true, "\(report)")
    }
  }

  private func wait(for semaphore: DispatchSemaphore) {
    let wait: (DispatchSemaphore) -> Void = { $0.wait() }
    wait(semaphore)
  }
#endif
