// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
@Suite(.serialized) struct ExploreTasksTests {
  // MARK: Which orders

  @Test func `Parts of tasks take turns in every order`() async {
    let seen = Variable<Set<String>>([])
    let report = await exploreTasks("two tasks") { scenario in
      scenario.sharesOnlyActorsAndExplored()
      let log = Variable("")
      for name in ["a", "b"] {
        Task {
          for _ in 0..<2 {
            log.value += name
            await Task.yield()
          }
        }
      }
      scenario.atEnd {
        seen.value.insert(log.value)
        return nil
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(seen.value == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
  }

  actor Account {
    private(set) var balance: Int
    init(_ balance: Int) { self.balance = balance }
    func deposit(_ amount: Int) { balance += amount }
    func withdraw(_ amount: Int) { balance -= amount }
    /// Checks, waits, acts.
    func withdrawIfCovered(_ amount: Int, _ audit: Account) async {
      guard balance >= amount else { return }
      await audit.deposit(1)
      balance -= amount
    }
    func withdrawAtOnce(_ amount: Int, _ audit: Account) async {
      guard balance >= amount else { return }
      balance -= amount
      await audit.deposit(1)
    }
    /// Begins a task that runs on this actor.
    func spawn(_ amount: Int, _ other: Account) {
      Task {
        balance -= amount
        await other.deposit(amount)
      }
    }
  }

  @Test(.withoutRecording, arguments: [false, true])
  func `An actor that lets others in between check and act`(isMended: Bool) async {
    let report = await exploreTasks("the balance stays positive") { scenario in
      scenario.sharesOnlyActorsAndExplored()
      let (account, audit) = (Account(100), Account(0))
      let tasks = (0..<2).map { _ in
        Task {
          if isMended { await account.withdrawAtOnce(80, audit) } else { await account.withdrawIfCovered(80, audit) }
        }
      }
      for task in tasks { await task.value }
      let balance = await account.balance
      scenario.check(balance >= 0, "the balance is \(balance)")
    }
    #expect(report.failure == (isMended ? nil : "the balance is -60"), "\(report)")
    #expect(isMended == report.isComplete)
  }

  @Test(.withoutRecording, arguments: ["Task", "Task.detached", "async let", "group", "main actor", "actor"])
  func `Somebody looks while money is on its way, however the tasks were made`(kind: String) async {
    let report = await exploreTasks("the sum is always 100") { scenario in
      let (one, other) = (Account(100), Account(0))
      @Sendable func transfer() async {
        await one.withdraw(10)
        await other.deposit(10)
      }
      @Sendable func audit() async {
        let sum = await other.balance + one.balance
        scenario.check(sum == 100, "the sum is \(sum)")
      }
      switch kind {
      case "Task":
        let (first, second) = (Task { await transfer() }, Task { await audit() })
        await first.value
        await second.value
      case "Task.detached":
        let (first, second) = (Task.detached { await transfer() }, Task.detached { await audit() })
        await first.value
        await second.value
      case "async let":
        async let first: Void = transfer()
        async let second: Void = audit()
        _ = await (first, second)
      case "group":
        await withTaskGroup { group in
          group.addTask { await transfer() }
          group.addTask { await audit() }
        }
      case "main actor":
        let (first, second) = (Task { @MainActor in await transfer() }, Task { @MainActor in await audit() })
        await first.value
        await second.value
      default:
        await one.spawn(10, other)
        await audit()
      }
    }
    #expect(report.failure == "the sum is 90", "\(report)")
  }

  // MARK: Time

  @Test func `Sleeps take no time, and end in the order of their deadlines`() async {
    let began = ContinuousClock.now
    let seen = Variable<Set<String>>([])
    let report = await exploreTasks("sleeps") { scenario in
      let log = Variable("")
      await withTaskGroup { group in
        for (name, time) in [("c", 3_000), ("a", 1_000), ("b", 2_000)] {
          group.addTask {
            try? await Task.sleep(for: .seconds(time))
            log.value += name
          }
        }
        group.addTask {
          try? await Task.sleep(nanoseconds: 500_000_000_000)
          try? await ContinuousClock().sleep(for: .seconds(600))
          try? await SuspendingClock().sleep(for: .seconds(600))
          log.value += "x"
        }
      }
      seen.value.insert(log.value)
    }
    #expect(report.passed, "\(report)")
    #expect(seen.value == ["axbc"])
    #expect(ContinuousClock.now - began < .seconds(500))
  }

  @Test func `A sleep that is cancelled ends at once`() async {
    let report = await exploreTasks("a cancelled sleep") { scenario in
      let task = Task { try await Task.sleep(for: .seconds(1_000)) }
      task.cancel()
      do {
        try await task.value
        scenario.check(false, "it slept on")
      } catch is CancellationError {}
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  // MARK: What is found

  @Test(.withoutRecording) func `A continuation that nobody resumes is told of, with its task`() async {
    let report = await exploreTasks("a lost wake-up") { scenario in
      let (waiting, isReady) = (Variable<CheckedContinuation<Void, Never>?>(nil), Variable(false))
      let waiter = Task {
        if isReady.value { return }
        await Task.yield()
        await withCheckedContinuation { waiting.value = $0 }
      }
      await Task.yield()
      isReady.value = true
      waiting.value?.resume()
      waiting.value = nil
      await waiter.value
    }
    let failure = report.failure?.replacing(#/ \(since step \d+\)/#, with: "")
    let waits = "\"body\" awaits task, \"task\" awaits a continuation"
    #expect(failure == "deadlock: nothing can continue, but \(waits)", "\(report)")
  }

  @Test(.withoutRecording) func `A task that outlives the body, and never ends, is told of`() async {
    let report = await exploreTasks("a forgotten task") { scenario in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      Task { for await _ in stream {} }
      continuation.yield(1)
      scenario.atEnd {
        _ = continuation
        return nil
      }
    }
    let stuck = "the body has returned and nothing can continue, but \"task\""
    #expect(report.failure?.hasPrefix(stuck) == true, "\(report)")
  }

  @Test(.withoutRecording) func `An error of the body is a failure, and a loop without end too`() async {
    struct Oops: Error {}
    let error = await exploreTasks("an error") { _ in throw Oops() }
    #expect(error.failure == "the body threw an error: Oops()")
    let loop = await exploreTasks("a loop", .exhaustive(maxSteps: 50)) { _ in while true { await Task.yield() } }
    #expect(loop.failure?.hasPrefix("no end after 50 steps") == true, "\(loop)")
  }

  @Test(arguments: ["children", "actors", "threads"])
  func `An order with many tasks or threads may take as many steps as they need`(kind: String) async {
    let search = Search.exhaustive(maxOrders: 1)
    let report =
      switch kind {
      case "children":
        await exploreTasks(kind, search) { scenario in
          let counter = Counter()
          let sum = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<400 { group.addTask { await counter.add(1) } }
            return await group.reduce(0) { sum, _ in sum + 1 }
          }
          scenario.check(sum == 400, "\(sum)")
        }
      case "actors":
        await explore(kind, search) { scenario in
          for number in 0..<400 {
            scenario.actor("\(number)") { actor in for _ in 0..<4 { await actor.step("step") {} } }
          }
        }
      default:
        await explore(kind, search) { scenario in
          let lock = Explored.Mutex(0)
          for number in 0..<50 { scenario.thread("\(number)") { for _ in 0..<15 { lock.withLock { $0 += 1 } } } }
        }
      }
    #expect(report.passed && report.steps > 1_000, "\(report)")
  }

  @Test(.withoutRecording) func `Tasks that make tasks without end have none`() async {
    @Sendable func chain() { Task { chain() } }
    let report = await exploreTasks("a chain", .exhaustive(maxSteps: 20)) { _ in chain() }
    #expect(report.failure?.hasPrefix("no end after ") == true, "\(report)")
  }

  /// Looks again and again, by calls of an actor whose line the other one is about to join.
  @Test(arguments: [Search.exhaustive, .sample(orders: 2_000)])
  func `A loop that polls an actor doesn't keep away who would end it`(search: Search) async {
    actor Mail {
      private var letters = 0
      var isEmpty: Bool { letters == 0 }
      func put() { letters += 1 }
    }
    var search = search
    (search.seed, search.maxSteps) = (1, 300)
    let report = await exploreTasks("a poll", search) { _ in
      let mail = Mail()
      let sender = Task { await mail.put() }
      while await mail.isEmpty { await Task.yield() }
      await sender.value
    }
    #expect(report.passed, "\(report)")
  }

  @Test(.withoutRecording) func `An order that failed fails again when it is replayed`() async {
    @Sendable func body(_ scenario: TaskScenario) async {
      let count = Variable(0)
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let old = count.value
            await Task.yield()
            count.value = old + 1
          }
        }
      }
      scenario.check(count.value == 2, "an increment is lost")
    }
    let report = await exploreTasks("two increments", body: body)
    #expect(report.failure == "an increment is lost")
    let again = await exploreTasks("two increments", .replay(report.order ?? ""), body: body)
    #expect(again.failure == report.failure && again.orders == 1 && again.order == report.order)
  }

  // MARK: Futures

  @Test func `Futures live in the same world, also those of detached tasks`() async {
    let seen = Variable<Set<String>>([])
    let report = await exploreTasks("futures") { scenario in
      let log = Variable("")
      await Task.detached {
        let future = ValueFuture<Int>(label: "x")
        future.onResult { _ in log.value += "h" }
        future.cancel(after: .seconds(100))
        Task { future.complete(with: 1) }
        log.value += ((try? await future.value) == nil ? "c" : "v")
        _ = await future.handlersFinished
      }.value
      seen.value.insert(log.value)
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(seen.value == ["hv", "vh"])
  }
}
