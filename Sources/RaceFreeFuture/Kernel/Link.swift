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
/// - **K2** Every walk can follow a link while futures behind it may have to be notified. It is used up with the
///   source's outcome, but stays in place until the target cuts it, or the source's deliverer passes it. One that
///   counts (`all`, `any`) is removed from the target at once: there is nothing to find behind it.
/// - **K3** The thread that removes the link from the target's list owns the target's side of it. Of a stage that is
///   one call of the closure. While the link is in the list, the target's lock guards it.
/// - **K4** No link stays behind. As no two locks are held at once, a link may be in only one of the two lists;
///   `isDetached`, under the source's lock, keeps a link that the target has dropped from being added by the source
///   later.
///
/// These rules make it `@unchecked Sendable`.
@safe
final class Link: @unchecked Sendable {
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
    /// At either outcome the answer of the target, a `DerivedFuture`, to its source of this number.
    case answer(Int32)
    /// Cancelled → cancel; completed → the answer of the target.
    case answerCompletion(Int32)
    /// Cancelled → cancel; completed → complete, in the turn of a stage.
    case relay
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

  // There may be a million of them: what is small comes first, and leaves no gaps.

  @safe @exclusivity(unchecked) var hook = Entry.Hook()
  @safe @exclusivity(unchecked) var standing = Entry.Standing.free
  let keptEnd: End
  let backward: Backward
  /// True if the target has dropped the link; under the source's lock (K4).
  var isDetached = false
  /// True if it is in the target's list; under the target's lock, as `later` and `previousSource` are.
  var isAtTarget = false
  /// The end that stays alive as long as the link exists.
  let kept: Future
  /// The end whose memory alone is kept (K1).
  private let other: UnownedReference<Future>
  let rule: Rule
  /// What is behind it in the target's list.
  var later = SourceList()
  /// Not retained: a listed link is kept alive by the one before it.
  var previousSource: Unmanaged<Link>?

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
  }

  // Not inlined: the compiler retains an object around an end that it inlines.
  @inline(never) deinit {}

  var isListed: Bool { standing == .listed || standing == .late }

  /// Returns the future at one end, unless it was released.
  func future(at end: End) -> Future? { end == keptEnd ? kept : other.object }

  /// Returns true if, by its rule, an outcome at one end affects the future at the other.
  func concerns(_ outcome: Future.Outcome, at end: End) -> Bool {
    switch end {
    case .source:
      switch rule {
      case .cascade, .answerCompletion, .relay: outcome == .cancelled
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
  func verdict(for resolution: Resolution) -> Resolution? {
    switch (rule, resolution.outcome) {
    case (.follow, _), (.cascade, .cancelled), (.answerCompletion, .cancelled), (.relay, .cancelled),
      (.all, .cancelled):
      return resolution
    case (.any, .completed):
      return .completed
    case (.all(let countdown), .completed):
      return countdown.isLast() ? .completed : nil
    case (.any(let countdown), .cancelled):
      return countdown.isLast() ? resolution : nil
    case (.cascade, .completed), (.answerCompletion, .completed), (.relay, .completed), (.answer, _):
      return nil
    }
  }

  /// The effect of the target's outcome on the source.
  func backwardVerdict(for resolution: Resolution) -> Resolution? {
    switch backward {
    case .nothing: nil
    case .cascade: resolution.outcome == .cancelled ? resolution : nil
    case .dismiss: resolution.outcome == .cancelled ? resolution : .cancelled(CancellationError())
    }
  }

  /// True if the target's outcome doesn't affect the source.
  var isOneWay: Bool { backward == .nothing }

  /// True if any outcome of the source is the target's.
  var decidesBoth: Bool {
    if case .follow = rule { true } else { false }
  }

  /// True if there is an answer to an outcome of the source; at the other one the target follows as with any link.
  func answers(_ outcome: Future.Outcome) -> Bool {
    switch rule {
    case .answer: true
    case .answerCompletion, .relay: outcome == .completed
    case .cascade, .follow, .all, .any: false
    }
  }

  /// The stage, if it is one for some outcome.
  var stage: Stage? {
    switch rule {
    case .answer, .answerCompletion, .relay:
      Stage(target: unsafe unsafeDowncast(kept, to: DerivedFuture.self), link: self)
    case .cascade, .follow, .all, .any: nil
    }
  }

  /// The number of the source.
  var number: Int {
    switch rule {
    case .answer(let number), .answerCompletion(let number): Int(number)
    case .cascade, .follow, .all, .any, .relay: 0
    }
  }
}

/// What makes a future depend on others: links and, behind all of them, the parent of a `ChildFuture`, or the closure
/// of a `DerivedFuture`.
///
/// It is a single word, because every future has one.
@safe
struct SourceList {
  enum Source {
    case link(Link)
    case parent(Future)
    /// The closure of a derived future, with its only source if it has one; it keeps the memory of that.
    case derivation(UnownedReference<Future>.Address?)
  }

  fileprivate(set) var first: Source?

  init() {}

  init(_ only: Source) { first = only }

  var isEmpty: Bool { first == nil }

  /// True if the link is the only source.
  func hasOnly(_ link: Link) -> Bool {
    if case .link(let only)? = first { only === link && only.later.isEmpty } else { false }
  }

  mutating func prepend(_ link: Link) {
    link.isAtTarget = true
    if case .link(let second)? = first { unsafe second.previousSource = Unmanaged.passUnretained(link) }
    link.later.first = first.take()
    first = .link(link)
  }

  /// Removes a link that is in this list and that the caller keeps alive.
  mutating func remove(_ link: Link) {
    link.isAtTarget = false
    let next = link.later.first.take()
    if case .link(let next)? = next { unsafe next.previousSource = link.previousSource }
    if let previous = unsafe link.previousSource {
      unsafe previous._withUnsafeGuaranteedRef { $0.later.first = next }
    } else {
      first = next
    }
    unsafe link.previousSource = nil
  }

  /// Removes the first one.
  ///
  /// By repeated calls a list of any length is released without recursion (law L10).
  @inline(__always)
  mutating func popFirst() -> Source? {
    guard let source = first.take() else { return nil }
    if case .link(let link) = source { first = link.later.first.take() }
    return source
  }

  /// What is behind all links.
  @inline(__always)
  var tail: Source? {
    var tail = first
    while case .link(let link)? = tail { tail = link.later.first }
    return tail
  }

  /// Removes what is behind all links, and returns it; nil if there is nothing.
  @inline(__always)
  mutating func takeTail() -> Source? {
    guard case .link(var last)? = first else { return first.take() }
    while case .link(let next)? = last.later.first { last = next }
    return last.later.first.take()
  }

  /// Calls the body with each source.
  @inline(__always)
  func forEach(_ body: (Source) -> Void) {
    var next = first
    while let source = next {
      body(source)
      if case .link(let link) = source { next = link.later.first } else { next = nil }
    }
  }

  /// Returns true if the condition holds for a link, and looks no further.
  func contains(where condition: (Link) -> Bool) -> Bool {
    var next = first
    while case .link(let link)? = next {
      if condition(link) { return true }
      next = link.later.first
    }
    return false
  }
}
