// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Synchronization

/// Primitives that the explorer sees: a mutex, an atomic, a semaphore, a condition and a serial queue in place of the
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
/// In a thread of a scenario (``Scenario/thread(_:_:)``) each use is a step: others act before it, in every order. A
/// thread that has to wait isn't chosen until it can continue. Loads of atomics return any value that a machine with a
/// weak memory model may return. In ``exploreTasks(_:_:fileID:filePath:line:column:body:)`` each use interrupts
/// the step of the task as well, but loads return the newest value. In the other steps of
/// ``explore(_:_:fileID:filePath:line:column:scenario:)`` they act at once, as part of the step. Outside of an exploration
/// they behave like the real ones.
///
/// Make them inside the scenario: one that lives longer keeps its value from one order to the next.
public enum Explored {
  /// Marks a point where others may act: for code that the explorer doesn't see, such as a call of a future.
  ///
  /// The code that follows, up to the next operation, may touch anything. Has an effect only in a thread of a scenario
  /// and in the body of ``exploreTasks(_:_:fileID:filePath:line:column:body:)``.
  ///
  /// - Parameter label: A description of the code that follows, for the diagram.
  public static func switchPoint(_ label: String = "continues") {
    guard let thread = ExploredPlace.current?.thread else { return }
    _ = thread.take(ThreadOperation(label: { label }))
  }

  /// Orders the atomic accesses before and after it, as `atomicMemoryFence` of Synchronization does.
  ///
  /// - Parameter ordering: The memory ordering of the fence.
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
