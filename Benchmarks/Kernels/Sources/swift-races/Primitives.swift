// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What the kernels share. Outside of an exploration the types of `Explored` behave as the real ones; a build with
// `-Xswiftc -DPLAIN` has the real ones, for other tools.
#if PLAIN
  import Dispatch
  import Synchronization

  typealias Mutex = Synchronization.Mutex
  typealias Semaphore = DispatchSemaphore

  final class Cell<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
#else
  import RaceFreeFutureTesting

  typealias Mutex = Explored.Mutex
  typealias Semaphore = Explored.Semaphore
  typealias Cell = Explored.Cell
#endif
