// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The stream is terminated before its listener has been registered, which then stays forever.
enum LateRegistration {
  static let bug = Bug(id: "A7", title: "A stream's listener that is never removed", async: program)

  private actor Hub {
    private var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
    private var gone: Set<Int> = []
    var count: Int { listeners.count }

    func add(_ number: Int, _ listener: AsyncStream<Int>.Continuation) { listeners[number] = listener }

    func addUnlessGone(_ number: Int, _ listener: AsyncStream<Int>.Continuation) {
      if gone.remove(number) == nil { listeners[number] = listener }
    }

    func remove(_ number: Int) { if listeners.removeValue(forKey: number) == nil { gone.insert(number) } }

    nonisolated func stream(_ number: Int, _ side: Bug.Side) -> AsyncStream<Int> {
      AsyncStream { continuation in
        continuation.onTermination = { _ in Task { await self.remove(number) } }
        Task {
          if side == .naive {
            await self.add(number, continuation)
          } else {
            await self.addUnlessGone(number, continuation)
          }
        }
      }
    }
  }

  @Sendable private static func program(_ side: Bug.Side) async -> String? {
    let hub = Hub()
    let listener = Task { for await _ in hub.stream(1, side) {} }
    await Task.yield()
    listener.cancel()
    await listener.value
    // Both have had their turn long before.
    try? await Task.sleep(for: .milliseconds(5))
    let count = await hub.count
    return count > 0 ? "\(count) listener stays" : nil
  }
}
