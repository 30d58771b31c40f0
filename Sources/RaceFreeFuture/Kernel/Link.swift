// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A link between two futures: when `source` resolves, `target` may follow, and perhaps vice versa.
///
/// One object is the whole link. It is in the source's list, among all entries that wait for its outcome, and in the
/// target's `SourceList`; each list keeps it, and each future's lock guards the place in its own list. The link has no
/// lock of its own.
///
/// - **K1** Either end may be asked for at any time, by any thread. The link keeps one (`kept`), and of the other one
///   only the memory (`UnownedReference`): one that was released, or is being released, is nil.
/// - **K2** Every walk can follow a link while futures behind it may have to be notified. It is used up with the source's
///   outcome, but stays in place until the target cuts it, or the source's deliverer passes it. One that counts (`all`,
///   `any`) is removed from the target at once: there is nothing to find behind it.
/// - **K3** The thread that removes the link from the target's list owns the target's side of it. In a `Stage` that is
///   the closure. While the link is in the list, the target's lock guards it.
/// - **K4** No link stays behind. As no two locks are held at once, a link may be in only one of the two lists;
///   `isDetached`, under the source's lock, keeps a link that the target has dropped from being added by the source later.
///
/// These rules make it `@unchecked Sendable`.
@safe
class Link: ListEntry, @unchecked Sendable {
  /// The effect of the source's outcome on the target.
  enum Rule {
    /// Cancelled → cancel.
    case cascade
    /// Completed → complete; cancelled → cancel.
    case follow
    /// Cancelled → cancel; completed → complete, if it was the last to do so.
    case all(Countdown)
    /// Completed → complete; cancelled → cancel, if it was the last to do so.
    case any(Countdown)
    /// At either outcome the answer of the stage.
    case answer
    /// Cancelled → cancel; completed → the answer of the stage.
    case answerCompletion
  }

  /// The effect of the target's outcome on the source.
  enum Backward {
    case nothing
    /// Cancelled → cancel.
    case cascade
    /// Completed or cancelled → cancel: it is no longer needed.
    case dismiss
  }

  enum End {
    case source, target
  }

  /// The number of sources of a combined future that are still pending.
  ///
  /// It belongs to the lock of that future, the target.
  final class Countdown: @unchecked Sendable {
    private var remaining: Int
    init(_ count: Int) { remaining = count }

    /// Counts one source; true if it was the last.
    fileprivate func isLast() -> Bool {
      remaining -= 1
      return remaining == 0
    }
  }

  // There may be a million of them: what is small comes first, behind that of the superclass, and leaves no gaps.

  final let keptEnd: End
  final let backward: Backward
  /// True if the target has dropped the link; under the source's lock (K4).
  final var isDetached = false
  /// True if it is in the target's list; under the target's lock, as `later` and `previousSource` are.
  final var isAtTarget = false
  /// The end that stays alive as long as the link exists.
  final let kept: Future
  /// The end of which only the memory is kept (K1).
  private final let other: UnownedReference<Future>
  final let rule: Rule
  /// The links behind it in the target's list: a plain reference, as `rest` is, of which only `first` is used.
  final var later = SourceList()
  /// Not retained: a listed link is kept alive by the one before it.
  final var previousSource: Unmanaged<Link>?

  /// Creates a link that isn't in any list yet: `connect` adds it.
  init(
    _ rule: Rule,
    backward: Backward = .nothing,
    from source: Future,
    to target: Future,
    keeping keptEnd: End
  ) {
    self.rule = rule
    self.backward = backward
    self.keptEnd = keptEnd
    kept = keptEnd == .source ? source : target
    other = UnownedReference(keptEnd == .source ? target : source)
    super.init(.link)
  }

  // Not inlined: the compiler retains an object around an end that it inlines.
  @inline(never) deinit {}

  /// Returns the future at one end, unless it was released.
  final func future(at end: End) -> Future? { end == keptEnd ? kept : other.object }

  /// Returns true if, by its rule, an outcome at one end affects the future at the other.
  final func concerns(_ outcome: Future.Outcome, at end: End) -> Bool {
    switch end {
    case .source:
      switch rule {
      case .cascade, .answerCompletion: outcome == .cancelled
      case .follow, .all, .any: true
      case .answer: false
      }
    case .target:
      switch backward {
      case .nothing: false
      case .cascade: outcome == .cancelled
      case .dismiss: true
      }
    }
  }

  /// Returns the effect of the source's outcome on the target, with the latter locked; called once for a link with a
  /// countdown.
  final func verdict(for resolution: Resolution) -> Resolution? {
    switch (rule, resolution.outcome) {
    case (.follow, _), (.cascade, .cancelled), (.answerCompletion, .cancelled), (.all, .cancelled):
      return resolution
    case (.any, .completed):
      return .completed
    case (.all(let countdown), .completed):
      return countdown.isLast() ? .completed : nil
    case (.any(let countdown), .cancelled):
      return countdown.isLast() ? resolution : nil
    case (.cascade, .completed), (.answerCompletion, .completed), (.answer, _):
      return nil
    }
  }

  /// The effect of the target's outcome on the source.
  final func backwardVerdict(for resolution: Resolution) -> Resolution? {
    switch backward {
    case .nothing: nil
    case .cascade: resolution.outcome == .cancelled ? resolution : nil
    case .dismiss: resolution.outcome == .cancelled ? resolution : .cancelled(CancellationError())
    }
  }

  /// True if the target's outcome doesn't affect the source.
  final var isOneWay: Bool { backward == .nothing }

  /// True if any outcome of the source is the target's.
  final var decidesBoth: Bool {
    if case .follow = rule { true } else { false }
  }

  /// The stage, if it is one.
  final var stage: Stage? {
    switch rule {
    case .answer, .answerCompletion: unsafe unsafeDowncast(self, to: Stage.self)
    case .cascade, .follow, .all, .any: nil
    }
  }
}

/// The links by which a future depends on others: one word, as `EntryList` is.
@safe
struct SourceList {
  fileprivate(set) var first: Link?

  var isEmpty: Bool { first == nil }

  mutating func prepend(_ link: Link) {
    link.isAtTarget = true
    unsafe first?.previousSource = Unmanaged.passUnretained(link)
    link.later.first = first.take()
    first = link
  }

  /// Removes a link that is in this list and that the caller keeps alive.
  mutating func remove(_ link: Link) {
    link.isAtTarget = false
    let next = link.later.first.take()
    unsafe next?.previousSource = link.previousSource
    if link === first {
      first = next
    } else {
      unsafe link.previousSource?._withUnsafeGuaranteedRef { $0.later.first = next }
    }
    unsafe link.previousSource = nil
  }

  /// Removes the first link.
  ///
  /// By repeated calls a list of any length is released without recursion (law L10).
  mutating func popFirst() -> Link? {
    guard let link = first.take() else { return nil }
    first = link.later.first.take()
    return link
  }

  /// Calls the body with each link; it changes nothing in the list, which keeps all of them.
  @inline(__always)
  func forEach(_ body: (Link) -> Void) {
    var link = unsafe first.map(Unmanaged.passUnretained)
    while let current = unsafe link {
      unsafe current._withUnsafeGuaranteedRef {
        body($0)
        unsafe link = $0.later.first.map(Unmanaged.passUnretained)
      }
    }
  }

  /// Returns true if the condition holds for a link, and looks no further.
  func contains(where condition: (Link) -> Bool) -> Bool {
    var link = first
    while let current = link {
      if condition(current) { return true }
      link = current.later.first
    }
    return false
  }
}
