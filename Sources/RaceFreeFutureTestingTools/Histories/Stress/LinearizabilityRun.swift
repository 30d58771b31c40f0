// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Takes histories of random programs until one can't be explained.
///
/// Runs on one thread, which sleeps while the actors act. `progress` and `program` are for the watchdog.
final class LinearizabilityRun<Subject: Sendable, Model: SequentialModel>: Sendable
where Model.Operation: Hashable, Model.Answer: Hashable {
  typealias Recorded = History<Model.Operation, Model.Answer>
  /// For each thread its calls.
  private typealias Program = [[Model.Operation]]
  private typealias Round = StressRound<Subject, Model.Operation, Model.Answer>
  private typealias Actors = ActorThreads<Round>

  struct Settings {
    var histories: Int
    var threads: Int
    var calls: Int
    var seed: UInt64
    var closing: [Model.Operation]
    /// In nanoseconds.
    var patience: UInt64
  }

  private let model: Model
  private let settings: Settings
  private let operations: [Model.Operation]
  private let make: @Sendable () -> Subject
  private let call: @Sendable (Subject, Model.Operation) -> Model.Answer
  private let lanes: [ActorLane]
  private let controller = ControllerLane()
  private let progress: StressProgress
  /// The place of each operation in the list.
  private let numbers: [Model.Operation: Int]
  private let shared = Locked<Shared>(Shared())

  private enum Phase { case making, acting, closing, judging }

  private struct Shared: Sendable {
    var counts = StressCounts()
    var program: Program = []
    var phase = Phase.making
    /// A number that changes with each phase.
    var phases = 0
  }

  /// The number of histories that are taken of a program before the next one is drawn.
  private static var batchSize: Int { 64 }

  init(
    model: Model,
    operations: [Model.Operation],
    settings: Settings,
    make: @escaping @Sendable () -> Subject,
    call: @escaping @Sendable (Subject, Model.Operation) -> Model.Answer
  ) {
    self.model = model
    self.operations = operations
    self.settings = settings
    self.make = make
    self.call = call
    lanes = (0..<settings.threads).map { _ in ActorLane() }
    progress = StressProgress(threads: settings.threads)
    numbers = Dictionary(zip(operations, operations.indices)) { first, _ in first }
  }

  /// Returns the note of a process that crashes meanwhile.
  func crashNote(_ name: String, again: String, file: String?) -> CrashNote {
    CrashNote(
      "the linearizability stress \"\(name)\"",
      unit: "history",
      again: again,
      file: file,
      names: lanes.indices.map { "T\($0)" },
      lanes: lanes,
      calls: (progress, operations.map { Wording.ofEnvironment.text($0) }),
      controller: controller
    )
  }

  var counts: StressCounts { shared.withLock { $0.counts } }

  /// A number that changes as long as there is progress; nil while the run is watched elsewhere, or needn't be.
  var activity: Int? {
    shared.withLock { $0.phase == .making || $0.phase == .closing ? $0.phases : nil }
  }

  /// The state of each thread.
  var whereabouts: [String] {
    let (program, phase) = shared.withLock { ($0.program, $0.phase) }
    let wording = Wording.ofEnvironment
    switch phase {
    case .making: return ["The test makes an object."]
    case .closing: return ["All threads are done; the test is in the calls that are made finally."]
    case .acting, .judging: break
    }
    let threads = lanes.map(\.systemNumber)
    let names = Dictionary(threads.enumerated().map { ($1, "T\($0)") }) { name, _ in name }
    return zip(program, progress.current).enumerated().map { thread, lane in
      let (calls, current) = lane
      guard let current, calls.indices.contains(current) else { return "T\(thread)  waits for the others" }
      let before = calls[..<current].map { wording.text($0) }.joined(separator: ", ")
      let name = wording.text(calls[current])
      let status = ThreadStatus(of: threads[thread], names).words
      return "T\(thread)  is in \(name)" + (before.isEmpty ? "" : ", after \(before)") + ", and \(status)"
    }
  }

  func run() -> StressEnding {
    var generator = SeededGenerator(seed: settings.seed)
    let actors = Actors(
      seed: generator.next(),
      actors: (0..<settings.threads).map { thread in
        { [progress, call] round in round.act(thread, progress, call) }
      },
      lanes: lanes
    )
    controller.belongsToThisThread()
    defer { actors.stop() }
    var counts = StressCounts()
    var programs: [Program: VerdictCache<Model>] = [:]
    // On a busy machine the threads may hardly have overlapped by then: they get more time.
    let (enough, most) = (max(1, settings.histories / 4), max(settings.histories * 5, 10_000))
    while counts.histories < settings.histories || counts.overlapping < enough && counts.histories < most {
      let program = draw(&generator)
      var cache = programs[program] ?? VerdictCache(model: model)
      let left = settings.histories - counts.histories
      let size = left > 0 ? min(Self.batchSize, left) : Self.batchSize
      switch take(size, of: program, actors, &generator, &cache, &counts) {
      case .stuck: return .stuck(whereabouts)
      case .failed(let history): return failure(shortest(history, actors, &generator, counts))
      case .explained: programs[program] = cache
      }
    }
    enter(.judging, counts, [])
    return .everyHistoryExplained
  }

  private enum BatchEnding {
    case explained
    case failed(Recorded)
    case stuck
  }

  /// Takes some histories of a program.
  private func take(
    _ size: Int,
    of program: Program,
    _ actors: Actors,
    _ generator: inout SeededGenerator,
    _ cache: inout VerdictCache<Model>,
    _ counts: inout StressCounts
  ) -> BatchEnding {
    enter(.making, counts, program)
    let numbers = program.map { $0.map { self.numbers[$0] ?? 0 } }
    let batch = (0..<size).map { _ in Round(make(), program, numbers, Round.delays(of: program, from: &generator)) }
    enter(.acting, counts, program)
    if actors.run(batch, patience: settings.patience) != nil { return .stuck }
    enter(.closing, counts, program)
    for round in batch { round.close(settings.closing, call) }
    enter(.judging, counts, program)
    defer { enter(.judging, counts, program) }
    for round in batch {
      let history = round.history
      switch cache.verdict(of: history, &counts) {
      case .notLinearizable: return .failed(history)
      case .undecided: counts.undecided += 1
      case .linearizable: break
      }
    }
    return .explained
  }

  /// Looks for a failure that is easier to understand: runs the program without one or another of its calls, as long as
  /// that fails as well.
  private func shortest(
    _ history: Recorded,
    _ actors: Actors,
    _ generator: inout SeededGenerator,
    _ counts: StressCounts
  ) -> Recorded {
    var best = history
    var isShorter = true
    while isShorter {
      isShorter = false
      // Histories from here aren't part of the reported coverage.
      var unreported = counts
      let program = program(of: best)
      search: for thread in program.indices {
        for call in program[thread].indices {
          var shorter = program
          shorter[thread].remove(at: call)
          var cache = VerdictCache(model: model)
          for _ in 0..<4 {
            switch take(Self.batchSize, of: shorter, actors, &generator, &cache, &unreported) {
            case .explained: continue
            case .stuck: return best
            case .failed(let shorter):
              best = shorter
              isShorter = true
              break search
            }
          }
        }
      }
    }
    enter(.judging, counts, [])
    return best
  }

  private func program(of history: Recorded) -> Program {
    (0..<settings.threads).map { thread in history.calls.filter { $0.thread == thread }.map(\.operation) }
  }

  private func enter(_ phase: Phase, _ counts: StressCounts, _ program: Program) {
    shared.withLock {
      $0.counts = counts
      $0.program = program
      $0.phase = phase
      $0.phases += 1
    }
    switch phase {
    case .making: controller.enter(.make, round: counts.histories)
    case .acting: controller.enter(.none, round: counts.histories)
    case .closing: controller.enter(.finally, round: counts.histories)
    case .judging: controller.enter(.model, round: counts.histories)
    }
  }

  /// Draws a program: from one call of each thread up to the allowed number.
  private func draw(_ generator: inout SeededGenerator) -> Program {
    (0..<settings.threads).map { _ in
      (0..<Int.random(in: 1...settings.calls, using: &generator)).map { _ in
        operations[Int.random(in: 0..<operations.count, using: &generator)]
      }
    }
  }

  private func failure(_ history: Recorded) -> StressEnding {
    let failure = HistoryFailure(history, model, budget: 1_000_000, closing: settings.threads, unit: " ns")
    let wording = Wording.ofEnvironment
    let words = failure.history.calls.map { call -> History<String, String>.Call in
      let name = wording.text(call.operation)
      guard let answer = call.answer, let ended = call.ended else {
        return History<String, String>.Call(thread: call.thread, name, begun: call.begun)
      }
      return History<String, String>.Call(
        thread: call.thread,
        name,
        answer: wording.text(answer),
        begun: call.begun,
        ended: ended
      )
    }
    return .failed(History<String, String>(words), failure.words)
  }
}
