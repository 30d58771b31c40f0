// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

extension Explorer {
  /// Reports an order that failed, which is run once more to draw it.
  func failedReport(_ ended: Ended, _ coverage: Coverage, _ found: String) -> Exploration {
    let isDrawn = !ended.run.recorder.rows.isEmpty
    // A shorter order was found without waiting for others: this run shows whether they come after all.
    let drawn = isDrawn ? ended : replay(ended.trail.chosen)
    var failure = ended.failure ?? .noActors
    if failure.isOfSubject {
      // Reported as it was when it was drawn: then more is known.
      failure =
        drawn.failure.flatMap { $0.isOfSubject ? $0 : nil }
        ?? .notTheSame(failure.sentence, departure: ended.departure ?? drawn.departure)
    }
    // An order that was drawn at once is the only one that is to be run.
    let deciding = isDrawn || !failure.isOfSubject ? nil : deciding(in: drawn)
    return report(failure, in: drawn, deciding: deciding, coverage, found)
  }

  /// Reports a failure; without a run there is no order to show.
  func report(
    _ failure: OrderFailure,
    in drawn: Ended?,
    deciding: (step: Int, passing: [Int])? = nil,
    _ coverage: Coverage,
    _ found: String
  ) -> Exploration {
    let chosen = drawn?.trail.chosen ?? []
    let order = OrderText.text(chosen)
    var lines = [verdict("FAILED", found), failure.sentence].flatMap(wrapped)
    var picture: OrderPicture?
    if let drawn, !chosen.isEmpty {
      lines.append("")
      let diagram = OrderDiagram(of: drawn, deciding: deciding?.step)
      var (isRepeatable, hint) = (true, "to run it alone, give explore as its second argument:")
      if case .notTheSame = failure { isRepeatable = false }
      if isOfTest { hint = "to run it alone, give explored as its argument:" }
      hint = isRepeatable ? "this order is the same each time; \(hint)" : "this order, when it was run again; \(hint)"
      let (drawing, pointer) = (diagram.lines(marksLast: isRepeatable), diagram.style.pointer)
      lines += drawing
      if drawing.contains(where: { $0.drop { $0 == " " }.hasPrefix("\(pointer) ") }) {
        lines += ["", "\(pointer) decides: no later choice was found that avoids the failure"]
      }
      let legend = legend(drawn.run.recorder)
      if !legend.isEmpty { lines += [""] + legend }
      lines += ["", hint, ".replay(\"\(order)\")"]
      // Run once more to draw it, as the one that fails was.
      let passing = deciding.map { replay($0.passing) }.flatMap { $0.failure == nil ? OrderDiagram(of: $0) : nil }
      picture = OrderPicture(
        name: name,
        texts: (verdict("FAILED", found), failure.sentence),
        failing: diagram,
        marksLast: isRepeatable,
        passing: passing,
        legend: legend,
        again: "\(hint) .replay(\"\(order)\")"
      )
    }
    return Exploration(
      name: name,
      failure: failure.sentence,
      orders: coverage.orders,
      redundant: coverage.redundant,
      isComplete: false,
      order: chosen.isEmpty ? nil : order,
      steps: chosen.count,
      uncontrolled: coverage.departure,
      description: lines.joined(separator: "\n"),
      picture: picture
    )
  }

  /// Returns where the primitives were made that the steps of a diagram use, as far as they fit.
  private func legend(_ recorder: OrderRecorder) -> [String] {
    let texts = recorder.rows.map(\.text)
    let used = recorder.places.filter { name, _ in
      texts.contains { text in
        text.firstRange(of: name).map { text[$0.upperBound...].first?.isNumber != true } ?? false
      }
    }
    if used.isEmpty || used.count > 8 { return [] }
    return used.map { "\($0.name): \($0.place)" }
  }

