// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What one future's outcome means for another: when `source` resolves, `target` may follow, and perhaps the other way
/// round.
///
/// One object is the whole link. It stands in the source's list, among all that wait for its outcome, and in the
/// target's `SourceList`; each list keeps it, and each future's lock guards the place in its own list. There is no lock
/// of the link's own.
///
/// - **K1** One end is kept by the link (`kept`), the other one isn't. The latter is known by its address alone, which is
///   read and erased under the lock of the *kept* future, and erased there before the other one can go: a target erases
///   itself when it cuts its links (`cut`) or is torn down; for one that has cut none, because nobody waited for it, its
///   walk does (`isLastDone`); a source does when it is delivered (`pass`) or torn down. So whoever finds an address
///   under this lock finds memory that is still there, and `LiveReference` says whether it is still an object.
/// - **K2** A link is used up with the source's outcome. But it stays where it is until the target cuts it, or the source's
///   deliverer passes it, so that every walk finds its way along it as long as futures behind it may have to be told. One
///   that counts (`all`, `any`) is taken off the target at once: nobody finds anything behind it.
/// - **K3** Whoever takes the link out of the target's list owns what belongs to the target's side of it (in a `Stage`
///   the closure): while it is in the list, that is guarded by the target's lock.
/// - **K4** No two locks are held at once. So a link may be in one of the two lists only; `isDetached`, under the source's
///   lock, keeps one that the target has dropped from being taken in by the source later.
///
/// These rules make it `@unchecked Sendable`.
@safe
class Link: ListEntry, @unchecked Sendable {
  /// What the source's outcome asks of the target.
  enum Rule {
    /// Cancelled → cancel.
    case cascade
    /// Completed → complete; cancelled → cancel.
    case follow
    /// Cancelled → cancel; completed → complete, if it was the last to do so.
    case all(Countdown)
    /// Completed → complete; cancelled → cancel, if it was the last to do so.
    case any(Countdown)
    /// What the stage answers, at either outcome.
    case answer
    /// Cancelled → cancel; completed → what the stage answers.
    case answerCompletion
  }

  /// What the target's outcome asks of the source.
  enum Backward {
    case nothing
    /// Cancelled → cancel.
    case cascade
    /// Completed or cancelled → cancel: it isn't needed any more.
    case dismiss
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

  enum End {
    case source, target
  }

  /// How many sources of a combined future are still pending.
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

  /// The end that stays alive as long as the link is there.
  final let kept: Future
  /// The end that doesn't (K1).
  private final var unkept: LiveReference<Future>?
  final let keptEnd: End
  final let rule: Rule
  final let backward: Backward
  final let need: Need
  /// Whether the target has dropped the link; under the source's lock (K4).
  final var isDetached = false

  // The place in the target's list, under the target's lock.
  final var nextSource: Link?
  /// Not retained: a listed link is kept alive by the one before it.
  final var previousSource: Unmanaged<Link>?
  final var isAtTarget = false

  /// A link that isn't yet in any list: `connect` puts it there.
  init(
    _ rule: Rule,
    backward: Backward = .nothing,
    from source: Future,
    to target: Future,
    keeping keptEnd: End,
    need: Need = .none
  ) {
    self.rule = rule
    self.backward = backward
    self.keptEnd = keptEnd
    self.need = need
    kept = keptEnd == .source ? source : target
    unkept = LiveReference(keptEnd == .source ? target : source)
    super.init(.link)
  }

  /// The future at one end, unless it is gone; called with the kept one locked, if it is the other that is asked for.
  final func future(at end: End) -> Future? { end == keptEnd ? kept : unkept?.object }

  /// Erases the address of the end that isn't kept; called with the kept one locked.
  final func forget() { unkept = nil }

  /// Whether an outcome at one end asks something of the future at the other, as far as the rule goes.
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

  /// What the source's outcome asks of the target, with the latter locked; a link with a countdown is asked once.
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

  /// What the target's outcome asks of the source.
  final func backwardVerdict(for resolution: Resolution) -> Resolution? {
    switch backward {
    case .nothing: nil
    case .cascade: resolution.outcome == .cancelled ? resolution : nil
    case .dismiss: resolution.outcome == .cancelled ? resolution : .cancelled(CancellationError())
    }
  }

  /// Whether the target's outcome means nothing to the source.
  final var isOneWay: Bool {
    if case .nothing = backward { true } else { false }
  }

  /// Whether the source's outcome is the target's, whichever it is.
  final var speaks: Bool {
    if case .follow = rule { true } else { false }
  }

  /// Whether the target waits for an outcome of the source.
  final var hasDependent: Bool {
    if case .cascade = rule { false } else { true }
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
  private(set) var first: Link?

  var isEmpty: Bool { first == nil }

  mutating func prepend(_ link: Link) {
    link.isAtTarget = true
    link.nextSource = first
    unsafe first?.previousSource = Unmanaged.passUnretained(link)
    first = link
  }

  /// Takes out a link that is in this list and that the caller keeps alive.
  mutating func remove(_ link: Link) {
    link.isAtTarget = false
    unsafe link.nextSource?.previousSource = link.previousSource
    if link === first {
      first = link.nextSource
    } else {
      unsafe link.previousSource?._withUnsafeGuaranteedRef { $0.nextSource = link.nextSource }
    }
    link.nextSource = nil
    unsafe link.previousSource = nil
  }

  /// Takes the first link off.
  ///
  /// Taken to its end the list is released without recursion, however long it is (law L10).
  mutating func popFirst() -> Link? {
    guard let link = first else { return nil }
    first = link.nextSource
    link.nextSource = nil
    return link
  }

  func contains(where predicate: (Link) -> Bool) -> Bool {
    var link = first
    while let current = link {
      if predicate(current) { return true }
      link = current.nextSource
    }
    return false
  }

  func forEach(_ body: (Link) -> Void) {
    var link = first
    while let current = link {
      body(current)
      link = current.nextSource
    }
  }
}
