// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization

@testable import RaceFreeFutureExploring

/// The outcomes of all orders of a program: what its threads have seen, and what is left at the end.
struct ProgramOutcomes: Equatable {
  var seen: Set<String>
  /// True if some order fails: then no others are run after it.
  var fails: Bool

  /// Runs a program with or without reduction, and returns its outcomes and the number of its orders.
  static func all(
    of subject: @escaping @Sendable (Log) -> OrderRun.Subject,
    reduces: Bool,
    maxOrders: Int = 2_000,
    ignoring: String? = nil
  ) async -> (outcomes: ProgramOutcomes, report: Exploration) {
    let log = Log()
    let explorer = Explorer("a random program", .exhaustive(maxOrders: maxOrders, maxSteps: 200, seed: 1), subject(log))
    explorer.reduces.store(reduces, ordering: .relaxed)
    explorer.ignored.withLock { $0 = ignoring }
    let report = await explorer.run()
    return (ProgramOutcomes(seen: report.passed ? log.seen.value : [], fails: !report.passed), report)
  }

  final class Log: Sendable {
    let seen = Variable(Set<String>())
    func add(_ outcome: String) { seen.value.insert(outcome) }
  }
}

/// A program of threads that is made of random operations.
struct RandomThreads: Sendable {
  enum Operation: Sendable {
    case load(Int, AtomicLoadOrdering)
    case store(Int, Int, AtomicStoreOrdering)
    case add(Int, AtomicUpdateOrdering)
    case exchange(Int, from: Int, to: Int)
    case lock(Int)
    case lockIfFree(Int)
    case nested(Int, Int)
    case signal
    case wait
    case waitBriefly
    case look
    case set(Int)
    case fence
  }

