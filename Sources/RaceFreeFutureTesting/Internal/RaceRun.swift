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
    /// What a process says that dies meanwhile.
    let title: String
    let again: String
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
    /// Whether the time was up before the rounds were done.
    var isCutShort = false
    var interruption: RaceInterruption?
  }

  /// The most rounds of a batch.
  static var mostPlaces: Int { 2_048 }

  private let course: Course
  private let lanes: [ActorLane]
  private let controller = ControllerLane()
  /// Empty while the controller adds to it.
  private let record = Locked<Record?>(Record())
  private let isStopped = Atomic(false)
  private let finished = DispatchSemaphore(value: 0)

  init(_ course: Course) {
    self.course = course
    lanes = course.actors.map { _ in ActorLane() }
  }

  /// Runs the race to its end, or until the task is cancelled.
  func run() async -> Record {
    let note = CrashNote(
      course.title,
      again: course.again,
      names: lanes.indices.map { "actor \($0 + 1)" },
      lanes: lanes,
      controller: controller
    )
    CrashHandler.add(note)
    defer { CrashHandler.remove(note) }
    return await withTaskCancellationHandler {
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
      let now = controller.moment
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

  private func interruption(at moment: Int) -> RaceInterruption? {
    let (step, round) = ControllerLane.step(at: moment)
    return switch step {
    case .make: .makeStuck(round: round)
    case .outcome: .outcomeStuck(round: round)
    case .none, .finally, .model: nil
    }
  }

  // MARK: The controller

  private func control() {
    controller.belongsToThisThread()
    let threads = ActorThreads(seed: course.seed, actors: course.actors, lanes: lanes)
    defer { threads.stop() }
    let start = ContinuousClock.now
    var done = 0
    var size = 64
    while done < course.rounds {
      if isStopped.load(ordering: .relaxed) { return update { $0.interruption = .cancelled } }
      let batchStart = ContinuousClock.now
      // However late this thread gets its turn: a race that has time at all has some rounds.
      if let time = course.time, batchStart - start >= time, done > 0 || time <= .zero {
        return update { $0.isCutShort = true }
      }
      let count = min(size, course.rounds - done)
      for place in 0..<count {
        controller.enter(.make, round: done + place)
        course.make(place)
      }
      controller.enter(.none, round: done)
      if let stuck = threads.run(Array(0..<count), patience: course.patience) {
        let interruption = RaceInterruption.actorsStuck(stuck.actors.map { $0 + 1 }, round: done + stuck.round + 1)
        return update { $0.interruption = interruption }
      }
      var outcomes: [Outcome] = []
      outcomes.reserveCapacity(count)
      for place in 0..<count {
        controller.enter(.outcome, round: done + place)
        outcomes.append(course.outcome(place))
      }
      controller.enter(.none, round: done)
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
