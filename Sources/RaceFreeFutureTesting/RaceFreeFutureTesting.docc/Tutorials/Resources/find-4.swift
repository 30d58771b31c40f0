import RaceFreeFutureTesting
import Synchronization
import Testing

/// A job that ends once: the first call of `end` ends it.
final class Job: Sendable {
  private let over = Mutex(false)

  /// Ends the job, and returns true if it was this call that did.
  func end() -> Bool {
    over.withLock { isOver in
      guard !isOver else { return false }
      isOver = true
      return true
    }
  }
}

@Test func aJobEndsOnce() async throws {
  await race(
    "end against end",
    .init(endsAtFirstFailure: false),
    make: { Job() },
    actors: { $0.end() },
    { $0.end() },
    outcome: { _, first, second in "\(first) \(second)" },
    expect: [
      .acceptable("true false", "the first one ended it"),
      .acceptable("false true", "the second one ended it"),
      .forbidden("true true", "both ended it"),
    ]
  )
}