  let threads: [[Operation]]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 2...3, using: &generator)
    threads = (0..<count).map { _ in
      (0..<Int.random(in: 1...(count == 2 ? 3 : 2), using: &generator)).map { _ in Self.operation(&generator) }
    }
  }

  private static func operation(_ generator: inout SeededGenerator) -> Operation {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    switch number(0...18) {
    case 0, 1: return .load(number(0...1), .sequentiallyConsistent)
    case 2: return .load(number(0...1), .acquiring)
    case 3: return .load(number(0...1), .relaxed)
    case 4, 5: return .store(number(0...1), number(1...2), .sequentiallyConsistent)
    case 6: return .store(number(0...1), number(1...2), .releasing)
    case 7: return .store(number(0...1), number(1...2), .relaxed)
    case 8: return .add(number(0...1), .sequentiallyConsistent)
    case 9: return .add(number(0...1), .relaxed)
    case 10: return .exchange(number(0...1), from: number(0...1), to: number(1...2))
    case 11: return .lock(number(0...1))
    case 12: return .lockIfFree(number(0...1))
    case 13: return .nested(number(0...1), number(0...1))
    case 14: return .signal
    case 15: return .wait
    case 16: return .waitBriefly
    case 17: return number(0...1) == 0 ? .look : .set(number(1...2))
    default: return number(0...3) == 0 ? .fence : .load(number(0...1), .sequentiallyConsistent)
    }
  }

  /// The data of one order; one thread at a time uses it.
  private final class Data: @unchecked Sendable {
    let places = [Shared(Explored.Atomic(0)), Shared(Explored.Atomic(0))]
    let locks = [Shared(Explored.Mutex(0)), Shared(Explored.Mutex(0))]
    let semaphore = Explored.Semaphore(value: 1)
    let variable = Variable(0)
    var seen: [[Int]]

    init(_ count: Int) { seen = Array(repeating: [], count: count) }

    func run(_ operation: Operation) -> Int {
      switch operation {
      case .load(let place, let ordering): return load(places[place], ordering)
      case .store(let place, let new, let ordering): store(new, places[place], ordering)
      case .add(let place, .relaxed): return places[place].value.add(1, ordering: .relaxed).oldValue
      case .add(let place, _): return places[place].value.add(1, ordering: .sequentiallyConsistent).oldValue
      case .exchange(let place, let old, let new):
        return places[place].value
          .compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).original
      case .lock(let lock): return locks[lock].value.withLock { changed(&$0) }
      case .lockIfFree(let lock): return locks[lock].value.withLockIfAvailable { changed(&$0) } ?? -1
      case .nested(let lock, let place):
        return locks[lock].value.withLock { value in
          value = value * 3 + places[place].value.load(ordering: .sequentiallyConsistent) + 1
          return value
        }
      case .signal: semaphore.signal()
      case .wait: semaphore.wait()
      case .waitBriefly: return semaphore.wait(timeout: .now()) == .success ? 1 : 0
      case .look: return variable.value
      case .set(let new): variable.value = new
      case .fence: Explored.atomicMemoryFence(ordering: .sequentiallyConsistent)
      }
      return 0
    }

    private func changed(_ value: inout Int) -> Int {
      value = value * 2 + 1
      return value
    }

    private func load(_ place: Shared<Explored.Atomic<Int>>, _ ordering: AtomicLoadOrdering) -> Int {
      switch ordering {
      case .relaxed: place.value.load(ordering: .relaxed)
      case .acquiring: place.value.load(ordering: .acquiring)
      default: place.value.load(ordering: .sequentiallyConsistent)
      }
    }

    private func store(_ new: Int, _ place: Shared<Explored.Atomic<Int>>, _ ordering: AtomicStoreOrdering) {
      switch ordering {
      case .relaxed: place.value.store(new, ordering: .relaxed)
      case .releasing: place.value.store(new, ordering: .releasing)
      default: place.value.store(new, ordering: .sequentiallyConsistent)
      }
    }

    var text: String {
      let places = places.map { $0.value.load(ordering: .sequentiallyConsistent) }
      let locks = locks.map { $0.value.withLock { $0 } }
      return "\(seen) \(places) \(locks) \(variable.value)"
    }
  }

  func subject(_ log: ProgramOutcomes.Log) -> OrderRun.Subject {
    .steps { [threads] scenario in
      let data = Data(threads.count)
      for (number, operations) in threads.enumerated() {
        scenario.thread("\(number)") {
          for operation in operations { data.seen[number].append(data.run(operation)) }
        }
      }
      scenario.atEnd {
        log.add(data.text)
        return nil
      }
    }
  }
}

/// A program of steps that say what they touch, some with conditions.
struct RandomSteps: Sendable {
  struct Step: Sendable {
    let reads: Int
    let writes: Int
    /// The value of the place that is read without which the step can't be taken.
    let condition: Int?
    let says: Bool
  }

  let actors: [[Step]]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    actors = (0..<number(2...3)).map { _ in
      (0..<number(1...3)).map { _ in
        Step(
          reads: number(0...3),
          writes: number(0...3),
          condition: number(0...7) == 0 ? number(0...1) : nil,
          says: number(0...9) > 0
        )
      }
    }
  }

  private final class Data: @unchecked Sendable {
    var places = [0, 0, 0, 0]
    var seen: [[Int]] = []
  }

  func subject(_ log: ProgramOutcomes.Log) -> OrderRun.Subject {
    .steps { [actors] scenario in
      let data = Data()
      data.seen = actors.map { _ in [] }
      for (number, steps) in actors.enumerated() {
        scenario.actor(
          "\(number)",
          steps.map { step in
            let isReady = step.condition.map { wanted in { data.places[step.reads] % 2 == wanted } }
            return .init("step", touches: step.says ? ["\(step.reads)", "\(step.writes)"] : nil, when: isReady) {
              data.seen[number].append(data.places[step.reads])
              data.places[step.writes] = data.places[step.writes] * 3 + number + 1
            }
          }
        )
      }
      scenario.atEnd {
        log.add("\(data.seen) \(data.places)")
        return nil
      }
    }
  }
}
