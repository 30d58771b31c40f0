// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Synchronization

/// Primitives that the explorer sees: a mutex, an atomic, a semaphore, a condition and a serial queue in the place of the
/// real ones.
///
/// ```swift
/// #if EXPLORED
///   import RaceFreeFutureTesting
///   typealias Mutex = Explored.Mutex
/// #else
///   import Synchronization
///   typealias Mutex = Synchronization.Mutex
/// #endif
/// ```
///
/// In a thread of a scenario (``Scenario/thread(_:_:)``) each use is a step: others act before it, in every order. A thread
/// that has to wait isn't chosen until it can go on. Loads of atomics return what a machine with a weak memory may return.
/// In the other steps of ``explore(_:_:seed:maxSteps:scenario:)``, and in ``exploreTasks(_:_:seed:maxSteps:body:)``, they
/// act at once, as part of the step. Outside of an exploration they do what the real ones do.
///
/// Make them inside of the scenario: one that lives longer keeps its value from one order to the next.
public enum Explored {
  /// Where others may act: for what the explorer doesn't see, such as a call of a future.
  ///
  /// What follows, up to the next operation, may touch anything. Does nothing but in a thread of a scenario.
  ///
  /// - Parameter label: What follows, for the diagram.
  public static func switchPoint(_ label: String = "goes on") {
    guard let thread = ExploredPlace.current?.thread else { return }
    _ = thread.take(ThreadOperation(label: { label }))
  }

  /// Orders the atomic accesses before and after it, as `atomicMemoryFence` of Synchronization does.
  ///
  /// - Parameter ordering: How.
  public static func atomicMemoryFence(ordering: AtomicUpdateOrdering) {
    guard let place = ExploredPlace.current else {
      return Synchronization.atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
    guard let thread = place.thread else { return }
    let ordering = MemoryModel.Ordering(ordering)
    _ = thread.take(ThreadOperation(label: { "fence(\(ordering.words))" }))
    place.run.threads.memory.fence(by: thread.number, ordering)
  }
}
