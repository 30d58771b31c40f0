// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console
import FetchKit
import Foundation
import RaceFreeFuture
import Testing

/// Signals.
///
/// One test at a time, because a test of an exit blocks a thread of the pool until its process has ended.
@Suite(.serialized)
struct InterruptionTests {
  @Test func `the first signal cancels, and the process goes on`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let run = Future(label: "run")
      let interruptions = await Interruptions(cancelling: run.cancelToken) {}
      kill(getpid(), SIGINT)
      _ = await run.outcome
      interruptions.end()
      exit(run.cancellationReason as? Interruption == Interruption(signal: SIGINT) ? 7 : 1)
    }
  }

  @Test func `the second signal ends the process at once, and gives the terminal back`() async {
    let result = await #expect(processExitsWith: .exitCode(130), observing: [\.standardErrorContent]) {
      let run = Future(label: "run")
      let interruptions = await Interruptions(cancelling: run.cancelToken) { Output.standardError.write("restored") }
      kill(getpid(), SIGINT)
      _ = await run.outcome
      kill(getpid(), SIGINT)
      try await Future(label: "nothing").value
      interruptions.end()
    }
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.hasSuffix("restored") == true)
  }
}
