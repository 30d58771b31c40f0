// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// The threads of a program, and what they share: made anew for each order.
final class Threads {
  let graph = Graph()
  let model: Model
  private unowned let scenario: Scenario
  private var barriers: [Barrier] = []

  init(_ scenario: Scenario, _ model: Model) {
    (self.scenario, self.model) = (scenario, model)
  }

  /// Makes an atomic.
  func place(_ value: Int = 0) -> Place { Place(value, isCompared: false, graph, model) }

  /// Makes atomics.
  func places(_ count: Int, _ value: Int = 0) -> [Place] { (0..<count).map { _ in place(value) } }

  /// Makes an atomic whose value is compared.
  func word(_ value: Int = 0) -> Place { Place(value, isCompared: true, graph, model) }

  /// Makes a lock.
  ///
  /// - Parameter isCounted: Whether executions differ if only the threads' turns with the lock do.
  /// - Returns: The lock.
  func lock(isCounted: Bool = true) -> Lock { Lock(isCounted ? graph : nil) }

  /// Makes a barrier for some threads, at which they may meet several times.
  func barrier(_ count: Int) -> Barrier {
    barriers.append(Barrier(count))
    return barriers[barriers.count - 1]
  }

  /// Adds a thread.
  func thread(_ body: @escaping () throws -> Void) {
    let number = graph.addThread()
    scenario.thread("\(number + 1)") { [self] in
      Graph.$thread.withValue(number) {
        do {
          try body()
        } catch {
          graph.block()
          for barrier in barriers { barrier.open() }
        }
      }
    }
  }

  /// Orders the accesses before and after it.
  func fence(_ order: Order = .sequentiallyConsistent) {
    if model == .rc11 { Explored.atomicMemoryFence(ordering: order.ofUpdate) }
  }
}

/// Ends a thread whose condition doesn't hold; the execution doesn't count then.
///
/// A loop that waits for a condition is one of these: the executions in which it has seen the condition are counted, not
/// how often it looked before that.
func assume(_ condition: Bool) throws {
  struct DoesNotHold: Error {}
  if !condition { throw DoesNotHold() }
}
