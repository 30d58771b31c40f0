// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import OpenCombine

@Sendable func zipGone() async -> String? {
  for _ in 1...200_000 {
    let both = Both()
    DispatchQueue.concurrentPerform(iterations: 2) { both.subjects[$0].send(completion: .finished) }
  }
  return nil
}

/// Each thread uses a subject of its own, and subjects are meant for several threads.
private final class Both: @unchecked Sendable {
  let subjects = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
  private let kept: AnyCancellable
  init() { kept = subjects[0].zip(subjects[1]).sink { _ in } }
}
