// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture
internal import Synchronization

/// The run of a race: three kinds of threads, none of them of the shared pool.
///
/// The actors' threads act. The controller makes the subjects and collects the outcomes while the actors sleep. The
/// watchdog sleeps, and checks the controller now and then; it returns the result.
final class RaceRun<Outcome: Hashable & Sendable>: Sendable {
  /// The parts of the race; the numbers are places in a batch.
  struct Course: Sendable {
    /// The title in the note of a process that crashes meanwhile.
    let title: String
    let again: String
    /// The file that gets the same note.
    let file: String?
    let rounds: Int
    let time: Duration?
    /// In nanoseconds.
    let patience: UInt64
    let seed: UInt64
    let make: @Sendable (Int) -> Void
    let actors: [RaceActor]
    let outcome: @Sendable (Int) -> RoundEnd<Outcome>
    /// Returns true if a round ends the race.
    let isLast: @Sendable (RoundEnd<Outcome>) -> Bool
  }

  /// The results so far.
  struct Record: Sendable {
    var tally = Tally<Outcome>()
    var thrown = Tally<Thrown>()
    var rounds = 0
    var separatePairs = 0
    /// True if the time was up before the rounds were done.
    var isCutShort = false
    var interruption: RaceInterruption?
    /// The state of the stuck threads.
    var whereabouts: [String] = []
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
      file: course.file,
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
      // Two checks during the same call.
      if now == before, let interruption = interruption(at: now) {
        isStopped.store(true, ordering: .relaxed)
        var record = self.record.withLock { $0 } ?? Record()
        record.interruption = interruption
        record.whereabouts = ["its thread \(ThreadStatus(of: controller.systemNumber).words)"]
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
    let threads = ActorThreads(seed: course.seed, actors: course.actors.map(\.act), lanes: lanes)
    defer { threads.stop() }
    let start = ContinuousClock.now
    var done = 0
    var size = 64
    while done < course.rounds {
      if isStopped.load(ordering: .relaxed) { return update { $0.interruption = .cancelled } }
      let batchStart = ContinuousClock.now
      // Even if this thread is late: a race with any time has some rounds.
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
        let whereabouts = whereabouts
        return update {
          $0.interruption = interruption
          $0.whereabouts = whereabouts
        }
      }
      var outcomes: [RoundEnd<Outcome>] = []
      outcomes.reserveCapacity(count)
      for place in 0..<count {
        controller.enter(.outcome, round: done + place)
        outcomes.append(course.outcome(place))
      }
      controller.enter(.none, round: done)
      var isOver = false
      update { record in
        let known = (outcomes: record.tally.entries.count, errors: record.thrown.entries.count)
        for (place, end) in outcomes.enumerated() {
          switch end {
          case .outcome(let outcome): record.tally.add(outcome, round: done + place + 1)
          case .thrown(let errors): for error in errors { record.thrown.add(error, round: done + place + 1) }
          }
        }
        record.rounds += count
        record.separatePairs = threads.separatePairs
        // An outcome that occurred before would have been the last one then.
        isOver =
          record.tally.entries[known.outcomes...].contains { course.isLast(.outcome($0.value)) }
          || record.thrown.entries[known.errors...].contains { course.isLast(.thrown([$0.value])) }
      }
      if isOver { return }
      done += count
      size = Self.size(after: count, worked: threads.processorTime, took: ContinuousClock.now - batchStart)
    }
  }

  /// The state of each actor's thread.
  private var whereabouts: [String] {
    let threads = lanes.map(\.systemNumber)
    let names = Dictionary(threads.enumerated().map { ($1, "actor \($0 + 1)") }) { name, _ in name }
    return lanes.indices.map { index in
      let isSuspended = course.actors[index].thread?.isIdle ?? false
      let words =
        isSuspended
        ? "waits for its task to be resumed"
        : lanes[index].isWaiting ? "waits for the others" : ThreadStatus(of: threads[index], names).words
      let round = lanes[index].round.map { " (round \(grouped($0)))" } ?? ""
      return "actor \(index + 1)\(round) \(words)"
    }
  }

  /// Changes the record outside of its lock, because that compares and hashes values of the user.
  private func update(_ change: (inout Record) -> Void) {
    let taken = record.withLock { record in
      defer { record = nil }
      return record
    }
    guard var changed = taken else { return }
    change(&changed)
    record.withLock { [changed] in $0 = changed }
  }

  /// The size of the next batch: large, so that starting threads doesn't dominate the time, but no longer than a thread
  /// that was woken keeps its core, and never so large that a race couldn't be stopped.
  ///
  /// Woken threads get their cores at once, and together, also on a busy machine; a millisecond or two later others have
  /// them. So what counts is the time that the actors had, not the time for which they waited.
  private static func size(after size: Int, worked: Duration, took time: Duration) -> Int {
    if worked > .milliseconds(4) || time > .milliseconds(200) { return max(16, size / 2) }
    if worked < .milliseconds(2) { return min(mostPlaces, size * 2) }
    return size
  }
}
