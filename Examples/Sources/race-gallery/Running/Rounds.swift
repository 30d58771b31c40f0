// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// The rounds of one program, run in a process of their own, because some end it.
enum Rounds {
  /// Runs them and writes a line `rounds failures` after each of them, before the next one starts.
  ///
  /// Ends the process: with `hung` in the last line if a round doesn't end.
  static func run(_ program: Pattern.Program, rounds: Int, patience: Duration) async -> Never {
    let progress = Progress()
    startWatchdog(progress, patience)
    var failures = 0
    for round in 1...rounds {
      if await program() { failures += 1 }
      progress.round.store(round, ordering: .relaxed)
      write("\(round) \(failures)\n")
    }
    exit(0)
  }

  /// Starts a thread of its own, since those of the pool may be stuck.
  private static func startWatchdog(_ progress: Progress, _ patience: Duration) {
    Thread.detachNewThread {
      var before = -1
      while true {
        Thread.sleep(forTimeInterval: patience / .seconds(1))
        let now = progress.round.load(ordering: .relaxed)
        if now == before {
          write("hung\n")
          _exit(0)
        }
        before = now
      }
    }
  }

  private static func write(_ line: String) { FileHandle.standardOutput.write(Data(line.utf8)) }

  private final class Progress: Sendable {
    let round = Atomic(0)
  }
}
