// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Takes histories of random programs until one can't be explained.
///
/// Runs on one thread, which sleeps while the actors act. `progress` and `program` are for the watchdog.
final class LinearizabilityRun<Subject: Sendable, Model: SequentialModel>: Sendable
where Model.Operation: Hashable, Model.Answer: Hashable {
  typealias Recorded = History<Model.Operation, Model.Answer>

  struct Settings {
    var histories: Int
    var threads: Int
    var calls: Int
    var seed: UInt64
    var closing: [Model.Operation]
  }

  private let model: Model
  private let settings: Settings
  private let operations: [Model.Operation]
  private let make: @Sendable () -> Subject
  private let call: @Sendable (Subject, Model.Operation) -> Model.Answer
  let progress: StressProgress
  private let shared = Locked<Shared>(Shared())

  private enum Phase { case making, acting, closing, judging }

  private struct Shared: Sendable {
    var counts = StressCounts()
    var program: [[Model.Operation]] = []
    var phase = Phase.making
    /// Changes with each phase.
    var phases = 0
  }

  /// So many histories are taken of a program before the next one is drawn.
  private static var batchSize: Int { 64 }
  /// How many times the model may be asked about one history.
  private static var budget: Int { 200_000 }

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
    progress = StressProgress(threads: settings.threads)
  }

  var counts: StressCounts { shared.withLock { $0.counts } }

  /// A number that changes as long as something happens; nil while histories are judged, which may take its time.
  var activity: Int? {
    let (phase, phases) = shared.withLock { ($0.phase, $0.phases) }
    return phase == .judging ? nil : phases &+ progress.total
  }

  /// What each thread is doing.
  var whereabouts: [String] {
    let (program, phase) = shared.withLock { ($0.program, $0.phase) }
    let wording = Wording.ofEnvironment
    switch phase {
    case .making: return ["The test makes an object."]
    case .closing: return ["All threads are done; the test is in the calls that are made finally."]
    case .acting, .judging: break
    }
    return zip(program, progress.current).enumerated().map { thread, lane in
      let (calls, current) = lane
      guard let current, calls.indices.contains(current) else { return "T\(thread)  waits for the others" }
      let before = calls[..<current].map { wording.text($0) }.joined(separator: ", ")
      let name = wording.text(calls[current])
      return "T\(thread)  is in \(name)" + (before.isEmpty ? "" : ", after \(before)")
    }
  }

  func run() -> StressEnding {
    var generator = SeededGenerator(seed: settings.seed)
    var counts = StressCounts()
    var programs: [[[Model.Operation]]: Verdicts] = [:]
    let actors = ActorThreads<StressRound<Subject, Model.Operation, Model.Answer>>(
      seed: generator.next(),
      actors: (0..<settings.threads).map { thread in
        { [progress, call] round in round.act(thread, progress, call) }
      }
    )
    defer { actors.stop() }
    var rounds: [StressRound<Subject, Model.Operation, Model.Answer>] = []
    while counts.histories < settings.histories {
      let program = draw(&generator)
      enter(.making, counts, program)
      let size = min(Self.batchSize, settings.histories - counts.histories)
      while rounds.count < size { rounds.append(StressRound(threads: settings.threads)) }
      let batch = Array(rounds[..<size])
      for round in batch { round.renew(make(), program) }
      enter(.acting, counts, program)
      actors.run(batch)
      enter(.closing, counts, program)
      for round in batch { round.close(settings.closing, call) }
      enter(.judging, counts, program)
      var verdicts = programs[program] ?? Verdicts()
      for round in batch {
        let history = round.history
        counts.histories += 1
        switch verdicts.verdict(of: history, against: model, budget: Self.budget, &counts) {
        case .notLinearizable:
          enter(.judging, counts, program)
          return failure(history)
        case .undecided: counts.undecided += 1
        case .linearizable: break
        }
      }
      programs[program] = verdicts
    }
    enter(.judging, counts, [])
    return .everyHistoryExplained
  }

  private func enter(_ phase: Phase, _ counts: StressCounts, _ program: [[Model.Operation]]) {
    shared.withLock {
      $0.counts = counts
      $0.program = program
      $0.phase = phase
      $0.phases += 1
    }
  }

  /// A program: from one call of each thread to as many as are allowed.
  private func draw(_ generator: inout SeededGenerator) -> [[Model.Operation]] {
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
    return .failed(history: History<String, String>(words), text: failure.description)
  }

  /// The verdicts of one program's histories.
  ///
  /// What counts is which answers were given, and which calls came before which. Of that there are few kinds, so that
  /// most histories needn't be searched.
  private struct Verdicts {
    private var known: [Kind: LinearizabilityVerdict] = [:]

    private struct Kind: Hashable {
      let answers: [Model.Answer?]
      /// For each call a bit for each other one that had ended before it began.
      let earlier: [UInt64]
      let overlaps: Bool
    }

    mutating func verdict(
      of history: Recorded,
      against model: Model,
      budget: Int,
      _ counts: inout StressCounts
    ) -> LinearizabilityVerdict {
      let kind = Self.kind(history.calls)
      if kind.overlaps { counts.overlapping += 1 }
      if let verdict = known[kind] { return verdict }
      counts.different += 1
      let verdict = history.verdict(against: model, budget: budget)
      known[kind] = verdict
      return verdict
    }

    private static func kind(_ calls: [Recorded.Call]) -> Kind {
      var related = 0
      let earlier = calls.indices.map { index -> UInt64 in
        var bits: UInt64 = 0
        for other in calls.indices where calls[other].precedes(calls[index]) {
          bits |= 1 << UInt64(other)
          related += 1
        }
        return bits
      }
      // In a history without overlaps one of each two calls is earlier.
      let pairs = calls.count * (calls.count - 1) / 2
      return Kind(answers: calls.map(\.answer), earlier: earlier, overlaps: related < pairs)
    }
  }
}
