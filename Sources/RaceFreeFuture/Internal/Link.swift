// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What one future's outcome means for another: `source` resolves, `target` may follow.
///
/// Each side keeps one `Hook` in its `Links`, so that whichever future resolves or goes first takes the link off both
/// sides. The link itself keeps neither future alive; `Link.Keeping` says which *hook* does.
///
/// `@unchecked Sendable`: `hooks` is written by `connect` before either hook is published, and cleared by the one
/// thread that wins `isCut`; `isCounted` belongs to the lock of the target.
final class Link: @unchecked Sendable {
  /// What a source's outcome asks of the target.
  enum Rule {
    /// Cancelled → cancel.
    case cascade
    /// Completed → complete; cancelled → cancel.
    case follow
    /// Cancelled → cancel; completed → complete, if it was the last to do so.
    case all(Countdown)
    /// Completed → complete; cancelled → cancel, if it was the last to do so.
    case any(Countdown)
  }

  /// How many sources of a combined future are still pending.
  ///
  /// It belongs to the lock of that future, the target.
  final class Countdown: @unchecked Sendable {
    fileprivate var remaining: Int
    init(_ count: Int) { remaining = count }
  }

  /// Which side keeps the other alive while both are pending.
  enum Keeping {
    case nothing
    /// The source keeps the target: it may complete it.
    case target
    /// The target keeps the source.
    case source
  }

  private weak let source: Future?
  private weak let target: Future?
  private let rule: Rule
  private let isCut = Atomic(false)
  private var hooks: (source: Hook, target: Hook)?
  private var isCounted = false

  init(_ rule: Rule, from source: Future, to target: Future) {
    self.rule = rule
    self.source = source
    self.target = target
  }

  /// Links two futures.
  ///
  /// If the source is resolved already the target follows at once; if the target is, nothing is left behind.
  static func connect(_ rule: Rule, from source: Future, to target: Future, keeping: Keeping) {
    guard source !== target, !source.isImmortal, !target.isImmortal else { return }
    let link = Link(rule, from: source, to: target)
    let atSource = Hook(link, keeps: keeping == .target ? target : nil)
    let atTarget = Hook(link, keeps: keeping == .source ? source : nil)
    link.hooks = (atSource, atTarget)
    guard target.keep(atTarget, .incoming) else { return link.cut() }
    // The target may resolve and cut the link between these two lines; a hook of a cut link isn't taken in.
    if !source.keep(atSource, .outgoing) {
      if let resolution = source.resolution { target.follow(link, resolution) }
      link.cut()
    }
  }

  /// Whether it has been taken off.
  ///
  /// From then on neither future takes in its hooks.
  var isSevered: Bool { isCut.load(ordering: .acquiring) }

  /// The future that may follow, if it still is there.
  var follower: Future? { target }

  /// Takes the link off both futures.
  ///
  /// Any number of calls from anywhere have the effect of one. No lock may be held.
  func cut() {
    guard !isCut.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // `connect` stored the hooks before it published any, and only the winner of `isCut` comes here.
    guard let (atSource, atTarget) = hooks else { return }
    hooks = nil
    source?.drop(atSource, .outgoing)
    target?.drop(atTarget, .incoming)
  }

  /// What the source's outcome asks of the target.
  ///
  /// Called with the target locked; the answer is the same however often it is asked, so that two threads may walk the
  /// same links (law L11).
  func verdict(for resolution: Resolution) -> Resolution? {
    switch (rule, resolution) {
    case (.cascade, .completed): nil
    case (.cascade, .cancelled), (.follow, _), (.all, .cancelled), (.any, .completed): resolution
    case (.all(let countdown), .completed), (.any(let countdown), .cancelled):
      isLast(of: countdown) ? resolution : nil
    }
  }

  private func isLast(of countdown: Countdown) -> Bool {
    if !isCounted {
      isCounted = true
      countdown.remaining -= 1
    }
    return countdown.remaining == 0
  }
}

extension Future {
  /// Takes part in a link; false if there is nothing to wait for any more.
  fileprivate func keep(_ hook: Hook, _ end: Links.End) -> Bool {
    process { $0.link(hook, end) }
  }

  /// Lets go of a link.
  ///
  /// The caller still holds the hook, so that nothing is released in here.
  fileprivate func drop(_ hook: Hook, _ end: Links.End) {
    process { $0.unlink(hook, end) }
  }
}
