// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// While one call of an actor is suspended, the actor serves others: each finds the cache empty.
enum ReentrantCache {
  static let bug = Bug(id: "A1", title: "An actor's cache loads twice", async: program)

  private actor Cache {
    private var images: [String: Int] = [:]
    private var loading: [String: Task<Int, Never>] = [:]
    private(set) var loads = 0

    private func load(_ name: String) async -> Int {
      loads += 1
      try? await Task.sleep(for: .milliseconds(1))
      return name.count
    }

    func naive(_ name: String) async -> Int {
      if let image = images[name] { return image }
      let image = await load(name)
      images[name] = image
      return image
    }

    func fixed(_ name: String) async -> Int {
      if let image = loading[name] { return await image.value }
      let image = Task { await load(name) }
      loading[name] = image
      return await image.value
    }
  }

  @Sendable private static func program(_ side: Bug.Side) async -> String? {
    let cache = Cache()
    @Sendable func image() async -> Int { side == .naive ? await cache.naive("cat") : await cache.fixed("cat") }
    async let one = image()
    async let two = image()
    _ = await (one, two)
    let loads = await cache.loads
    return loads == 1 ? nil : "loaded \(loads) times"
  }
}
