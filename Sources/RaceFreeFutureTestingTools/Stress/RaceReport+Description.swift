// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension RaceReport {
  /// The verdict, its reasons, a table of the outcomes and the way to run the race again, at most 60 lines.
  ///
  /// In plain ASCII if the environment (`LC_ALL`, `LC_CTYPE`, `LANG`) names an encoding that isn't UTF-8.
  public var description: String { description(in: .current) }

  func description(in style: TextStyle) -> String {
    var lines = [headline(style)]
    lines += reasons(style)
    lines += [""] + table(style)
    lines.append("")
    lines += notes
    lines.append("again: " + commandToRepeat(seed: seed, function: function))
    return lines.map { $0.clipped(to: 110, style) }.joined(separator: "\n")
  }

  // MARK: In words

  private func headline(_ style: TextStyle) -> String {
    let verdict = [.passed: "passed", .failed: "FAILED", .inconclusive: "INCONCLUSIVE"][self.verdict] ?? ""
    let name = name.onOneLine.clipped(to: 44, style)
    let overlapping = "\(percent(overlap)) \(actors == 2 ? "of them" : "of the pairs of calls") overlapping"
    let count = isCutShort ? "\(grouped(rounds)) of \(times(plannedRounds, "round"))" : times(rounds, "round")
    return "\(verdict)  \(name): \(count) in \(seconds(duration)), \(overlapping)"
  }

  /// The reasons of the failure, a sentence each.
  private func reasons(_ style: TextStyle) -> [String] {
    var sentences: [String] = []
    if let interruption {
      sentences.append(words(interruption))
      sentences += whereabouts.prefix(8).map { "  \($0)" }
    }
    for error in errors.prefix(3) {
      let first = error.count == 1 ? "in round" : "first in round"
      sentences.append(
        "Actor \(error.actor) threw \"\(error.error.onOneLine.clipped(to: 40, style))\" \(times(error.count, "time")), "
          + "\(first) \(grouped(error.firstRound)); nobody looked at the outcome."
      )
    }
    if errors.count > 3 { sentences.append("So it was with \(times(errors.count - 3, "other error")).") }
    if rounds == 0, interruption == nil { sentences.append("No round was run, so nothing is known.") }
    let failures = outcomes.filter { $0.verdict.isFailure }
    for outcome in failures.prefix(3) {
      let what = "\"\(text(outcome.value).clipped(to: 40, style))\""
      let rule = outcome.verdict == .forbidden ? "is forbidden" : "is not listed as acceptable"
      let meaning = outcome.meaning.isEmpty ? "" : " (\(outcome.meaning))"
      let first = outcome.count == 1 ? "in round" : "first in round"
      sentences.append(
        "\(what) \(rule)\(meaning), and came up \(times(outcome.count, "time")), \(first) \(grouped(outcome.firstRound))."
      )
    }
    if failures.count > 3 { sentences.append("So did \(times(failures.count - 3, "other outcome")).") }
    for expected in missing.prefix(3) {
      sentences.append("\"\(label(expected))\" was required to come up, and never did.")
    }
    if verdict == .inconclusive { sentences += lacks.map(words) }
    return sentences
  }

  private func words(_ interruption: RaceInterruption) -> String {
    let givenUp = "Given up after \(seconds(patience));"
    let left = "\(givenUp) its thread is left behind."
    switch interruption {
    case .actorsStuck(let actors, let round):
      let who = actors.map(String.init).joined(separator: " and ")
      return actors.count == 1
        ? "Actor \(who) didn't return in round \(grouped(round)). \(left)"
        : "Actors \(who) didn't return in round \(grouped(round)). \(givenUp) their threads are left behind."
    case .makeStuck(let round):
      return "make didn't return in round \(grouped(round)). \(left)"
    case .outcomeStuck(let round):
      return "outcome didn't return in round \(grouped(round)). \(left)"
    case .cancelled:
      return "The task that awaited the race was cancelled before its rounds were done."
    }
  }

  private func words(_ lack: Lack) -> String {
    switch lack {
    case .rounds:
      return "The time was up after \(percent(Double(rounds) / Double(plannedRounds))) of the rounds, and "
        + "\(percent(requires.rounds)) are required: that nothing was found shows nothing."
    case .overlap:
      return
        "\(percent(overlap, digits: 2)) overlapped, and \(percent(requires.overlap, digits: 2)) are required: that "
        + "nothing was found shows nothing."
    }
  }

  private var notes: [String] {
    var sentences: [String] = []
    if isCutShort, !lacks.contains(.rounds) { sentences.append("The time was up before all rounds were done.") }
    if !unseen.isEmpty {
      sentences.append("What never came up can't be vouched for: the stress was too weak, or it is impossible.")
    }
    if rounds > 0, cores < actors {
      sentences.append(
        "\(actors) actors on \(times(cores, "core")): they overlap only where the system interrupts one, so the share of "
          + "overlaps means little."
      )
    } else if rounds > 0, rounds < 100 {
      sentences.append("So few rounds tell nothing about how much the actors overlap.")
    }
    sentences.append(
      "The seed repeats pauses, pacing and cores. The timing of the hardware isn't repeatable: counts vary."
    )
    return sentences
  }

  // MARK: As a table

  private func table(_ style: TextStyle) -> [String] {
    var table = TextTable(
      columns: [
        .left(""), .left("outcome", 40), .right("count"), .right("share"), .left("verdict"), .left("meaning", 40),
      ]
    )
    // Failures are never left out in favor of other outcomes.
    let failuresFirst = outcomes.filter { $0.verdict.isFailure } + outcomes.filter { !$0.verdict.isFailure }
    let shown = outcomes.count <= 38 ? outcomes : Array(failuresFirst.prefix(36))
    for outcome in shown {
      table.add([
        mark(outcome.verdict, style), text(outcome.value), grouped(outcome.count), share(outcome),
        outcome.verdict.rawValue, outcome.meaning,
      ])
    }
    for expected in unseen.prefix(8) {
      table.add(["?", label(expected), "0", "never seen", expected.verdict.rawValue, expected.meaning])
    }
    var lines = table.lines(in: style)
    if shown.count < outcomes.count {
      let hidden = outcomes.reduce(0) { $0 + $1.count } - shown.reduce(0) { $0 + $1.count }
      lines.append("   and \(times(outcomes.count - shown.count, "other outcome")), in \(times(hidden, "round"))")
    }
    if unseen.count > 8 { lines.append("   and \(times(unseen.count - 8, "other outcome")), never seen") }
    return lines
  }

  private func mark(_ verdict: OutcomeVerdict, _ style: TextStyle) -> String {
    if verdict.isFailure { return style.cross }
    return verdict == .interesting ? "!" : ""
  }

  private func share(_ outcome: ObservedOutcome<Outcome>) -> String {
    outcome.share < 0.000_1 ? "1 in \(grouped(rounds / outcome.count))" : percent(outcome.share, digits: 2)
  }

  private func text(_ value: Outcome) -> String { readable(value).onOneLine }

  private func label(_ expected: ExpectedOutcome<Outcome>) -> String { expected.value.map(text) ?? expected.meaning }
}
