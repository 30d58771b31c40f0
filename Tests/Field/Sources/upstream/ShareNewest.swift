// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncAlgorithms

@Sendable func shareNewest() async -> String? {
  let (stream, source) = AsyncStream.makeStream(of: Int.self)
  let shared = stream.share(bufferingPolicy: .bufferingLatest(1))
  let idle = shared.makeAsyncIterator()
  let reader = Task {
    var got: [Int] = []
    for await number in shared { got.append(number) }
    return got
  }
  for number in 1...3 {
    try? await Task.sleep(for: .milliseconds(200))
    source.yield(number)
  }
  source.finish()
  // The policy is there so that `idle`, which never reads, loses elements, and nobody else.
  let got = await reader.value
  withExtendedLifetime(idle) {}
  return got == [1, 2, 3] ? nil : "of 1, 2 and 3 the consumer that reads got \(got)"
}
