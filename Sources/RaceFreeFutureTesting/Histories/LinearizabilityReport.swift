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
