// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A race between completion and cancellation that was published, as a naive program and as one with futures.
struct Pattern: Sendable {
  /// Runs a round, and returns true if it failed; a program that hangs or traps does so itself.
  typealias Program = @Sendable () async -> Bool

  let id: String
  let title: String
  /// The places of publication: owner/repository#number.
  let published: [String]
  /// The default number of rounds.
  let rounds: Int
  let naive: Program
  let ours: Program

  static let all = [
    R01LostCancellation.pattern, R02ResumedTwice.pattern, R03NeverResumed.pattern, R04LockInversion.pattern,
    R05HandlerCallsBack.pattern, R06BothFinish.pattern, R07TimeoutThatWaits.pattern, R08SearchAsYouType.pattern,
    R09CancelledBeforeStart.pattern, R10ClosedTwice.pattern, R11LostPermit.pattern, R12HandlersStay.pattern,
  ]
}

/// One of the two programs of a pattern.
enum Side: String, Sendable {
  case naive, ours
}
