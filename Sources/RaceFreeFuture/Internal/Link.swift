// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What one future's outcome means for another: when `source` resolves, `target` may follow, and perhaps the other way
/// round.
///
/// Each side keeps one `Hook` in its `Links`, so that whichever future resolves or goes first takes the link off both
/// sides. The link itself keeps neither future alive; `Link.Keeping` says which *hook* does.
///
/// `@unchecked Sendable`: `hooks` and `stage` are written by `connect` before either hook is published, and cleared by
/// the one thread that wins `isCut`; `isCounted` belongs to the lock of the target.
final class Link: @unchecked Sendable {
  /// What an outcome at one end asks of the future at the other.
  enum Rule {
    /// Cancelled → cancel.
    case cascade
    /// Completed or cancelled → cancel: it isn't needed any more.
    case dismiss
    /// Completed → complete; cancelled → cancel.
    case follow
    /// Cancelled → cancel; completed → complete, if it was the last to do so.
    case all(Countdown)
    /// Completed → complete; cancelled → cancel, if it was the last to do so.
    case any(Countdown)
  }

  enum End {
    case source, target
  }

  /// What it takes to resolve a target, as far as that is certain.
  enum Need {
    /// The target isn't made from the source: it may follow it, and may be resolved without it.
    case none
    /// The target isn't resolved before one of the sources that it needs so is.
    case any
    /// The target isn't resolved before all of the sources that it needs so are.
    case each
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

  /// For `WaitGraph` as well, which asks with the target locked, and hands what it gets out of the lock.
  weak let source: Future?
  private weak let target: Future?
  /// What the source's outcome asks of the target.
  private let forward: Rule?
  /// What the target's outcome asks of the source.
  private let backward: Rule?
  let need: Need
  /// A handler of the source that works for the target only, and is taken back when the target doesn't need it.
  private var stage: HandlerNode?
  private let isCut = Atomic(false)
  private var hooks: (source: Hook, target: Hook)?
  private var isCounted = false

  init(
    _ forward: Rule?,
    backward: Rule? = nil,
    from source: Future,
    to target: Future,
    need: Need = .none,
    stage: HandlerNode? = nil
  ) {
    self.forward = forward
    self.backward = backward
    self.need = need
    self.source = source
    self.target = target
    self.stage = stage
  }

  /// Links two futures.
  ///
  /// If either is resolved already the other one follows at once, and nothing is left behind.
  static func connect(
    _ forward: Rule?,
    backward: Rule? = nil,
    from source: Future,
    to target: Future,
    keeping: Keeping,
    need: Need = .none,
    stage: HandlerNode? = nil
  ) {
    guard source !== target, !source.isUnresolvable, !target.isUnresolvable else { return }
    let link = Link(forward, backward: backward, from: source, to: target, need: need, stage: stage)
    let atSource = Hook(link, .source, keeps: keeping == .target ? target : nil)
    let atTarget = Hook(link, .target, keeps: keeping == .source ? source : nil)
    link.hooks = (atSource, atTarget)
    guard target.keep(atTarget) else {
      if let resolution = target.resolution { source.follow(atTarget, resolution.handedOn(by: target)) }
      return link.cut(from: .target)
    }
    // The target may resolve and cut the link between these two lines; a hook of a cut link isn't taken in.
    if !source.keep(atSource) {
      if let resolution = source.resolution { target.follow(atSource, resolution.handedOn(by: source)) }
      link.cut(from: .source)
    }
  }

  /// Whether it has been taken off.
  ///
  /// From then on neither future takes in its hooks.
  var isSevered: Bool { isCut.load(ordering: .acquiring) }

  /// Takes the link off both futures.
  ///
  /// Any number of calls from anywhere have the effect of one. No lock may be held.
  func cut(from end: End) {
    guard !isCut.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // `connect` stored the hooks before it published any, and only the winner of `isCut` comes here.
    guard let (atSource, atTarget) = hooks else { return }
    hooks = nil
    // A source that has resolved runs the stage, or drops it, as any handler.
    if end == .target, let stage { source?.withdraw(stage) }
    stage = nil
    source?.drop(atSource)
    target?.drop(atTarget)
  }

  /// Whether the source's outcome may resolve the target.
  var mayResolveTarget: Bool { forward != nil || need != .none }

  func follower(of end: End) -> Future? {
    switch end {
    case .source: forward == nil ? nil : target
    case .target: backward == nil ? nil : source
    }
  }

  /// Whether the target waits for an outcome of the source.
  var hasDependent: Bool {
    switch forward {
    case .follow?, .all?, .any?: true
    case nil, .cascade?, .dismiss?: false
    }
  }

  /// The target, if it waits for an outcome of the source.
  var dependentTarget: Future? { hasDependent ? target : nil }

  /// Whether the source's outcome is the target's, whichever it is.
  var speaks: Bool {
    if case .follow? = forward { true } else { false }
  }

  /// Whether an outcome at one end may ask something of the future at the other; if not, `verdict` is nil.
  func concerns(_ outcome: Future.Outcome, at end: End) -> Bool {
    switch end == .source ? forward : backward {
    case nil: false
    case .cascade?: outcome == .cancelled
    case .dismiss?, .follow?, .all?, .any?: true
    }
  }

  /// What an outcome at one end asks of the future at the other.
  ///
  /// Called with the latter locked. It may be asked any number of times, so that two threads may walk the same links
  /// (law L11): an answer stays, except that nil may become the verdict which another link of the same countdown has
  /// given by then.
  func verdict(for resolution: Resolution, at end: End) -> Resolution? {
    guard let rule = end == .source ? forward : backward else { return nil }
    switch (rule, resolution.outcome) {
    case (.cascade, .completed):
      return nil
    case (.cascade, .cancelled), (.dismiss, .cancelled), (.follow, _), (.all, .cancelled):
      return resolution
    case (.dismiss, .completed):
      return .cancelled(CancellationError())
    case (.any, .completed):
      return .completed
    case (.all(let countdown), .completed):
      return isLast(of: countdown) ? .completed : nil
    case (.any(let countdown), .cancelled):
      return isLast(of: countdown) ? resolution : nil
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
  fileprivate func keep(_ hook: Hook) -> Bool {
    process { $0.link(hook) }
  }

  /// Lets go of a link.
  ///
  /// The caller still holds the hook, so that nothing is released in here.
  fileprivate func drop(_ hook: Hook) {
    process { $0.unlink(hook) }
  }

  /// Takes a handler back, unless it has started.
  func withdraw(_ node: HandlerNode) {
    if node.revoke() { _ = process { $0.remove(node) } }
  }
}
