// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Defects
import Foundation
import Glibc

extension Defect {
  static var signals: [Defect] {
    [
      Defect(
        name: "ignored-chld",
        title: "Where the signal CHLD is ignored, a failed child is reported as a success.",
        about: "Processes/Children/ChildSignals.swift",
        look: { lookAtStatus { signal(SIGCHLD, SIG_IGN) } }
      ),
      Defect(
        name: "stolen-status",
        title: "If the program itself waits for the child, a failed child is reported as a success.",
        about: "Processes/Children/ProcessRunState.swift",
        look: lookAtStolenStatus
      ),
      Defect(
        name: "blocked-signals",
        title: "A child that is launched on a queue of Dispatch blocks nearly all signals, TERM among them.",
        about: "Processes/Children/ChildSignals.swift",
        known: "[foundation #4772](https://github.com/swiftlang/swift-corelibs-foundation/issues/4772), open",
        look: lookAtMask
      ),
      Defect(
        name: "ignored-signals",
        title: "A child ignores the signals that the program ignores.",
        about: "Processes/Children/ChildSignals.swift",
        look: lookAtIgnored
      ),
    ]
  }
}

/// Runs a child that exits with 3.
private func lookAtStatus(_ prepare: () -> Void) -> Finding {
  prepare()
  let process = makeProcess("/bin/sh", "-c", "exit 3")
  guard (try? process.run()) != nil else { return Finding(.gone, "the launch failed") }
  process.waitUntilExit()
  return finding(process)
}

private func finding(_ process: Process) -> Finding {
  let status = process.terminationStatus
  return status == 0
    ? Finding(.there, "a child that exited with 3 is reported with 0")
    : Finding(.gone, "a child that exited with 3 is reported with \(status)")
}

private func lookAtStolenStatus() -> Finding {
  for attempt in 1...100 {
    let process = makeProcess("/bin/sh", "-c", "exit 3")
    guard (try? process.run()) != nil else { return Finding(.unknown, "the launch failed") }
    var status: Int32 = 0
    // Foundation may be first.
    let isStolen = waitpid(process.processIdentifier, &status, 0) == process.processIdentifier
    process.waitUntilExit()
    guard isStolen else { continue }
    let result = finding(process)
    return Finding(result.verdict, "\(result.text) (attempt \(attempt))")
  }
  return Finding(.unseen, "in 100 attempts Foundation was first")
}

/// What a child, launched on a queue of Dispatch, says about itself in `/proc/self/status`.
private func signalsOfChild(_ name: String) -> Set<Int32>? {
  let output = FileManager.default.temporaryDirectory.path + "/platform-\(getpid())"
  _ = FileManager.default.createFile(atPath: output, contents: nil)
  defer { unlink(output) }
  let done = DispatchSemaphore(value: 0)
  DispatchQueue(label: "launches").async {
    let process = makeProcess("/bin/grep", name, "/proc/self/status")
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.terminationHandler = { _ in done.signal() }
    if (try? process.run()) == nil { done.signal() }
  }
  done.wait()
  guard let line = try? String(contentsOfFile: output, encoding: .utf8),
    let word = line.split(whereSeparator: \.isWhitespace).last,
    let bits = UInt64(word, radix: 16)
  else { return nil }
  return Set((1...64).filter { bits & (1 << (UInt64($0) - 1)) != 0 })
}

private func lookAtMask() -> Finding {
  guard let blocked = signalsOfChild("SigBlk") else { return Finding(.unknown, "the child said nothing") }
  return blocked.contains(SIGTERM)
    ? Finding(.there, "the child blocks \(blocked.count) signals")
    : Finding(.gone, "it blocks \(blocked.count), not TERM")
}

private func lookAtIgnored() -> Finding {
  signal(SIGTERM, SIG_IGN)
  guard let ignored = signalsOfChild("SigIgn") else { return Finding(.unknown, "the child said nothing") }
  return ignored.contains(SIGTERM)
    ? Finding(.there, "TERM, ignored here, is ignored by the child") : Finding(.gone, "TERM isn't ignored by the child")
}
