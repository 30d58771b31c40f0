// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureSubprocess
import RaceFreeFutureTesting
import Subprocess
import Testing

/// The suites of children, one after the other: those that start many, and look at what is left, want quiet.
@Suite(.serialized, .timeLimit(.minutes(5))) enum SubprocessTests {}

/// A shell that will run the script.
func shell(_ script: String, _ arguments: String...) -> Configuration {
  Configuration(executable: .name("sh"), arguments: Arguments(["-c", script, "sh"] + arguments))
}

/// What becomes of a run after its future has been decided.
final class LateResult: Sendable {
  private let future = ValueFuture<ChildResult>(label: "the late result")

  var onUndelivered: @Sendable (ChildResult) -> Void { { [future] in future.complete(with: $0) } }
  var isThere: Bool { future.isCompleted }
  /// How the child ended.
  var status: TerminationStatus { get async throws { try await future.value.status } }
}

/// Notices that a child has said something: that it has come so far.
final class FirstWords: Sendable {
  private let future = ValueFuture<String>(label: "the first words of a child")

  var output: ChildOutput { .pieces { [future] in future.complete(with: String(decoding: $0, as: UTF8.self)) } }
  var spoken: String { get async throws { try await future.value } }
}

/// An error of a test.
struct Reason: Error, Equatable {}

extension [TeardownStep] {
  /// The signal TERM to the group.
  static func terminate(allowing interval: Duration) -> [TeardownStep] {
    [.send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: interval)]
  }
}

/// Kills the process whose number a child has printed.
///
/// What is no such number kills nobody: 0 would be all processes around this one.
func killProcess(_ number: String) {
  if let number = pid_t(number.trimmingCharacters(in: .whitespacesAndNewlines)), number > 1 { kill(number, SIGKILL) }
}

/// True if a process has the number, and hasn't exited.
func isRunning(_ number: String) -> Bool {
  let stat = FileManager.default.contents(atPath: "/proc/\(number.filter(\.isNumber))/stat") ?? Data()
  return String(decoding: stat, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z") == false
}
