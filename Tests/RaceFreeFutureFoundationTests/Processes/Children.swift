// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureFoundation
  import RaceFreeFutureTesting
  import Synchronization
  import TestSupport
  import Testing

  /// A shell that has not been started and will run the script.
  func shell(_ script: String, _ arguments: String...) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh"] + arguments
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// A process whose launch waits in the middle.
  final class Launching: Process, @unchecked Sendable {
    let begun = Gate("the launch has begun")
    let goOn = Gate("the launch may go on")

    init(_ path: String, _ arguments: String...) {
      super.init()
      executableURL = URL(fileURLWithPath: path)
      self.arguments = arguments
    }

    override func run() throws {
      begun.open()
      goOn.wait()
      try super.run()
    }
  }

  /// What becomes of a run after its future has been decided: the result that nobody receives, or none.
  final class LateResult: Sendable {
    private let future = ValueFuture<ProcessResult?>(label: "the late result")
    private let calls = Atomic(0)

    var onUndelivered: @Sendable (ProcessResult?) -> Void {
      { [self] in
        calls.add(1, ordering: .relaxed)
        future.complete(with: $0)
      }
    }

    /// Waits until the child has exited and everything is closed.
    var result: ProcessResult { get async throws { try #require(try await end) } }

    /// Waits until the run is over; nil if nothing was started.
    var end: ProcessResult? { get async throws { try await future.value(within: .seconds(3_600)) } }

    var isThere: Bool { count > 0 }

    /// How often it was told.
    var count: Int { calls.load(ordering: .relaxed) }
  }

  /// Notices that a child has said something: that it has come so far.
  final class FirstWords: Sendable {
    private let future = ValueFuture<String>(label: "the first words of a child")

    var output: ProcessOutput {
      .streamed { [future] in future.complete(with: String(decoding: $0, as: UTF8.self)) }
    }

    var spoken: String { get async throws { try await future.value(within: .seconds(3_600)) } }
  }

  /// Kills the process whose number a child has printed.
  ///
  /// What is no such number kills nobody: 0 would be all processes around this one.
  func killProcess(_ number: String) {
    if let number = pid_t(number.trimmingCharacters(in: .whitespacesAndNewlines)), number > 1 { kill(number, SIGKILL) }
  }

  #if os(Linux) || os(Android)
    /// Returns true if the process whose number a child has printed runs: one that has ended doesn't, even if nobody has
    /// asked for its status.
    func isRunning(_ number: String) -> Bool {
      let number = number.trimmingCharacters(in: .whitespacesAndNewlines)
      let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
      // The state follows the name of the program, which is in parentheses.
      guard let status, let name = status.lastIndex(of: ")") else { return false }
      return !["Z", "X"].contains(status[name...].dropFirst(2).prefix(1))
    }
  #endif

  extension ProcessResult {
    var output: String { String(decoding: standardOutput, as: UTF8.self) }
    var error: String { String(decoding: standardError, as: UTF8.self) }
  }

  extension ValueFuture {
    /// The value, or an error instead of a test that hangs.
    var inTime: Value { get async throws { try await value(within: .seconds(3_600)) } }
  }
#endif
