// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The result of a linearizability stress.
///
/// The programs depend on the seed alone, the hardware's timing doesn't: it may take some runs to reproduce a failure.
public struct LinearizabilityReport: TestReport, PicturedReport {
  /// Passed if every history could be explained, and enough had calls that overlapped.
  public let verdict: TestVerdict

  /// The number of histories.
  public let histories: Int

  /// The number of different histories: in their programs, their answers, or the order of their calls.
  public let differentHistories: Int

  /// The number of histories in which calls of different threads overlapped.
  public let overlappingHistories: Int

  /// The seed from which the programs were drawn.
  public let seed: UInt64

  /// The calls that can't be explained, with their operations and answers in words; nil if there are none.
  ///
  /// The smallest part found of the first failing history that still shows the failure.
  public let counterexample: History<String, String>?

  /// The verdict, the counts, the failure in diagrams and words, and the way to run it again.
  public let description: String

  /// The calls that can't be explained, as a picture.
  package let page: ReportPage?
}
