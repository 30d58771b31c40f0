// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
  @_silgen_name("sched_setaffinity") private func schedSetAffinity(
    _ pid: Int32,
    _ size: Int,
    _ mask: UnsafePointer<UInt>
  ) -> Int32
#elseif canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Threads, one an actor, that act on the same subjects at the same time.
///
/// Built so that the actors really meet: pinned to cores where the system can; they line up before each subject at a
/// spinning barrier and then go after a random delay of a few spins; subjects are made and looked at in batches while
/// they sleep. Loosely started threads almost never overlap.
///
/// `batch` and `isStopped` are written by the one thread that calls `run` and `stop` while every actor sleeps at its
/// semaphore, and read by the actors after they were woken: that makes it `@unchecked Sendable`.
final class ActorThreads<Subject: Sendable>: @unchecked Sendable {
  private var batch: [Subject] = []
  private var isStopped = false
  private let arrived = Atomic(0)
  private let starts: [DispatchSemaphore]
  private let done = DispatchSemaphore(value: 0)

  init(seed: UInt64, actors: [@Sendable (Subject) -> Void]) {
    starts = actors.map { _ in DispatchSemaphore(value: 0) }
    let cores = max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))))
    for (index, actor) in actors.enumerated() {
      OwnThread.start { [self] in
        pin(toCore: index % cores)
        loop(index, actors.count, yields: actors.count > cores, SeededGenerator(seed: seed &+ UInt64(index)), actor)
      }
    }
  }

  /// Has every actor act on every subject, and blocks the caller until all have.
  func run(_ subjects: [Subject]) {
    batch = subjects
    arrived.store(0, ordering: .relaxed)
    for start in starts { start.signal() }
    for _ in starts { done.wait() }
    batch = []
  }

  /// Ends the threads.
  func stop() {
    isStopped = true
    for start in starts { start.signal() }
  }

  private func loop(
    _ index: Int,
    _ count: Int,
    yields: Bool,
    _ generator: SeededGenerator,
    _ actor: @Sendable (Subject) -> Void
  ) {
    var generator = generator
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
