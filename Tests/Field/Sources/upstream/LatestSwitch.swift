// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncAlgorithms

@Sendable func latestSwitch() async -> String? {
  let (base, outer) = AsyncStream.makeStream(of: Int.self)
  let consumer = Task {
    // Each number once, after which its sequence stays open; of 2 nothing comes.
    for await number in base.flatMapLatest({ number in AsyncStream { if number != 2 { $0.yield(number) } } }) {
      if number == 3 { return true }
      outer.yield(2)
      // At work.
      try? await Task.sleep(for: .milliseconds(500))
    }
    return false
  }
  outer.yield(1)
  try? await Task.sleep(for: .seconds(1))
  outer.yield(3)
  try? await Task.sleep(for: .seconds(1))
  consumer.cancel()
  return await consumer.value ? nil : "a second after 3 its sequence hadn't been asked for anything"
}
