import Synchronization

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
