// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFutureTesting
import Synchronization

#if canImport(Glibc)
  import Glibc
  @_silgen_name("sched_setaffinity") private func schedSetAffinity(
    _ pid: Int32,
    _ size: Int,
    _ mask: UnsafePointer<UInt>
  ) -> Int32
#endif

/// Runs actors against each other, round after round, each round with a fresh subject, and verifies each subject after
/// all have acted.
///
/// Built so that the actors really meet: threads of their own, pinned to cores where the system can; they line up
/// before each round at a spinning barrier and then go after a random delay of a few spins; subjects are made and
/// verified in batches while they sleep. Loosely started threads almost never overlap.
///
/// - Parameters:
///   - rounds: How many subjects.
///   - make: Makes a subject.
///   - actors: What acts on it, each on its own thread.
///   - verify: Looks at a subject when all actors have returned. Runs on this call's own thread.
package func stress<Subject: Sendable>(
  rounds: Int,
  make: @escaping @Sendable () -> Subject,
  actors: [@Sendable (Subject) -> Void],
  verify: @escaping @Sendable (Subject) -> Void
) async {
  await onThread {
    let ring = StressRing(actors: actors)
    var left = rounds
    while left > 0 {
      let batch = (0..<min(left, 256)).map { _ in make() }
      left -= batch.count
      ring.run(batch)
      for subject in batch { verify(subject) }
    }
    ring.stop()
  }
}

/// The threads of a stress.
///
/// `batch` is written by the controller while every actor sleeps at its semaphore, and read by them after they were
/// woken.
private final class StressRing<Subject: Sendable>: @unchecked Sendable {
  private var batch: [Subject] = []
  private var isStopped = false
  private let arrived = Atomic(0)
  private let starts: [DispatchSemaphore]
  private let done = DispatchSemaphore(value: 0)

  init(actors: [@Sendable (Subject) -> Void]) {
    starts = actors.map { _ in DispatchSemaphore(value: 0) }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    for (index, actor) in actors.enumerated() {
      startThread { [self] in
        pin(toCore: index % cores)
        loop(index, actors.count, yields: actors.count > cores, actor)
      }
    }
  }

  func run(_ subjects: [Subject]) {
    batch = subjects
    arrived.store(0, ordering: .relaxed)
    for start in starts { start.signal() }
    for _ in starts { done.wait() }
    batch = []
  }

  func stop() {
    isStopped = true
    for start in starts { start.signal() }
  }

  private func loop(_ index: Int, _ count: Int, yields: Bool, _ actor: @Sendable (Subject) -> Void) {
    var generator = SeededGenerator(seed: testSeed &+ UInt64(index))
    while true {
      starts[index].wait()
      if isStopped { return }
      for (round, subject) in batch.enumerated() {
        arrived.add(1, ordering: .acquiringAndReleasing)
        var spins = 0
        while arrived.load(ordering: .acquiring) < (round + 1) * count {
          spins += 1
          // Others want the core as well: spinning on while a partner has none would only keep it away.
          if yields || spins > 1_000 { sched_yield() }
        }
        for _ in 0..<(generator.next() % 32) { _ = arrived.load(ordering: .relaxed) }
        actor(subject)
      }
      done.signal()
    }
  }

  private func pin(toCore core: Int) {
    #if canImport(Glibc)
      var mask = UInt(1) << UInt(core)
      _ = unsafe schedSetAffinity(0, MemoryLayout<UInt>.size, &mask)
    #endif
  }
}
