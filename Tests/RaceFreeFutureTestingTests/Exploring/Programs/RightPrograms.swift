// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization

enum RightPrograms {
  static let actors: [AsyncProgram] = [
    AsyncProgram("an actor counts calls of tasks") { scenario in
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await counter.increment() } }
      }
      let value = await counter.value
      scenario.check(value == 3, "counted \(value)")
    },
    AsyncProgram("what an actor returns is its own") { scenario in
      let counter = Counter()
      async let one = counter.add(1)
      async let two = counter.add(2)
      let sum = await one + two
      scenario.check(sum == 4 || sum == 5, "\(sum)")
    },
    AsyncProgram("two actors call each other") { scenario in
      actor Peer {
        private(set) var calls = 0
        func ping(_ other: Peer, _ times: Int) async {
          calls += 1
          if times > 0 { await other.ping(self, times - 1) }
        }
      }
      let (a, b) = (Peer(), Peer())
      async let one: Void = a.ping(b, 2)
      async let two: Void = b.ping(a, 2)
      _ = await (one, two)
      let calls = await a.calls + b.calls
      scenario.check(calls == 6, "\(calls) calls")
    },
    AsyncProgram("a cache shares what is being loaded") { scenario in
      let cache = Cache()
      async let one = cache.shared("cat")
      async let two = cache.shared("cat")
      let sum = try await one + two
      let loads = await cache.loads
      scenario.check(sum == 6 && loads == 1, "loaded \(loads) times")
    },
    AsyncProgram("an actor that begins a task on itself") { scenario in
      actor Worker {
        private(set) var log: [String] = []
        func begin() -> Task<Void, Never> {
          log.append("begin")
          return Task { log.append("work") }
        }
      }
      let worker = Worker()
      await worker.begin().value
      let log = await worker.log
      scenario.check(log == ["begin", "work"], "\(log)")
    },
    AsyncProgram("an actor that yields in the middle keeps its other state") { scenario in
      actor Ledger {
        private(set) var entries: [Int] = []
        func append(_ entry: Int) async {
          entries.append(entry)
          await Task.yield()
          entries.append(-entry)
        }
      }
      let ledger = Ledger()
      async let one: Void = ledger.append(1)
      async let two: Void = ledger.append(2)
      _ = await (one, two)
      let entries = await ledger.entries
      scenario.check(entries.count == 4 && entries.reduce(0, +) == 0, "\(entries)")
    },
    AsyncProgram("main actor code counts") { scenario in
      @MainActor final class Model {
        var count = 0
        nonisolated init() {}
      }
      let model = Model()
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { @MainActor in model.count += 1 } }
      }
      let count = await model.count
      scenario.check(count == 3, "\(count)")
    },
    AsyncProgram("the latest of two requests is shown") { scenario in
      let (screen, server) = (Screen(), Server())
      let first = Task { @MainActor in await screen.loadLatest("s", server) }
      let second = Task { @MainActor in await screen.loadLatest("sw", server) }
      await first.value
      await second.value
      let (text, isLoading) = await (screen.text, screen.isLoading)
      scenario.check(text == "answer to sw" && !isLoading, "\(text) is shown")
    },
    AsyncProgram("an isolated deinit runs on its actor") { scenario in
      let log = Variable<[String]>([])
      do {
        let object = await OnMain(log)
        await object.touch()
      }
      await MainActor.run {}
      scenario.atEnd { log.value == ["touch", "deinit"] ? nil : "\(log.value)" }
    },
    AsyncProgram("a global actor keeps two callers apart") { scenario in
      let first = Task { await Registry.shared.register("a") }
      let second = Task { await Registry.shared.register("b") }
      let numbers = await [first.value, second.value]
      scenario.check(numbers[0] != numbers[1], "both got \(numbers[0])")
    },
    AsyncProgram("a lock for tasks") { scenario in
      let (lock, shared) = (AsyncLock(), Variable(0))
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await lock.lock()
            let old = shared.value
            await Task.yield()
            shared.value = old + 1
            await lock.unlock()
          }
        }
      }
      scenario.check(shared.value == 3, "\(shared.value)")
    },
  ]

  static let tasks: [AsyncProgram] = [
    AsyncProgram("results of a group come in any order, and all come") { scenario in
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 1...4 { group.addTask { number } }
        return await group.reduce(0, +)
      }
      scenario.check(sum == 10, "\(sum)")
    },
    AsyncProgram("a discarding group ends when all have ended") { scenario in
      let ended = GuardedCount()
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await Task.yield()
            ended.count.withLock { $0 += 1 }
          }
        }
      }
      scenario.check(ended.count.withLock { $0 } == 3, "not all have ended")
    },
    AsyncProgram("the first error cancels the rest of a group") { scenario in
      struct Oops: Error {}
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { throw Oops() }
          group.addTask { try await Task.sleep(for: .seconds(3_600)) }
          try await group.waitForAll()
        }
        scenario.check(false, "no error")
      } catch is Oops {}
    },
    AsyncProgram("a limited number of children at a time") { scenario in
      let (running, most) = (Variable(0), Variable(0))
      await withTaskGroup { group in
        @Sendable func work() async {
          running.value += 1
          most.value = max(most.value, running.value)
          await Task.yield()
          running.value -= 1
        }
        for _ in 0..<2 { group.addTask { await work() } }
        for _ in 0..<2 {
          await group.next()
          group.addTask { await work() }
        }
      }
      scenario.check(most.value <= 2, "\(most.value) at a time")
    },
    AsyncProgram("a detached task") { scenario in
      let value = await Task.detached { await Counter().add(2) }.value
      scenario.check(value == 2, "\(value)")
    },
    AsyncProgram("task-local values go to tasks and children, not to detached ones") { scenario in
      await Trace.$name.withValue("mine") {
        async let child = Trace.name
        let task = Task { Trace.name }
        let detached = Task.detached { Trace.name }
        let names = await [child, task.value, detached.value]
        scenario.check(names == ["mine", "mine", "none"], "\(names)")
      }
    },
    AsyncProgram("priorities don't change results") { scenario in
      let counter = Counter()
      let tasks = [TaskPriority.low, .high, .medium].map { priority in
        Task(priority: priority) { await counter.increment() }
      }
      for task in tasks { await task.value }
      let value = await counter.value
      scenario.check(value == 3, "\(value)")
    },
    AsyncProgram("a cancelled task sees it") { scenario in
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return true
      }
      await Task.yield()
      task.cancel()
      let saw = await task.value
      scenario.check(saw, "it didn't see it")
    },
    AsyncProgram("a tree of children is cancelled") { scenario in
      let task = Task {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<2 { group.addTask { try await Task.sleep(for: .seconds(3_600)) } }
          try await group.waitForAll()
        }
      }
      await Task.yield()
      task.cancel()
      let result = await task.result
      if case .success = result { scenario.check(false, "it slept on") }
    },
    AsyncProgram("several await one task") { scenario in
      let task = Task { await Counter().add(5) }
      async let one = task.value
      async let two = task.value
      let sum = await one + two
      scenario.check(sum == 10, "\(sum)")
    },
    AsyncProgram("a chain of tasks") { scenario in
      var task = Task { 0 }
      for _ in 0..<5 {
        let previous = task
        task = Task { await previous.value + 1 }
      }
      let value = await task.value
      scenario.check(value == 5, "\(value)")
    },
    AsyncProgram("a counter behind a mutex") { scenario in
      let guarded = GuardedCount()
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await Task.yield()
            guarded.count.withLock { $0 += 1 }
          }
        }
      }
      scenario.check(guarded.count.withLock { $0 } == 3, "lost one")
    },
  ]
}

@MainActor private final class OnMain {
  private let log: Variable<[String]>
  init(_ log: Variable<[String]>) { self.log = log }
  func touch() { log.value.append("touch") }
  isolated deinit { log.value.append("deinit") }
}

@globalActor private actor RegistryActor {
  static let shared = RegistryActor()
}

@RegistryActor private final class Registry {
  static let shared = Registry()
  private var names: [String] = []
  func register(_ name: String) -> Int {
    names.append(name)
    return names.count
  }
}
