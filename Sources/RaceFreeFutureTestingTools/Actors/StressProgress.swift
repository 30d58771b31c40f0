// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The progress of the threads of a stress, for the thread that watches them.
final class StressProgress: Sendable {
  private let lanes: [Lane]

  // Relaxed throughout: nothing is ordered by these.
  private final class Lane: Sendable {
    /// The number of the call that the thread is in, from 1; 0 between two rounds.
    let call = Atomic(0)
    /// The place of its operation in the list of all.
    let operation = Atomic(0)
  }

  init(threads: Int) { lanes = (0..<threads).map { _ in Lane() } }

  /// Spends a little time.
  func spin(_ times: Int, on thread: Int) {
    // A load that the compiler keeps, of what only this thread writes.
    for _ in 0..<times { _ = lanes[thread].call.load(ordering: .relaxed) }
  }

  func begins(_ call: Int, operation: Int, on thread: Int) {
    lanes[thread].operation.store(operation, ordering: .relaxed)
    lanes[thread].call.store(call + 1, ordering: .relaxed)
  }

  func ends(on thread: Int) { lanes[thread].call.store(0, ordering: .relaxed) }

  /// The operation that a thread is in, as a place in the list of all; nil between two rounds.
  func operation(on thread: Int) -> Int? {
    lanes[thread].call.load(ordering: .relaxed) == 0 ? nil : lanes[thread].operation.load(ordering: .relaxed)
  }

  /// For each thread the index of the call that it is in.
  var current: [Int?] {
    lanes.map { lane in
      let call = lane.call.load(ordering: .relaxed)
      return call == 0 ? nil : call - 1
    }
  }
}
