// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncAlgorithms

@Sendable func shareLeak() async -> String? {
  let (ends, end) = AsyncStream.makeStream(of: Bool.self)
  func consume() async {
    let numbers = AsyncStream<Int> {
      $0.onTermination = { _ in end.yield(true) }
      $0.yield(1)
    }
    // Without `.share()` the stream is released at the end.
    for await _ in numbers.share() { break }
  }
  await consume()
  try? await Task.sleep(for: .seconds(1))
  end.yield(false)
  return await ends.first { _ in true } == true ? nil : "a second after the loop its base was alive"
}
