// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncAlgorithms

@Sendable func latestError() async -> String? {
  struct Failure: Error {}
  let (base, outer) = AsyncThrowingStream.makeStream(of: Int.self)
  let (values, inner) = AsyncThrowingStream.makeStream(of: Int.self)
  let consumer = Task {
    for try await _ in base.flatMapLatest({ _ in values }) {
      outer.finish(throwing: Failure())
      // At work; the error comes meanwhile.
      try await Task.sleep(for: .milliseconds(500))
    }
  }
  outer.yield(1)
  try? await Task.sleep(for: .milliseconds(500))
  inner.yield(1)
  do {
    try await consumer.value
    return "the loop ended as if the base had come to its end"
  } catch { return nil }
}
