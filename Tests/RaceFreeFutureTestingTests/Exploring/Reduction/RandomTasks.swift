// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization

@testable import RaceFreeFutureExploring

/// A program of tasks that share only actors, explored primitives and each other, made of random actions.
struct RandomTasks: Sendable {
  enum Action: Hashable {
    case call(Int)
    case callMain
    case yield
    case cancel(Int)
    case isCancelled
    case await(Int)
    case child
    case group
    case drain
    case enter
    case open
    case load
    case store
    case lock
  }

  let tasks: [[Action]]
  /// What the body does, when it has made the tasks: it opens the gate, so that everybody ends.
  let body: [Action]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let count = number(2...4)
    tasks = (0..<count).map { task in
      (0..<number(1...[3, 2, 1][count - 2])).map { _ in
        switch number(0...18) {
        case 0, 1, 2, 3: .call(number(0...1))
        case 4: .callMain
        case 5: number(0...3) == 0 ? .yield : .callMain
        case 6: task > 0 ? .cancel(number(0...(task - 1))) : .call(0)
        case 7: .isCancelled
        case 8: task > 0 ? .await(number(0...(task - 1))) : .call(1)
        case 9: .child
        case 10: .enter
        case 11: .open
        case 12: .load
        case 13: .store
        case 14: .lock
        case 15: .group
        case 16: .drain
        case 17: .isCancelled
        default: task > 0 ? .cancel(number(0...(task - 1))) : .open
        }
      }
    }
    body = tasks.enumerated().flatMap { task, actions in
      (actions.contains(.enter) ? [.open] : []) + [Action.await(task)]
    }
  }

  private actor Counter {
    private var seen: [Int] = []
    func add(_ task: Int) -> Int {
      seen.append(task)
      return seen.reduce(0) { $0 * 4 + $1 + 1 }
    }
  }

  /// Lets tasks wait until it is opened; without anything that actors don't guard.
  private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async -> Int {
      if isOpen { return 0 }
      await withCheckedContinuation { waiting.append($0) }
      return 1
    }

    func open() -> Int {
      isOpen = true
      for continuation in waiting { continuation.resume() }
      defer { waiting = [] }
      return waiting.count
    }
  }

  @MainActor private final class MainCounter {
    private var seen: [Int] = []
    nonisolated init() {}
    func add(_ task: Int) -> Int {
      seen.append(task)
      return seen.reduce(0) { $0 * 4 + $1 + 1 }
    }
  }

  /// What they may use without an `await`, and are interrupted at.
  private final class Shared: Sendable {
    let last = Explored.Atomic(0)
    let nothing = Explored.Atomic(0)
    let seen = Explored.Mutex<[Int]>([])
  }

  private struct Data: Sendable {
    let shared = Shared()
    let counters = [Counter(), Counter()]
    let gate = Gate()
    let main = MainCounter()

    func run(_ action: Action, _ task: Int, _ others: [Task<[Int], Never>]) async -> Int {
      switch action {
      case .call(let counter): return await counters[counter].add(task)
      case .callMain: return await main.add(task)
      case .yield: await Task.yield()
      case .cancel(let other): others[other].cancel()
      case .isCancelled:
        _ = shared.nothing.load(ordering: .sequentiallyConsistent)
        return Task.isCancelled ? 1 : 0
      case .await(let other): return await others[other].value.count
      case .child:
        async let one = counters[0].add(task)
        return await one
      case .group:
        return await withTaskGroup(of: Int.self) { group in
          for counter in counters { group.addTask { await counter.add(task) } }
          var sum = 0
          for await result in group { sum = sum * 100 + result }
          return sum
        }
      case .drain:
        await withTaskGroup(of: Int.self) { group in
          for counter in counters { group.addTask { await counter.add(task) } }
        }
      case .enter: return await gate.enter()
      case .open: return await gate.open()
      case .load: return shared.last.load(ordering: .sequentiallyConsistent)
      case .store: shared.last.store(task + 1, ordering: .sequentiallyConsistent)
      case .lock:
        return shared.seen.withLock { seen in
          seen.append(task)
          return seen.reduce(0) { $0 * 4 + $1 + 1 }
        }
      }
      return 0
    }
  }

  var subject: @Sendable (ProgramOutcomes.Log) -> OrderRun.Subject {
    { [tasks, body] log in
      .body { scenario in
        scenario.sharesOnlyActorsAndExplored()
        let data = Data()
        var running: [Task<[Int], Never>] = []
        for (number, actions) in tasks.enumerated() {
          running.append(
            Task { [running] in
              var seen: [Int] = []
              for action in actions { seen.append(await data.run(action, number, running)) }
              return seen
            }
          )
        }
        for action in body { _ = await data.run(action, tasks.count, running) }
        var all: [[Int]] = []
        for task in running { all.append(await task.value) }
        log.add("\(all)")
      }
    }
  }
}