  /// Reports that no failure was found.
  func passedReport(_ coverage: Coverage) -> Exploration {
    let orders = times(coverage.orders, "order")
    var conditions: [String] = []
    // Where tasks act, others could act in the middle of their steps.
    if case .body = subject { conditions.append(Self.interruptions) }
    conditions += SearchRule.allCases.filter(coverage.rules.contains).map(\.words)
    let all = conditions.isEmpty ? "all that there are" : "all in which \(conditions.joined(separator: " and "))"
    let part = part.map { " of part \($0.number) of \($0.count)" } ?? ""
    var covered = "\(orders)\(part), \(all), of at most \(times(coverage.longest, "step"))"
    if coverage.isReduced, coverage.isComplete {
      covered += "; those that differ only in steps which touch nothing in common count as one"
      if case .body = subject { covered += ", if the tasks share only actors and primitives of Explored, as stated" }
    }
    if let departure = coverage.departure {
      covered = "\(orders); nobody knows how many there are, because control was left: \(departure)"
    } else if !coverage.isComplete {
      let inOrder = coverage.orders - coverage.random
      var parts: [String] = []
      if coverage.allForced >= 0, !coverage.isReduced {
        parts.append("all with at most \(forcedSwitches(coverage.allForced))")
      }
      if inOrder > 0, maxSwitches.map({ coverage.allForced < $0 }) ?? true {
        parts.append("\(grouped(inOrder)) with the fewest switches")
      }
      if coverage.random > 0 { parts.append(atRandom(coverage)) }
      if coverage.byPriority > 0 {
        let bound = coverage.mostLines * coverage.longest
        parts[parts.count - 1] +=
          ", \(grouped(coverage.byPriority)) of them by priorities: a \(coverage.hasWays ? "sixth" : "third") of these show a mistake in the order of two "
          + "steps with a probability of at least 1 in \(grouped(bound)) each"
      }
      if let apart = coverage.apart {
        parts.append(
          "and \(apart == 1 ? "the only one" : "all \(grouped(apart))") that can be told apart if the tasks share only actors "
            + "and primitives of Explored (if they do, write scenario.sharesOnlyActorsAndExplored() at the beginning)"
        )
      }
      covered = "\(orders)\(part), not all that there are: \(parts.joined(separator: ", "))"
      if coverage.isOutOfTime { covered += "; then the time was up" }
      if coverage.goesOn { covered += ", and the next run goes on from here" }
    }
    if coverage.earlier > 0 { covered += "; \(grouped(coverage.earlier)) of them were run earlier" }
    return passedReport(coverage, covered)
  }

  private func atRandom(_ coverage: Coverage) -> String {
    let words = "\(grouped(coverage.random)) at random with seed \(seed)"
    let different = coverage.drawn.count
    return different == coverage.random ? words : "\(words) (\(grouped(different)) different ones)"
  }

  /// The points at which a step of a body is interrupted.
  ///
  /// A release build has fewer of them: the compiler removes hops that seem to change nothing.
  static let interruptions: String = {
    #if DEBUG
      let build = "debug"
    #else
      let build = "release"
    #endif
    let unseen = RuntimeControl.interrupts ? "real atomics" : "real locks and atomics"
    let ofRuntime = RuntimeControl.interrupts ? "hops, continuations, cancellations, their handlers, " : ""
    let points = "\(ofRuntime)the making and resuming of tasks, and Explored's primitives"
    return "no step is interrupted but at \(points) (\(build) build; \(unseen) aren't seen)"
  }()

  func passedReport(_ coverage: Coverage, _ covered: String) -> Exploration {
    var reasons: [String] = []
    if !coverage.points.areEnough {
      reasons.append(withoutPoints(coverage.points.uninterrupted.map { "\"\($0)\"" }))
      if !RuntimeControl.drives {
        reasons.append(
          "Real locks and queues of Dispatch aren't driven here: that takes Linux, no sanitizer, and nobody else who defines "
            + "their functions."
        )
      }
    }
    let (twice, once) = (untried(twice: true, coverage), untried(twice: false, coverage))
    if let twice { reasons.append(twice) }
    let hasLeft = coverage.hasLeft && coverage.departure != nil
    if hasLeft {
      reasons.append(
        "What others than the explorer run is in no order but that which happened to be: replace it in the test, or let "
          + "race try it."
      )
    }
    let hasNothingToVary = isOfTest && !coverage.hasChoices
    if hasNothingToVary {
      reasons.append(
        "Nothing in it could vary: there was never more than one task that could continue. It says what an ordinary "
          + "test says."
      )
    }
    let missing = isOfTasks ? PointProbe.missing : []
    if !missing.isEmpty {
      reasons.append(
        "With this toolchain these points are lost: \(missing.joined(separator: ", ")). Nobody acts there, so what goes wrong "
          + "between is found by luck."
      )
    }
    let isLate = coverage.isOutOfTime && !coverage.goesOn && !coverage.isComplete && coverage.orders < coverage.required
    if isLate {
      reasons.append(
        "The time was up after \(times(coverage.orders, "order")), and \(grouped(coverage.required)) are required: that "
          + "nothing was found shows nothing."
      )
    }
    let lines: [String] =
      [verdict(reasons.isEmpty ? "passed" : "INCONCLUSIVE", covered)]
      + (reasons.isEmpty ? [once].compactMap(\.self) : reasons)
    return Exploration(
      name: name,
      failure: nil,
      orders: coverage.orders,
      redundant: coverage.redundant,
      isComplete: coverage.isComplete,
      order: nil,
      steps: coverage.longest,
      uncontrolled: coverage.departure,
      hasPoints: coverage.points.areEnough,
      isConclusive: !isLate && missing.isEmpty && twice == nil && !hasNothingToVary && !hasLeft,
      description: lines.flatMap(wrapped).joined(separator: "\n")
    )
  }

