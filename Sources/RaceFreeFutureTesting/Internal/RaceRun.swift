// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import Synchronization

/// A race that is run: three kinds of threads, none of them of the shared pool.
///
/// The actors' threads act. The controller makes the subjects and looks at the outcomes while the actors sleep. The
/// watchdog sleeps all the time, except for a look at the controller now and then; it is the one that answers.
final class RaceRun<Outcome: Hashable & Sendable>: Sendable {
  /// What the race consists of; the numbers are places in a batch.
  struct Course: Sendable {
    let rounds: Int
    let time: Duration?
    /// In nanoseconds.
    let patience: UInt64
    let seed: UInt64
    let make: @Sendable (Int) -> Void
    let actors: [@Sendable (Int) -> Void]
    let outcome: @Sendable (Int) -> Outcome
    /// Whether an outcome ends the race.
    let isLast: @Sendable (Outcome) -> Bool
  }

  /// What is known so far.
  struct Record: Sendable {
    var tally = Tally<Outcome>()
    var rounds = 0
    var separatePairs = 0
    var interruption: RaceInterruption?
  }

  /// The user's code that the controller is in.
  private enum Step: Int {
    case none, make, outcome
  }

  /// The most rounds of a batch.
  static var mostPlaces: Int { 2_048 }

  private let course: Course
  /// Empty while the controller adds to it.
  private let record = Locked<Record?>(Record())
  private let isStopped = Atomic(false)
  /// Round and ``Step``, for the watchdog; relaxed, because nothing else depends on it.
  private let step = Atomic(0)
  private let finished = DispatchSemaphore(value: 0)

  init(_ course: Course) { self.course = course }

  /// Runs the race to its end, or until the task is cancelled.
  func run() async -> Record {
    await withTaskCancellationHandler {
      await OwnThread.run { [self] in
        OwnThread.start { [self] in
          control()
          finished.signal()
        }
        return watch()
      }
    } onCancel: {
      isStopped.store(true, ordering: .relaxed)
    }
  }

  // MARK: The watchdog

  private func watch() -> Record {
    var before = -1
    while finished.wait(timeout: .now() + .nanoseconds(Int(clamping: course.patience))) == .timedOut {
      let now = step.load(ordering: .relaxed)
      // Two looks at the same call.
      if now == before, let interruption = interruption(at: now) {
        isStopped.store(true, ordering: .relaxed)
        var record = self.record.withLock { $0 } ?? Record()
        record.interruption = interruption
        return record
      }
      before = now
    }
    return record.withLock { $0 } ?? Record()
  }

  private func interruption(at step: Int) -> RaceInterruption? {
    switch Step(rawValue: step & 3) {
    case .make: .makeStuck(round: step >> 2)
    case .outcome: .outcomeStuck(round: step >> 2)
    default: nil
    }
  }

  // MARK: The controller

  private func control() {
    let threads = ActorThreads(seed: course.seed, actors: course.actors)
    defer { threads.stop() }
    let start = ContinuousClock.now
    var done = 0
    var size = 64
    while done < course.rounds {
      if isStopped.load(ordering: .relaxed) { return update { $0.interruption = .cancelled } }
      let batchStart = ContinuousClock.now
      if let time = course.time, batchStart - start >= time { return }
      let count = min(size, course.rounds - done)
      for place in 0..<count {
        enter(.make, done + place)
        course.make(place)
      }
      enter(.none, done)
      if let stuck = threads.run(Array(0..<count), patience: course.patience) {
        let interruption = RaceInterruption.actorsStuck(stuck.actors.map { $0 + 1 }, round: done + stuck.round + 1)
        return update { $0.interruption = interruption }
      }
      var outcomes: [Outcome] = []
      outcomes.reserveCapacity(count)
      for place in 0..<count {
        enter(.outcome, done + place)
        outcomes.append(course.outcome(place))
      }
      enter(.none, done)
      var isOver = false
      update { record in
        let known = record.tally.entries.count
        for place in 0..<count { record.tally.add(outcomes[place], round: done + place + 1) }
        record.rounds += count
        record.separatePairs = threads.separatePairs
        isOver = record.tally.entries[known...].contains { course.isLast($0.value) }
      }
      if isOver { return }
      done += count
      size = Self.size(after: count, took: ContinuousClock.now - batchStart)
    }
  }

  private func enter(_ step: Step, _ round: Int) {
    self.step.store((round + 1) << 2 | step.rawValue, ordering: .relaxed)
  }

  /// Changes the record outside of its lock, for it compares and hashes values of the user's.
  private func update(_ change: (inout Record) -> Void) {
    let taken = record.withLock { record in
      defer { record = nil }
      return record
    }
    guard var changed = taken else { return }
    change(&changed)
    record.withLock { [changed] in $0 = changed }
  }

  /// The size of the next batch: large, so that starting threads isn't what takes the time, but never so large that a
  /// race couldn't be stopped.
  private static func size(after size: Int, took time: Duration) -> Int {
    if time < .milliseconds(10) { return min(mostPlaces, size * 2) }
    if time > .milliseconds(50) { return max(16, size / 2) }
    return size
  }
}
