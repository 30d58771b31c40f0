// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The result of ``checkLinearizability(_:of:against:budget:fileID:filePath:line:column:)``.
public struct HistoryReport<Operation: Sendable, Answer: Sendable>: TestReport, PicturedReport {
  /// The possibility that the calls were made one after the other; orders are indices into ``history``.
  public let linearizability: LinearizabilityVerdict

  /// The history that was checked.
  public let history: History<Operation, Answer>

  /// The calls that can't be explained: the smallest part found of the history that still shows it; nil for any other
  /// verdict.
  ///
  /// Each omitted call is irrelevant: the remaining calls would be impossible without it, and with any effect, time and
  /// answer of it. In a long history, earlier calls are omitted as well if they brought the object into one of the
  /// states from which the remaining calls are impossible.
  public let counterexample: History<Operation, Answer>?

  /// Passed if an order explains the history; inconclusive if the budget was used up, or if no calls overlapped: then there
  /// was only one order.
  public var verdict: TestVerdict {
    switch linearizability {
    case .linearizable: history.widest > 1 ? .passed : .inconclusive
    case .notLinearizable: .failed
    case .undecided: .inconclusive
    }
  }

  /// The verdict, and if it is a failure the calls in question: as a diagram, as a list, and in words.
  public let description: String

  /// The calls in question as a picture.
  package let page: ReportPage?

  init<Model: SequentialModel<Operation, Answer>>(
    _ name: String,
    _ history: History<Operation, Answer>,
    _ model: Model,
    budget: Int? = nil,
    wording: Wording = .ofEnvironment
  ) {
    let budget = budget ?? history.usualBudget
    self.history = history
    linearizability = history.verdict(against: model, budget: budget)
    let threads = Set(history.calls.map(\.thread)).count
    let size = "\(times(history.calls.count, "call")) of \(times(threads, "thread"))"
    switch linearizability {
    case .linearizable where history.widest < 2:
      counterexample = nil
      description = """
        INCONCLUSIVE  is \(name) linearizable? \(wording.dash) \(size)
        No two calls overlapped, so they were made one after the other: that the answers are right shows nothing more.
        """
    case .linearizable:
      counterexample = nil
      description = "PASSED  \(name) is linearizable \(wording.dash) \(size)"
    case .notLinearizable:
      let failure = HistoryFailure(history, model, budget: budget, wording: wording)
      counterexample = failure.history
      let headline = "FAILED  \(name) is not linearizable \(wording.dash) \(size)"
      description = "\(headline)\n\(failure.words.description)"
      page = failure.words.page(of: name, headline)
      return
    case .undecided:
      counterexample = nil
      description = """
        UNDECIDED  is \(name) linearizable? \(wording.dash) \(size)
        The budget of \(grouped(budget)) questions to the model is used up. Up to \(history.widest) calls overlap each \
        other,
        and the time that the search takes grows exponentially with this number: record shorter histories, divide the
        model into parts, or give a larger budget.
        """
    }
    page = nil
  }
}

/// A failing history: the relevant calls, and the text about them.
struct HistoryFailure<Operation: Sendable, Answer: Sendable> {
  let history: History<Operation, Answer>
  let words: HistoryWords

  init<Model: SequentialModel<Operation, Answer>>(
    _ whole: History<Operation, Answer>,
    _ model: Model,
    budget: Int,
    closing: Int? = nil,
    unit: String = "",
    wording: Wording = .ofEnvironment
  ) {
    var minimizer = HistoryMinimizer(model: model, budget: budget)
    history = minimizer.minimize(whole)
    let starts = minimizer.starts
    var search = LinearizabilitySearch(model: model, calls: history.calls, budget: budget, starts: starts)
    var longest: [Int] = []
    if case .notLinearizable(let order) = search.run() { longest = order }
    var explanation = Explanation(history, model: model, starts: starts, closing: closing, wording: wording)
    let reasons = explanation.lines(longest: longest).map { wording.shortened("  \($0)", to: 110) }
    let earlier = minimizer.earlier
    let omitted = whole.calls.count - earlier - history.calls.count
    let place = earlier == 0 ? "made one after the other" : "made behind the first \(grouped(earlier))"
    let title =
      omitted <= 0
      ? "No order of these calls, \(place), gives these answers:"
      : "No order of these calls, \(place), gives these answers, whatever the other "
        + "\(omitted == 1 ? "call" : "\(grouped(omitted)) calls") did:"
    words = HistoryWords(
      title: title,
      timeline: Timeline(history, closing: closing, unit: unit, wording: wording),
      picture: Timeline(history, closing: closing, unit: unit, wording: .unicode, width: .max, most: 200),
      reasons: reasons
    )
  }
}

extension History {
  /// The maximum number of calls that ran at the same time.
  var widest: Int {
    var events = calls.map { (time: $0.begun, change: 1) }
    for call in calls { if let ended = call.ended { events.append((ended, -1)) } }
    // Begins before ends at the same time.
    events.sort { ($0.time, -$0.change) < ($1.time, -$1.change) }
    var now = 0
    return events.reduce(0) { most, event in
      now += event.change
      return max(most, now)
    }
  }
}