  /// Returns what wasn't tried because real locks are no points.
  private func untried(twice: Bool, _ coverage: Coverage) -> String? {
    let titles = coverage.points.untried(twice: twice, isComplete: coverage.isComplete)
    if titles.isEmpty { return nil }
    let words =
      twice
      ? "each used real locks in one step, and no order was tried in which one acts between two uses of another. Use"
      : "used real locks in one step; if more than once, no order was tried in which another one acts in between. "
        + "Better use"
    return "\(list(titles)): \(words) those of Explored (Explored.Mutex, Explored.Atomic), or race."
  }

  /// The report of an exploration of tasks that wasn't begun.
  var unknownRuntimeReport: Exploration {
    notBegun(
      "this toolchain isn't known",
      ", so exploring tasks is off",
      "Its runtime keeps tasks in another way than those that this version of RaceFreeFutureTesting was written for. "
        + "Races, histories and clocks aren't affected, nor explorations of steps and threads."
    )
  }

  /// The report of a test whose body wasn't found.
  var unknownTestReport: Exploration {
    notBegun(
      "this version of Swift Testing isn't known",
      ", so the test ran once, in the order that happened to be",
      "It keeps the body of a test elsewhere than those that this version of RaceFreeFutureTesting was written for. Call "
        + "exploreTasks in the test instead."
    )
  }

  private func notBegun(_ reason: String, _ consequence: String, _ more: String) -> Exploration {
    Exploration(
      name: name,
      failure: nil,
      orders: 0,
      isComplete: false,
      order: nil,
      steps: 0,
      uncontrolled: reason,
      hasPoints: false,
      description: [verdict("INCONCLUSIVE", reason + consequence), more].flatMap(wrapped).joined(separator: "\n")
    )
  }

  private func list(_ titles: [String]) -> String {
    titles.prefix(4).joined(separator: ", ") + (titles.count > 4 ? ", …" : "")
  }

  private func withoutPoints(_ titles: [String]) -> String {
    "\(list(titles)): \(titles.count == 1 ? "it" : "each") ran from its beginning to its end in one step, so nothing was "
      + "tried in between. Real locks and atomics aren't points where others may act: use those of Explored "
      + "(Explored.Mutex, Explored.Atomic), or race."
  }

  /// Returns the place in the search where an order was found.
  func found(in coverage: Coverage, forced: Int?) -> String {
    let number = "order \(grouped(coverage.orders))"
    guard let forced else { return "\(number), drawn at random with seed \(seed)" }
    if forced == 0 { return "\(number), in which each continues as long as it can" }
    return "\(number), with \(forced == 1 ? "1 switch" : "\(forced) switches") from one that could have continued"
  }

  private func forcedSwitches(_ count: Int) -> String { "\(grouped(count)) forced switch\(count == 1 ? "" : "es")" }

  private func verdict(_ verdict: String, _ rest: String) -> String { "explore \"\(name)\" \(verdict): \(rest)" }

  /// Returns a text in lines that fit.
  private func wrapped(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).flatMap { wrappedLine(String($0)) }
  }

  private func wrappedLine(_ text: String) -> [String] {
    text.onOneLine.split(separator: " ", omittingEmptySubsequences: false).reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= 110, last.count > 0 || lines.count == 1 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}
