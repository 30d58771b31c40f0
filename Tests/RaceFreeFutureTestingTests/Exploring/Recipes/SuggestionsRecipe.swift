// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

/// Looks a text up when nothing has been typed for a while.
@MainActor final class Suggestions {
  private(set) var words: [String] = []
  private(set) var isLoading = false
  private var search: Task<Void, any Error>?
  private let clock: any Clock<Duration>
  private let find: @Sendable (String) async throws -> [String]

  init(
    clock: any Clock<Duration> = ContinuousClock(),
    find: @escaping @Sendable (String) async throws -> [String]
  ) {
    (self.clock, self.find) = (clock, find)
  }

  func type(_ text: String) {
    search?.cancel()
    search = Task {
      try await clock.sleep(for: .milliseconds(300))
      isLoading = true
      defer { isLoading = false }
      words = try await find(text)
    }
  }
}

@Suite(.explored(.once)) @MainActor struct SuggestionsTests {
  @Test func `only the last text is looked up`() async throws {
    let asked = Variable<[String]>([])
    let model = Suggestions { text in
      asked.value.append(text)
      try await Task.sleep(for: .seconds(2))
      return ["\(text)t", "\(text)r"]
    }
    model.type("c")
    try await Task.sleep(for: .milliseconds(200))
    model.type("ca")
    await settle()
    #expect(asked.value.isEmpty && !model.isLoading)

    try await Task.sleep(for: .milliseconds(300))
    await settle()
    #expect(asked.value == ["ca"] && model.isLoading)

    try await Task.sleep(for: .seconds(2))
    await settle()
    #expect(model.words == ["cat", "car"] && !model.isLoading)
  }
}
