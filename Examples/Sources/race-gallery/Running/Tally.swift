// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

/// The results of the rounds of one program.
struct Tally: Sendable, Equatable, CustomStringConvertible {
  enum End: Sendable, Equatable {
    case finished, hung, trapped
  }

  /// The number of rounds that were begun.
  var rounds = 0
  var failures = 0
  var end = End.finished

  /// Makes a tally from the output of a child: a line `rounds failures` for each round that it ended, and perhaps
  /// `hung`.
  init(output: String, isTrapped: Bool) {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    if lines.last == "hung" {
      lines.removeLast()
      end = .hung
    } else if isTrapped {
      end = .trapped
    }
    let numbers = lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
    if numbers.count == 2 { (rounds, failures) = (numbers[0], numbers[1]) }
    // The round that ended the child.
    if end != .finished { (rounds, failures) = (rounds + 1, failures + 1) }
  }

  /// Adds the rounds of another run, which is the last.
  static func += (total: inout Tally, run: Tally) {
    total.rounds += run.rounds
    total.failures += run.failures
    total.end = run.end
  }

  var description: String {
    switch end {
    case .finished: "\(failures) of \(rounds) rounds failed"
    case .hung: "hung in round \(rounds)"
    case .trapped: "trapped in round \(rounds)"
    }
  }

  /// Runs a program in a child of this process, and counts.
  static func run(_ pattern: Pattern, _ side: Side, rounds: Int) async throws -> Tally {
    let child = Process()
    child.executableURL = Bundle.main.executableURL
    child.arguments = ["--program", "\(pattern.id).\(side)", "--rounds", "\(rounds)"]
    // A trap is expected here, and needs no backtrace.
    child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let run = child.runFuture(error: .discarded, stopping: [.send(.kill)])
    let result = try await run.value
    let isTrapped = result.terminationReason == .uncaughtSignal
    guard isTrapped || result.terminationStatus == 0 else { throw ProcessExitError(result: result) }
    return Tally(output: String(decoding: result.standardOutput, as: UTF8.self), isTrapped: isTrapped)
  }
}
