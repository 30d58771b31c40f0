// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The state of the threads of an order; used by the one thread that runs.
struct Threads {
  var all: [ExploredThread] = []
  /// The threads by their lines.
  var byLine: [Int: ExploredThread] = [:]
  /// Lines that represent other ways in which threads may take their next operation, with these ways.
  var ways: [Int: (thread: ExploredThread, way: Int)] = [:]
  var lineOfWay: [[Int]: Int] = [:]
  /// The steps of a body that are or were interrupted, by their lines.
  var ofSteps: [Int: ExploredThread] = [:]
  /// The lines of those that have used something explored.
  var acted: Set<Int> = []
  /// The model of their shared memory.
  var memory = MemoryModel()
  /// The locks that each thread holds, by its line.
  var locks: [Int: [ExploredLock]] = [:]
  /// The number of explored primitives, in all and of each kind.
  var count = 0
  var counts: [String: Int] = [:]
}
