// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A program that is wrong on purpose, with its repair, and the tools that look for the mistake.
struct Bug: Sendable {
  /// One of the two programs.
  enum Side: String, Sendable {
    case naive, fixed
  }

  let id: String
  let title: String
  /// The tools that can look for it, in the order of the table.
  let hunts: [Tool: @Sendable (Side) async -> Find]

  static let all = [
    ReentrantCache.bug, Overdraft.bug, LostWakeUp.bug, ResumedTwice.bug, CancelledBeforeStored.bug, Outliving.bug,
    LateRegistration.bug, EndedTwice.bug, LostHandler.bug, EmptiedTwice.bug, ClosedScreen.bug,
  ]
}
