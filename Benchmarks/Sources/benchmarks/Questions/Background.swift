// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

extension Question {
  static var background: Question {
    Question(
      name: "work elsewhere and later",
      asks: "What does a value cost that is computed on another thread, or when it is asked for?",
      rows: [
        Row("background, await value", against: "Task.detached, await value") {
          Sides(burst: burst, ours: awaitBackground(), peer: awaitDetached())
        },
        Row("task, await value", against: "Task.detached, await value", goal: .times(1.8)) {
          Sides(ours: awaitTask(), peer: awaitDetachedOnThisThread())
        }
        .counted("task"),
        Row("background, wait", against: "global queue, stored, semaphore") {
          Sides(burst: burst, ours: waitForBackground(), peer: waitForBlocks())
        },
        Row("lazy, wait", against: "closure behind a Mutex", goal: .times(2)) {
          Sides(ours: waitForLazy(), peer: closureBehindMutex())
        }
        .counted("lazy"),
      ]
    )
  }
}

/// So many pieces are started, then the thread gets the value of each.
private let burst = 200

// MARK: - Awaited by a task

private func awaitBackground() -> Sides.Side {
  let tally = Tally()
  let done = DispatchSemaphore(value: 0)
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let futures = (0..<burst).map { index in ValueFuture.background { _ in index &+ 1 } }
        Task.detached {
          for future in futures { tally.add(try await future.value) }
          done.signal()
        }
        done.wait()
      }
    }
  }
}

private func awaitDetached() -> Sides.Side {
  let tally = Tally()
  let done = DispatchSemaphore(value: 0)
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        // It may throw, as the work of a future may.
        let tasks = (0..<burst).map { index in Task<Int, any Error>.detached { index &+ 1 } }
        Task.detached {
          for task in tasks { tally.add(try await task.value) }
          done.signal()
        }
        done.wait()
      }
    }
  }
}

// On the thread of the benchmark: the task is run when the one that awaits it is suspended.

private func awaitTask() -> Sides.Side {
  let tally = Tally()
  return { count in
    TaskLoop.start {
      for index in 0..<count { tally.add(try await ValueFuture.task { index &+ 1 }.value) }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

private func awaitDetachedOnThisThread() -> Sides.Side {
  let tally = Tally()
  return { count in
    TaskLoop.start {
      for index in 0..<count { tally.add(try await Task<Int, any Error>.detached { index &+ 1 }.value) }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

// MARK: - Waited for by the thread

private func waitForBackground() -> Sides.Side {
  let tally = Tally()
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let futures = (0..<burst).map { index in ValueFuture.background { _ in index &+ 1 } }
        for future in futures { if let value = try? future.wait() { tally.add(value) } }
      }
    }
  }
}

private func waitForBlocks() -> Sides.Side {
  let tally = Tally()
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        let slots = (0..<burst).map { index in
          let slot = Slot()
          DispatchQueue.global().async { slot.store(index &+ 1) }
          return slot
        }
        for slot in slots { if let value = slot.wait() { tally.add(value) } }
      }
    }
  }
}

/// The place for one value.
private final class Slot: Sendable {
  private let value = Mutex<Int?>(nil)
  private let isFilled = DispatchSemaphore(value: 0)

  func store(_ value: Int) {
    self.value.withLock { $0 = value }
    isFilled.signal()
  }

  func wait() -> Int? {
    isFilled.wait()
    return value.withLock { $0 }
  }
}

// MARK: - When it is asked for

private func waitForLazy() -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let future = ValueFuture.lazy { _ in index &+ 1 }
        if let value = try? future.wait() { tally.add(value) }
      }
    }
  }
}

private func closureBehindMutex() -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      for index in 0..<count {
        let lazy = LazyValue { index &+ 1 }
        if let value = try? lazy.get() { tally.add(value) }
      }
    }
  }
}

/// What people write by hand: the first who asks runs the closure, others wait for the lock meanwhile.
///
/// Not inlined, as if it stood in a library: else hardly anything of it would be left.
private final class LazyValue<Value: Sendable>: Sendable {
  private enum State {
    case work(@Sendable () throws -> Value)
    case over(Result<Value, any Error>)
  }

  private let state: Mutex<State>

  @inline(never)
  init(_ work: @escaping @Sendable () throws -> Value) {
    state = Mutex(.work(work))
  }

  @inline(never)
  func get() throws -> Value {
    let result = state.withLock { state in
      switch state {
      case .over(let result):
        return result
      case .work(let work):
        let result = Result { try work() }
        state = .over(result)
        return result
      }
    }
    return try result.get()
  }
}
