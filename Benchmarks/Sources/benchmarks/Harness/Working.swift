// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CMeasuring
import Dispatch

/// Uses a value in a way that the optimizer can't see through, so that the work which made it isn't dropped.
@inline(never)
@_optimize(none)
func blackHole<T>(_ value: T) {}

/// Times a run that happens on this thread alone: only what the thread itself uses counts, not that others interrupt it.
@inline(__always)
func timed(_ body: () -> Void) -> Duration {
  let start = thread_time()
  body()
  return .nanoseconds(thread_time() - start)
}

/// Times a run that involves other threads, by the clock on the wall.
@inline(__always)
func timedWithOthers(_ body: () -> Void) -> Duration {
  ContinuousClock().measure(body)
}

/// Does the pieces of a run burst by burst.
///
/// The row says `Sides(burst:)` with the same size.
@inline(__always)
func inBursts(of size: Int, _ count: Int, _ body: () -> Void) {
  for _ in 0..<(count / size) { body() }
}

/// Does the pieces of a run burst by burst, each in a task of its own that the thread waits for.
///
/// The row says `Sides(burst:)` with the same size.
func inTasks(of size: Int, _ body: @escaping @Sendable () async throws -> Void) -> Sides.Side {
  let done = DispatchSemaphore(value: 0)
  return { count in
    timedWithOthers {
      inBursts(of: size, count) {
        Task.detached {
          do {
            try await body()
          } catch {
            fatalError("what is measured has thrown \(error)")
          }
          done.signal()
        }
        done.wait()
      }
    }
  }
}

/// What the handlers of both sides do: the least that nobody can leave out.
///
/// A handler captures the tally and a number, so that it has a context of its own as most real handlers have.
///
/// `@unchecked Sendable`: it is written by one thread at a time, the one that runs the benchmark, or one task, or the blocks of one serial queue, and read by
/// nobody else.
final class Tally: @unchecked Sendable {
  private var sum = 0

  @inline(__always)
  func add(_ number: Int) {
    sum &+= number
  }

  deinit {
    blackHole(sum)
  }
}
