// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A deadline of a future, and its timer.
///
/// The timer may be set to an earlier instant than a deadline that was moved: then it fires early, and is set again. So
/// moving a deadline to a later instant is one turn of the lock. Of several threads that have to set it at the same
/// time one does so for all (`isBeingSet`), until it is set to the instant that is current by then.
///
/// `@unchecked Sendable`: `instant`, `timerInstant` and `isBeingSet` belong to the lock of the future.
final class DeadlineTimer: @unchecked Sendable {
  /// A node among the future's handlers, which stops the timer at the outcome.
  ///
  /// Its claim decides what ends the deadline: the outcome, the timer, or `unregister()`.
  let node: HandlerNode
  /// The timer, which keeps the future until it is stopped.
  let timer: Timer
  /// The instant at which the deadline was set.
  private let start: ContinuousClock.Instant
  /// The place of the call that set it.
  let site: CreationSite?
  /// The deadline.
  var instant: ContinuousClock.Instant
  /// The instant that the timer is set to; nil if it has fired.
  var timerInstant: ContinuousClock.Instant?
  /// True while a thread is setting the timer.
  var isBeingSet = false

  init(
    of future: Future,
    from start: ContinuousClock.Instant,
    to instant: ContinuousClock.Instant,
    _ reason: (any Error)?,
    _ site: CreationSite?
  ) {
    timer = Timer(for: future)
    self.start = start
    self.site = site
    self.instant = instant
    timerInstant = instant
    node = HandlerNode(nil, .inline, role: .timer, .deadline(timer, reason: reason))
  }

  /// True if the timer will fire in time.
  fileprivate var isTimely: Bool {
    guard let timerInstant else { return false }
    return timer.isScheduled ? timerInstant == instant : timerInstant <= instant
  }

  /// Returns the cancellation for a deadline that has come; called with the lock held, by the thread that has claimed it.
  fileprivate func resolution(label: String) -> Resolution {
    let reason =
      node.takeReason() ?? TimeoutError(interval: start.duration(to: instant), label: label, deadline: instant)
    return .cancelled(reason, at: site)
  }

  func stop() { timer.stop() }
}

extension FutureMachine {
  /// Adds a deadline; false if the future is decided.
  mutating func add(_ deadline: DeadlineTimer) -> Bool {
    guard phase == .pending else { return false }
    handlers.add(deadline.node)
    deadlines.append(deadline)
    return true
  }

  /// Removes a deadline whose node's claim has been won by `unregister()`; the caller keeps the deadline.
  mutating func removeDeadline(_ deadline: DeadlineTimer) {
    deadlines.removeAll { $0 === deadline }
    _ = remove(deadline.node)
  }

  /// Moves a deadline; returns whether it is in force, and whether the caller has to set the timer.
  ///
  /// The timer ends a deadline only under the same lock: so a deadline that was moved comes only at the new instant.
  func move(_ deadline: DeadlineTimer, to instant: ContinuousClock.Instant) -> (isMoved: Bool, setsTimer: Bool) {
    guard phase == .pending, deadline.node.isWaiting else { return (false, false) }
    deadline.instant = instant
    let setsTimer = !deadline.isTimely && !deadline.isBeingSet
    if setsTimer { deadline.isBeingSet = true }
    return (true, setsTimer)
  }

  /// Handles the firing of the timer of a deadline: if that has passed, the earliest one that has is the reason (L14).
  mutating func deadlineCame(
    _ deadline: DeadlineTimer,
    _ now: ContinuousClock.Instant,
    label: String,
    on thread: ThreadIdentity
  ) -> DeadlineComing {
    deadline.timerInstant = nil
    guard phase == .pending, deadline.node.isWaiting else { return .ignore }
    guard deadline.instant <= now else {
      guard !deadline.isBeingSet else { return .ignore }
      deadline.isBeingSet = true
      return .setAnew
    }
    while let first = earliest(where: { $0.instant <= now && $0.node.isWaiting }) {
      // It may have been unregistered just now.
      guard first.node.beginInstead() else { continue }
      let resolution = first.resolution(label: label)
      // If the decision is queued, the deadline stays in place: it isn't over before the future is.
      return .decided(decide(resolution, .arriving, on: thread), resolution, first)
    }
    return .ignore
  }

  /// The earliest of some deadlines; of several the one that was set first.
  private func earliest(where condition: (DeadlineTimer) -> Bool) -> DeadlineTimer? {
    var earliest: DeadlineTimer?
    for deadline in deadlines where condition(deadline) {
      if earliest.map({ deadline.instant < $0.instant }) ?? true { earliest = deadline }
    }
    return earliest
  }

  /// Returns the instant to which the setting thread has to set the timer; nil if it needn't any more.
  func nextSetting(of deadline: DeadlineTimer) -> ContinuousClock.Instant? {
    guard deadline.node.isWaiting, !deadline.isTimely else {
      deadline.isBeingSet = false
      return nil
    }
    deadline.timerInstant = deadline.instant
    return deadline.instant
  }

  /// The earliest deadline of the future itself, and the futures whose cancellation reaches it by a link.
  var deadlinesAhead: (own: (instant: ContinuousClock.Instant, timer: DeadlineTimer)?, others: [Future]) {
    guard phase == .pending else { return (nil, []) }
    var others: [Future] = []
    sources.forEach { link in
      if case .any = link.rule { return }
      if link.concerns(.cancelled, at: .source), let source = link.future(at: .source) { others.append(source) }
    }
    if linkedOutcomes.contains(.backward) {
      var entry = handlers.entries.first
      while let current = entry {
        if let link = current.link, link.concerns(.cancelled, at: .target), let target = link.future(at: .target) {
          others.append(target)
        }
        entry = current.next
      }
    }
    return (earliest { _ in true }.map { ($0.instant, $0) }, others)
  }
}
