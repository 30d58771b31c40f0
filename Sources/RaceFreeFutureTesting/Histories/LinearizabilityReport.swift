// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What a linearizability stress found out.
///
/// The programs depend on the seed alone, the hardware's timing doesn't: to meet the same failure again may take some
/// runs.
public struct LinearizabilityReport: TestReport {
  /// Whether every history could be explained, and some had calls that overlapped.
  public let passed: Bool

  /// How many histories were taken.
  public let histories: Int

  /// How many of them were different: in their programs, their answers, or in which calls came before which.
  public let differentHistories: Int

  /// In how many of them calls of different threads overlapped.
  public let overlappingHistories: Int

  /// From which the programs were drawn.
  public let seed: UInt64

  /// The calls that can't be explained, with their operations and answers in words; nil if there are none.
  ///
  /// As few of the first failing history's as still show it.
  public let counterexample: History<String, String>?

  /// The verdict, what was looked at, the failure in pictures and words, and how to run it again.
  public let description: String
}

/// What is counted during a stress.
struct StressCounts {
  var histories = 0
  var different = 0
  var overlapping = 0
  var undecided = 0
}

/// How the run of a stress ended.
enum StressEnding {
  case everyHistoryExplained
  /// A history has no explanation.
  case failed(history: History<String, String>, text: String)
  /// An operation didn't return: what each thread was doing.
  case stuck(threads: [String], after: Duration)
}

extension LinearizabilityReport {
  init(
    _ name: String,
    _ ending: StressEnding,
    _ counts: StressCounts,
    threads: Int,
    calls: Int,
    seed: UInt64,
    wording: Wording = .ofEnvironment
  ) {
    self.seed = seed
    histories = counts.histories
    differentHistories = counts.different
    overlappingHistories = counts.overlapping

    let share = counts.histories == 0 ? 0 : counts.overlapping * 100 / counts.histories
    let coverage =
      "\(counted(counts.histories, "histor", "y", "ies")), \(counts.different.grouped) different, "
      + (counts.overlapping > 0 && share == 0 ? "less than 1 % " : "\(share) % ") + "with overlapping calls"
    let again = """
      Programs of \(threads) threads, up to \(calls) calls each, drawn from the seed. The hardware's timing can't be repeated.
      To run the same programs again: \(seedVariable)=\(seed) (or seed: \(seed))
      """
    switch ending {
    case .failed(let history, let text):
      passed = false
      counterexample = history
      description = "FAILED: \(name) is not linearizable \(wording.dash) found in \(coverage)\n\(text)\n\n\(again)"
    case .stuck(let whereabouts, let patience):
      passed = false
      counterexample = nil
      let lines = whereabouts.map { "  \($0)" }.joined(separator: "\n")
      description = """
        STUCK: \(name): nothing has happened for \(patience) \(wording.dash) after \(coverage)
        A call doesn't return. Where the threads are:
        \(lines)

        \(again)
        """
    case .everyHistoryExplained where counts.undecided > 0:
      passed = false
      counterexample = nil
      description = """
        UNDECIDED: is \(name) linearizable? \(wording.dash) \(coverage)
        Of \(counted(counts.undecided, "histor", "y", "ies")) the search was given up. Take fewer threads or calls.
        \(again)
        """
    case .everyHistoryExplained where counts.overlapping == 0:
      passed = false
      counterexample = nil
      description = """
        UNDECIDED: is \(name) linearizable? \(wording.dash) \(coverage)
        No two calls ever overlapped, so nothing was tested: take more histories, or a machine with more cores.
        \(again)
        """
    case .everyHistoryExplained:
      passed = true
      counterexample = nil
      description = "PASSED: \(name) is linearizable \(wording.dash) \(coverage)\n\(again)"
    }
  }
}

/// A number with the word that it counts, in its two forms.
private func counted(_ number: Int, _ stem: String, _ one: String, _ several: String) -> String {
  "\(number.grouped) \(stem)\(number == 1 ? one : several)"
}
