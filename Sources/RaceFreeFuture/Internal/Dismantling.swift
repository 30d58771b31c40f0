// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The end of a future that is dropped while it is pending: what it held is released piece by piece, not by recursion
// (law L10), and futures that were made from it learn that nothing will come (law L9). No lock is held.

extension Future {
  /// Releases what a pending future held that goes.
  func dismantle() {
    if Observation.isOn { Observation.tell(self, .abandoned) }
    var errands = Errands()
    var handlers = process { $0.dismantleHandlers() }
    while let node = handlers.next() {
      if let errand = node.abandon(throwing: AbandonedError(self)) { errands.append(errand) }
    }
    if let links = process({ $0.dismantleLinks() }) { Releases.release(links.cutAllAndKeep()) }
    errands.run()
  }
}

extension Links {
  /// Cuts every link like `cutAll`; the caller has the only references of its own to the futures that were kept.
  fileprivate func cutAllAndKeep() -> [Future] {
    var kept: [Future] = []
    cutAll { kept.append($0) }
    return kept
  }
}

extension HandlerNode {
  /// Releases a handler of a future that goes; returns what is to become of the future that a stage worked for.
  fileprivate func abandon(throwing error: @autoclosure () -> AbandonedError) -> Errand? {
    switch revokedWork() {
    case .stage(let stage)?:
      let resolution = Resolution.cancelled(error())
      return trigger == nil ? stage.run(resolution) : Errand(target: stage.target, resolution: resolution)
    default:
      return nil
    }
  }
}

/// Futures that nothing keeps any more but this: they are released by a loop.
///
/// The end of one may be the end of another that it kept, and so on along a chain. So the futures that go while a
/// thread is in the loop leave what they kept to that loop, instead of releasing it one frame deeper.
private enum Releases {
  /// What each thread in the loop has still to release, by the identity of the thread.
  private static let waiting = Locked<[UInt: [Future]]>([:])

  static func release(_ futures: consuming [Future]) {
    // Most often somebody else keeps them as well, as a parent is kept: then nothing goes here, and no loop is needed.
    let goesHere = futures.indices.contains { isKnownUniquelyReferenced(&futures[$0]) }
    guard goesHere else { return }
    let thread = ThreadIdentity.current.rawValue
    let isOutermost = waiting.withLock { [futures] waiting in
      defer { waiting[thread, default: []] += futures }
      return waiting[thread] == nil
    }
    // Before the loop: what the array still held would go after it, one frame deeper for each.
    _ = consume futures
    guard isOutermost else { return }
    while true {
      let future = waiting.withLock { waiting in
        let next = waiting[thread]?.popLast()
        if next == nil { waiting[thread] = nil }
        return next
      }
      // Released at the end of each turn, outside of the lock.
      guard future != nil else { return }
    }
  }
}
