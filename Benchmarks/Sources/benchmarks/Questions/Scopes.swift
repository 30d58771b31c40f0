// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

extension Question {
  static var scopes: Question {
    Question(
      name: "scopes",
      asks: "What does a piece of work cost in a scope of many, from adding to leaving it?",
      rows: [
        Row("one of 10,000 futures, added, completed", against: "futures in a dictionary behind a Mutex") {
          Sides(burst: burst, ours: addToScope(), peer: addToDictionary())
        },
        Row("one of 10,000 futures, added, cancelled", against: "futures in a dictionary behind a Mutex") {
          Sides(burst: burst, ours: cancelScope(), peer: cancelDictionary())
        },
        Row("one of 10,000 tasks, added, drained", against: "task group") {
          Sides(burst: burst, ours: drainTasks(), peer: awaitGroup())
        },
      ]
    )
  }
}

/// So many are in it at a time.
private let burst = 10_000

// MARK: - Futures

private func addToScope() -> Sides.Side {
  { count in
    timed {
      inBursts(of: burst, count) {
        let scope = Scope()
        let futures = (0..<burst).map { _ in Future() }
        for future in futures { scope.add(future) }
        for future in futures { future.complete() }
        precondition(scope.count == 0)
      }
    }
  }
}

private func cancelScope() -> Sides.Side {
  { count in
    timed {
      inBursts(of: burst, count) {
        let scope = Scope()
        let futures = (0..<burst).map { _ in Future() }
        for future in futures { scope.add(future) }
        scope.cancel()
        precondition(scope.count == 0 && futures[0].isCancelled)
      }
    }
  }
}

/// What one writes without a scope: it knows what is running, and forgets what has ended.
private final class Running: Sendable {
  private let futures = Mutex<[ObjectIdentifier: Future]>([:])

  func add(_ future: Future) {
    let id = ObjectIdentifier(future)
    futures.withLock { $0[id] = future }
    future.onCleanUp(on: .inline) { [self] in _ = futures.withLock { $0.removeValue(forKey: id) } }
  }

  func cancel() {
    for future in futures.withLock({ Array($0.values) }) { future.cancel() }
  }

  var isEmpty: Bool { futures.withLock { $0.isEmpty } }
}

private func addToDictionary() -> Sides.Side {
  { count in
    timed {
      inBursts(of: burst, count) {
        let running = Running()
        let futures = (0..<burst).map { _ in Future() }
        for future in futures { running.add(future) }
        for future in futures { future.complete() }
        precondition(running.isEmpty)
      }
    }
  }
}

private func cancelDictionary() -> Sides.Side {
  { count in
    timed {
      inBursts(of: burst, count) {
        let running = Running()
        let futures = (0..<burst).map { _ in Future() }
        for future in futures { running.add(future) }
        running.cancel()
        precondition(running.isEmpty && futures[0].isCancelled)
      }
    }
  }
}

// MARK: - Tasks

private func drainTasks() -> Sides.Side {
  inTasks(of: burst) {
    let scope = Scope()
    for _ in 0..<burst { scope.addTask {} }
    await scope.drain()
  }
}

private func awaitGroup() -> Sides.Side {
  inTasks(of: burst) {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<burst { group.addTask {} }
    }
  }
}
