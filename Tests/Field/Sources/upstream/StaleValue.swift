// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import OpenCombine

@Sendable func staleValue() async -> String? {
  for round in 1...200_000 {
    let both = Both()
    DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? both.follow() : both.subject.send(2) }
    if both.last != 2 { return "in round \(round) 2 was sent, and the subscriber's last value was \(both.last)" }
  }
  return nil
}

/// The subject, which is meant for several threads, calls its subscriber on one of them at a time.
private final class Both: @unchecked Sendable {
  let subject = CurrentValueSubject<Int, Never>(1)
  private(set) var last = 0
  private var kept: AnyCancellable?
  func follow() { kept = subject.sink { self.last = $0 } }
}
