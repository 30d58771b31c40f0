// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if os(Linux)
  import Dispatch
  import Foundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Ordinary code on queues and locks, on other threads than those of an exploration that runs meanwhile.
  @Suite(.serialized) struct BesideAnExplorationTests {
    private final class Flag: Sendable {
      private let isSet = DispatchSemaphore(value: 0)
      func set() { isSet.signal() }
      var wasSet: Bool {
        guard isSet.wait(timeout: .now()) == .success else { return false }
        isSet.signal()
        return true
      }
    }

    /// A value that a lock, or a queue, guards.
    private final class Guarded: @unchecked Sendable {
      var value = 0
    }

    @Test(.withoutRecording) func `A thousand ordinary runs are what they are without one`() async {
      let isOver = Flag()
      let rounds = Task.detached {
        var rounds = 0
        while rounds < 1_000 {
          guard Self.ordinaryRun() else { return -1 }
          rounds += 1
        }
        isOver.set()
        return rounds
      }
      var explorations = 0
      // At least one, and as many as there is time for.
      repeat {
        let report = await explore("beside \(explorations)") { scenario in
          let (lock, queue) = (NSLock(), DispatchQueue(label: "explored"))
          for name in ["a", "b"] { scenario.thread(name) { queue.async { lock.withLock {} } } }
        }
        #expect(report.passed && report.isComplete && report.uncontrolled == nil, "\(report)")
        explorations += 1
      } while !isOver.wasSet && explorations < 1_000
      #expect(await rounds.value == 1_000)
    }

    /// Returns true if each part of it has come, once.
    private static func ordinaryRun() -> Bool {
      let (queue, lock, group) = (DispatchQueue(label: "ordinary"), NSLock(), DispatchGroup())
      let (guarded, done) = (Guarded(), DispatchSemaphore(value: 0))
      for _ in 0..<4 { DispatchQueue.global().async(group: group) { lock.withLock { guarded.value += 1 } } }
      group.notify(queue: queue) {
        lock.withLock { guarded.value += 10 }
        done.signal()
      }
      let isLate = group.wait(timeout: .now() + 60) == .timedOut
      done.wait()
      queue.sync { guarded.value += 100 }
      return !isLate && lock.withLock { guarded.value } == 114
    }
  }
#endif
