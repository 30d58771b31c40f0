// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The counts of a stress.
struct StressCounts: Sendable {
  var histories = 0
  var different = 0
  var overlapping = 0
  var undecided = 0
}

/// The end of the run of a stress.
enum StressEnding: Sendable {
  case everyHistoryExplained
  /// A history has no explanation: its calls, and a text about them.
  case failed(History<String, String>, HistoryWords)
  /// A call didn't return: the state of each thread.
  case stuck([String])
}

extension LinearizabilityReport {
  init(
    _ name: String,
    _ ending: StressEnding,
    _ counts: StressCounts,
    planned: Int,
    course: String,
    requires: RequiredExtent = .warning,
    seed: UInt64,
    function: String,
    wording: Wording = .ofEnvironment
  ) {
    self.seed = seed
    histories = counts.histories
    differentHistories = counts.different
    overlappingHistories = counts.overlapping
    if case .failed(let history, _) = ending { counterexample = history } else { counterexample = nil }

    let share = counts.histories == 0 ? 0 : Double(counts.overlapping) / Double(counts.histories)
    let least = Int((requires.overlap * Double(planned)).rounded(.up))
    let headline: String
    let text: String
    switch ending {
    case .failed(_, let failure):
      verdict = .failed
      headline = "FAILED  \(name) is not linearizable"
      text = failure.description + "\n"
    case .stuck(let whereabouts):
      verdict = .failed
      headline = "FAILED  a call to \(name) doesn't return"
      text =
        "Where everybody is, and stays:\n" + whereabouts.map { wording.shortened("  \($0)", to: 110) + "\n" }.joined()
    case .everyHistoryExplained where counts.undecided > 0:
      verdict = .inconclusive
      headline = "INCONCLUSIVE  is \(name) linearizable?"
      text = "The search was given up for \(Self.number(counts.undecided)): take fewer threads or calls."
    case .everyHistoryExplained where counts.overlapping < least:
      verdict = .inconclusive
      headline = "INCONCLUSIVE  is \(name) linearizable?"
      text =
        "\(Self.number(counts.overlapping)) had calls that overlapped, and \(grouped(least)) are required: take more "
        + "histories, or a machine that has time for the threads."
    case .everyHistoryExplained:
      verdict = .passed
      headline = "PASSED  nothing found: \(name)"
      let rate = max(1, counts.overlapping / 3)
      text =
        "Each history is explained by an order of its calls. What goes wrong in 1 of \(grouped(rate)) that overlap, or more "
        + "often, would have been found with a probability of 95 %."
    }
    let again = "again: \(commandToRepeat(seed: seed, function: function))"
    page = if case .failed(_, let words) = ending { words.page(of: name, headline, again: again) } else { nil }
    description = """
      \(wording.shortened(headline, to: 110))
      \(Self.number(counts.histories)) of \(course); \(grouped(counts.different)) different, \
      \(percent(share)) with overlapping calls.
      \(text)
      The programs come from the seed. The timing of the hardware isn't repeatable: it may take some runs.
      \(again)
      """
  }

  private static func number(_ histories: Int) -> String {
    histories == 1 ? "1 history" : "\(grouped(histories)) histories"
  }
}
