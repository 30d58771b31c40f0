// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Threads, one per actor, that act on the same subjects at the same time.
///
/// Designed for real overlap; loosely started threads almost never overlap. Each thread is pinned to a core where the
/// system supports it, and to another one from time to time. Subjects come in batches: the caller makes them, and
/// examines them afterwards, while the actors sleep, so that it takes no core away from them. Within a batch the actors
/// meet at a spinning barrier, with a frequency that changes from batch to batch (see ``Pacing``).
///
/// `order` is written by the one thread that calls `run` and `stop`, while every actor sleeps at its semaphore, and read
/// by the actors after they were woken; `generator` and `batches` belong to that one thread. That makes it
/// `@unchecked Sendable`. Once an actor is stuck, `order` isn't written any more.
package final class ActorThreads<Subject: Sendable>: @unchecked Sendable {
  /// The work of the actors when they wake.
  private struct Order {
    var subjects: [Subject] = []
    var pacing = Pacing(stride: 1, jitter: 0)
    var cores = Cores.available
    /// The position of an actor that is awake and hasn't returned from the first of the subjects.
    var base = 0
    /// The number of earlier subjects.
    var done = 0
    var isStop = false
  }

  private var order = Order()
  private var generator: SeededGenerator
  private var batches = 0
  private let lanes: [ActorLane]
  private let done = DispatchSemaphore(value: 0)
  /// Relaxed, because it publishes nothing.
  private let isAbandoned = Atomic(false)

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - seed: The seed of the random numbers: strides, jitter and cores.
  ///   - actors: The code that each thread runs with a subject.
  package convenience init(seed: UInt64, actors: [@Sendable (Subject) -> Void]) {
    self.init(seed: seed, actors: actors, lanes: actors.map { _ in ActorLane() })
  }

  /// Starts the threads, with lanes that other code reads as well.
  init(seed: UInt64, actors: [@Sendable (Subject) -> Void], lanes: [ActorLane]) {
    generator = SeededGenerator(seed: seed)
    self.lanes = lanes
    for (index, actor) in actors.enumerated() {
      let seed = generator.next()
      OwnThread.start { [self] in
        var generator = SeededGenerator(seed: seed)
        self.lanes[index].belongsToThisThread()
        while act(index, actor, &generator) {}
      }
    }
  }

  /// Makes every actor act on every subject, and blocks the caller until all have.
  ///
  /// - Parameters:
  ///   - subjects: One per round.
  ///   - pacing: The pacing of the actors; by default drawn from the seed.
  ///   - patience: The time without progress of any actor, in nanoseconds, after which the batch is given up.
  /// - Returns: The actors that didn't return, if there are any. Nothing more can be run then; their threads are left
  ///   behind, and the others end.
  @discardableResult
  package func run(_ subjects: [Subject], pacing: Pacing? = nil, patience: UInt64 = .max) -> StuckActors? {
    order.subjects = subjects
    order.base += 1
    order.pacing = pacing ?? .drawn(from: &generator, isCrowded: lanes.count > Cores.available.count)
    if batches % 32 == 31 { order.cores.shuffle(using: &generator) }
    batches += 1
    for lane in lanes { lane.start.signal() }
    for _ in lanes where !waitForOne(patience) { return abandon() }
    order.base += subjects.count
    order.done += subjects.count
    order.subjects = []
    return nil
  }

  /// Ends the threads.
  package func stop() {
    guard !isAbandoned.load(ordering: .relaxed) else { return }
    order.isStop = true
    for lane in lanes { lane.start.signal() }
  }

  /// The time that the actor that worked longest had a core for the last batch.
  ///
  /// Must not be read while `run` runs.
  var processorTime: Duration { .nanoseconds(lanes.map(\.processorTime).max() ?? 0) }

  /// The number of pairs of calls of which one is known to have returned before the other began.
  ///
  /// Must not be read while `run` runs.
  var separatePairs: Int { lanes.reduce(0) { $0 + $1.latecomings.load(ordering: .relaxed) } }
}

// MARK: - The controlling thread

extension ActorThreads {
  /// Waits for an actor to complete its batch; returns false if none makes progress for too long.
  private func waitForOne(_ patience: UInt64) -> Bool {
    if patience == .max {
      done.wait()
      return true
    }
    var before: [Int] = []
    while true {
      // At least two checks apart: progress just after the first check is seen at the second.
      if done.wait(timeout: .now() + .nanoseconds(Int(clamping: patience))) == .success { return true }
      let positions = lanes.map { $0.position.load(ordering: .relaxed) }
      if positions == before { return false }
      before = positions
    }
  }

  /// Gives up the stuck actors and ends the others.
  private func abandon() -> StuckActors {
    isAbandoned.store(true, ordering: .relaxed)
    let positions = lanes.map { $0.position.load(ordering: .relaxed) }
    for lane in lanes { lane.start.signal() }
    // An actor that is ahead of another may only be waiting for it.
    let last = positions.min() ?? 0
    return StuckActors(
      actors: positions.indices.filter { positions[$0] == last },
      round: max(0, last - order.base)
    )
  }
}

// MARK: - The actors' threads

extension ActorThreads {
  /// Runs the current order; returns false if there is no more work.
  private func act(_ index: Int, _ actor: (Subject) -> Void, _ generator: inout SeededGenerator) -> Bool {
    let lane = lanes[index]
    lane.start.wait()
    if isAbandoned.load(ordering: .relaxed) || order.isStop { return false }
    let began = CurrentThread.processorTime
    Cores.pin(to: order.cores[index % order.cores.count])
    let others = lanes.filter { $0 !== lane }
    let base = order.base
    lane.wakes(at: base, after: order.done)
    var latecomings = 0
    var untilMeeting = 0
    /// The number of times that it may still yield to others in this batch.
    var yields = 500
    for round in order.subjects.indices {
      if untilMeeting == 0 {
        untilMeeting = order.pacing.stride
        guard meet(others, of: lane, at: base + round, &yields) else { return false }
        pause(generator.next() % UInt64(order.pacing.jitter + 1))
      }
      untilMeeting -= 1
      for other in others where other.position.load(ordering: .relaxed) > base + round { latecomings += 1 }
      actor(order.subjects[round])
      lane.position.store(base + round + 1, ordering: .relaxed)
      if isAbandoned.load(ordering: .relaxed) { return false }
    }
    lane.latecomings.add(latecomings, ordering: .relaxed)
    lane.sleeps(after: CurrentThread.processorTime - began)
    done.signal()
    return true
  }

  /// Spins until all others have reached a position; returns false if one of them never will.
  private func meet(_ others: [ActorLane], of lane: ActorLane, at position: Int, _ yields: inout Int) -> Bool {
    let isCrowded = lanes.count > order.cores.count
    for other in others {
      var spins = 0
      while other.position.load(ordering: .relaxed) < position {
        spins += 1
        // Other threads need the core as well: spinning while a partner has none would only delay it. Yielding is
        // quick, but some kernels (Linux 6.18) put a thread that yields often behind all others, and it starves for
        // seconds.
        guard spins > (isCrowded ? 100 : 1_000) else { continue }
        lane.isAhead.store(true, ordering: .relaxed)
        if isAbandoned.load(ordering: .relaxed) { return false }
        if yields > 0 {
          yields -= 1
          sched_yield()
        } else {
          usleep(1)
        }
      }
    }
    lane.isAhead.store(false, ordering: .relaxed)
    return true
  }

  /// Spends a little time.
  private func pause(_ spins: UInt64) {
    for _ in 0..<spins { _ = isAbandoned.load(ordering: .relaxed) }
  }
}
