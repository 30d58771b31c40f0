// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncAlgorithms

@Sendable func latestCancelled() async -> String? {
  let (base, source) = AsyncStream.makeStream(of: Int.self)
  let (ends, end) = AsyncStream.makeStream(of: Bool.self)
  source.onTermination = { _ in end.yield(true) }
  let consumer = Task {
    for await _ in base.flatMapLatest({ _ in AsyncStream<Int> { _ in } }) {}
  }
  try? await Task.sleep(for: .milliseconds(200))
  consumer.cancel()
  await consumer.value
  // With `base` alone, or with `base.map`, the stream is told at once.
  try? await Task.sleep(for: .seconds(1))
  end.yield(false)
  return await ends.first { _ in true } == true ? nil : "a second after its end the base was still being read"
}
