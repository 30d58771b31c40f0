// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// A deadline of a future: one object that is a node among the handlers, a timer, and an entry of the heap of timers.
///
/// Its work decides what ends the deadline: the outcome, the timer, or `unregister()` takes it (E2), and stops the timer.
///
/// The timer may be set to an earlier instant than a deadline that was moved: then it fires early, and is set again. So
/// moving a deadline to a later instant is one turn of the lock. Of several threads that have to set it at the same
/// time one does so for all (`isBeingSet`), until it is set to the instant that is current by then.
///
/// - **D1** A deadline comes at its instant or later, or not at all. Taking the work and the decision are one turn of the
///   future's lock (`deadlineCame`), and moving it is another one.
/// - **D2** The timer of a deadline in force fires in time, or some thread is setting it. `timerInstant` and `isBeingSet`
///   tell, under the future's lock.
/// - **D3** The earliest deadline that has passed is the reason. Those of the futures above come before it (L14).
/// - **D4** Nothing is kept of a deadline that is over. What takes the work stops the timer for good (L7).
///
/// `@unchecked Sendable`: all variables belong to the lock of the future.
@safe
final class DeadlineTimer: TimedNode, @unchecked Sendable {
  /// The instant at which the deadline was set or last moved.
  private var start: ContinuousClock.Instant
  private var isMoved = false
  /// The place of the call that set it.
  private let site: CreationSite?
  /// True if a scheduler shows the timer and its instant: it has to be set to the exact instant.
  private let isScheduled: Bool
  /// The deadline.
  var instant: ContinuousClock.Instant
  /// The instant that the timer is set to; nil if it has fired.
  var timerInstant: ContinuousClock.Instant?
  /// True while a thread is setting the timer.
  var isBeingSet = false

  init(
    from start: ContinuousClock.Instant,
    to instant: ContinuousClock.Instant,
    _ reason: (any Error)? = nil,
    _ site: CreationSite? = nil,
    isScheduled: Bool = false
  ) {
    self.start = start
    self.site = site
    self.isScheduled = isScheduled
    self.instant = instant
    timerInstant = instant
    super.init(nil, .inline, role: .deadline, .deadline(reason: reason))
  }

  override func fired(for future: Future) {
    var engine = future.decideDeadlines(of: self, at: future.presentInstant)
    engine.run()
  }

  /// Decides on the thread of all timers, on which no user code may run, and delivers on one of its own.
  override func fire(for future: Future, at instant: ContinuousClock.Instant) {
    let marked = MarkedTree(future.decideDeadlines(of: self, at: instant))
    DispatchQueue(label: "RaceFreeFuture timer").async { marked.deliver() }
  }

  /// True if the timer will fire in time.
  fileprivate var isTimely: Bool {
    guard let timerInstant else { return false }
    return isScheduled ? timerInstant == instant : timerInstant <= instant
  }

  /// Takes the work of the deadline, which has come, and returns its cancellation; nil if it was unregistered.
  ///
  /// Called with the lock held.
  fileprivate func claimed(label: String) -> Resolution? {
    guard case .deadline(let reason)? = handler.take() else { return nil }
    return .cancelled(reason ?? TimeoutError(from: start, to: instant, isMoved: isMoved, label: label), at: site)
  }

  /// Moves the deadline, at a moment from which its limit counts; called with the lock held.
  fileprivate func move(to instant: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
    if instant != self.instant { (start, isMoved) = (min(now, instant), true) }
    self.instant = instant
  }
}

extension ListEntry {
  /// The deadline, if it is one.
  fileprivate final var deadline: DeadlineTimer? {
    role == .deadline ? unsafe unsafeDowncast(self, to: DeadlineTimer.self) : nil
  }
}

/// The deadlines of a future, the one that was set last first: they are the beginning of a list of entries.
struct DeadlineList {
  fileprivate let first: ListEntry?

  var isEmpty: Bool { first?.role.isTimer != true }

  /// The earliest of some deadlines; of several the one that was set first.
  func earliest(where condition: (DeadlineTimer) -> Bool = { _ in true }) -> DeadlineTimer? {
    var earliest: DeadlineTimer?
    var next = first
    while let entry = next, entry.role.isTimer {
      if let deadline = entry.deadline, condition(deadline),
        earliest.map({ deadline.instant <= $0.instant }) ?? true
      {
        earliest = deadline
      }
      next = entry.rest.first
    }
    return earliest
  }
}

extension FutureMachine {
  /// The effect of a timer of a deadline that has fired.
  enum DeadlineComing: ~Copyable {
    /// None: the deadline was unregistered, or comes too late, or another thread is setting the timer.
    case ignore
    /// The deadline was moved: set the timer again.
    case setAnew
    /// It is decided because of this deadline, or the decision is queued: stop the deadline's timer, and perform that.
    case decided(Effect, DeadlineTimer)
  }

  /// The deadlines that are set.
  var deadlines: DeadlineList { DeadlineList(first: handlers.aside.first) }

  /// Adds a deadline; false if the future is decided.
  mutating func add(_ deadline: DeadlineTimer) -> Bool {
    guard phase == .pending else { return false }
    handlers.add(deadline)
    return true
  }

  /// Moves a deadline; returns whether it is in force, and whether the caller has to set the timer.
  ///
  /// The timer ends a deadline only under the same lock: so a deadline that was moved comes only at the new instant.
  func move(
    _ deadline: DeadlineTimer,
    to instant: ContinuousClock.Instant,
    at now: ContinuousClock.Instant
  ) -> (isMoved: Bool, setsTimer: Bool) {
    guard phase == .pending, deadline.handler.isWaiting else { return (false, false) }
    deadline.move(to: instant, at: now)
    let setsTimer = !deadline.isTimely && !deadline.isBeingSet
    if setsTimer { deadline.isBeingSet = true }
    return (true, setsTimer)
  }

  /// Handles the firing of the timer of a deadline: if that has passed, the earliest one that has is the reason (L14).
  mutating func deadlineCame(
    _ deadline: DeadlineTimer,
    _ now: ContinuousClock.Instant,
    label: String
  ) -> DeadlineComing {
    deadline.timerInstant = nil
    guard phase == .pending, deadline.handler.isWaiting else { return .ignore }
    guard deadline.instant <= now else {
      guard !deadline.isBeingSet else { return .ignore }
      deadline.isBeingSet = true
      return .setAnew
    }
    while let first = deadlines.earliest(where: { $0.instant <= now && $0.handler.isWaiting }) {
      guard let resolution = first.claimed(label: label) else { continue }
      // If the decision is queued, the deadline stays in place: it isn't over before the future is.
      return .decided(mark(resolution), first)
    }
    return .ignore
  }

  /// Returns the instant to which the setting thread has to set the timer; nil if it needn't any more.
  func nextSetting(of deadline: DeadlineTimer) -> ContinuousClock.Instant? {
    guard deadline.handler.isWaiting, !deadline.isTimely else {
      deadline.isBeingSet = false
      return nil
    }
    deadline.timerInstant = deadline.instant
    return deadline.instant
  }

  /// Returns the earliest deadline of the future itself, and the futures whose cancellation reaches it by a link.
  func deadlinesAhead(
    where condition: (DeadlineTimer) -> Bool = { _ in true }
  ) -> (own: (instant: ContinuousClock.Instant, timer: DeadlineTimer)?, others: [Future], isMarking: Bool) {
    let own = phase == .pending ? deadlines.earliest(where: condition) : nil
    return (own.map { ($0.instant, $0) }, deadlineNeighbors, phase == .marking)
  }
}
