// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The links by which a deadline may reach the source from the target.

extension FutureMachine {
  /// What is known of deadlines that pass this future on their way from the targets of its links to its sources.
  ///
  /// Most of the futures that were created from one have no deadline, and pass none on: a source doesn't visit them. A
  /// target tells its sources when it gets a deadline of its own, or a second source whose deadlines it passes on to the
  /// first, or is told the same by a target of its own. That holds for good.
  struct DeadlineLinks: OptionSet {
    let rawValue: UInt8
    /// Some link of which this future is the source may bring a deadline.
    static let behind = DeadlineLinks(rawValue: 1)
    /// All links by which this future's cancellation reaches a source may bring it a deadline.
    static let passedOn = DeadlineLinks(rawValue: 2)
  }

  /// Returns the links by which this future's own deadline, or that of another source, reaches a source; empty if they
  /// are known.
  mutating func bringers() -> [Link] {
    guard deadlineLinks.insert(.passedOn).inserted else { return [] }
    var found: [Link] = []
    sources.forEach { if $0.concerns(.cancelled, at: .target) { found.append($0) } }
    return found
  }

  /// Returns true if links of which this future is the target bring deadlines now that one was added: see ``bringers()``.
  ///
  /// The source doesn't have the link yet: what is known of it is noted in it, and the source takes it from there.
  func bringsDeadlines(with link: Link) -> Bool {
    if deadlineLinks.contains(.passedOn) {
      link.mayBringDeadline = link.concerns(.cancelled, at: .target)
      return false
    }
    // One of several whose cancellations aren't passed on one by one.
    if case .any = link.rule { return false }
    return link.nextSource != nil
  }

  /// Notes that a link of which this future is the source may bring a deadline; returns those by which it goes on.
  mutating func note(_ link: Link) -> [Link] {
    guard phase == .pending, !link.mayBringDeadline else { return [] }
    link.mayBringDeadline = true
    deadlineLinks.insert(.behind)
    return bringers()
  }
}

/// The deadlines of a future, the one that was set last first: one word, from which `DeadlineTimer` finds the others.
///
/// The reference that it doesn't retain is safe because a deadline is among the future's handlers, which keep it, as
/// long as it is here; both belong to the lock of the future.
@safe
struct DeadlineList {
  var newest: Unmanaged<HandlerNode>?

  var isEmpty: Bool { unsafe newest == nil }
}
