import RaceFreeFutureTesting
import Synchronization
import Testing

/// A piece of work that ends once: whoever comes first ends it.
final class Job: Sendable {
  private let over = Mutex(false)

  var isOver: Bool { over.withLock { $0 } }

  /// Whether this very call ended it.
  func end() -> Bool {
    guard !isOver else { return false }
    over.withLock { $0 = true }
    return true
  }
}

@Test func aJobEndsOnce() async throws {
  try await race(
    "end against end",
    endsAtFirstFailure: false,
    make: { Job() },
    actors: { $0.end() },
    { $0.end() },
    outcome: { _, first, second in "\(first) \(second)" },
    expect: [
      .acceptable("true false", "the first one ended it"),
      .acceptable("false true", "the second one ended it"),
      .forbidden("true true", "both ended it"),
    ]
  ).verify()
}
