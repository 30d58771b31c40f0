// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

/// A small asynchronous program as people write them: right, or with a mistake that some order shows.
struct AsyncProgram: Sendable, CustomTestStringConvertible {
  let name: String
  /// How the report begins; nil: the program is right.
  let failure: String?
  let body: @Sendable @concurrent (TaskScenario) async throws -> Void

  init(
    _ name: String,
    fails failure: String? = nil,
    _ body: @escaping @Sendable @concurrent (TaskScenario) async throws -> Void
  ) {
    self.name = name
    self.failure = failure
    self.body = body
  }

  var testDescription: String { name }

  func explored(_ search: Search) async -> Exploration {
    var search = search
    search.seed = 1
    return await exploreTasks(name, search, body: body)
  }
}

/// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
@Suite(.serialized) struct AsyncProgramTests {
  @Test(.withoutRecording, arguments: rightPrograms)
  func `A program without a mistake passes`(program: AsyncProgram) async {
    let report = await program.explored(.exhaustive(maxOrders: iterations(300)))
    // Without a conclusion where each task has a single step.
    #expect(report.verdict != .failed, "\(report)")
    #expect(report.uncontrolled == nil)
  }

  @Test(.withoutRecording, arguments: wrongPrograms)
  func `A program with a mistake fails for the right reason, and again when replayed`(program: AsyncProgram) async {
    let report = await program.explored(.exhaustive(maxOrders: 1_500))
    #expect(report.failure?.contains(program.failure ?? "") == true, "\(report)")
    let again = await program.explored(.replay(report.order ?? ""))
    #expect(again.failure == report.failure, "\(again)")
  }

  static let rightPrograms =
    RightPrograms.actors + RightPrograms.tasks + RightPrograms.continuations + RightPrograms.streamsAndTime
    + AppPrograms.all
  static let wrongPrograms = WrongPrograms.all
}
