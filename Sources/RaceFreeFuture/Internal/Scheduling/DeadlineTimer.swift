// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A deadline of a future, and the timer that comes to it.
///
/// The timer may be set to an earlier instant than the deadline, which was moved since: then it fires early, and is set
/// anew. So moving a deadline to a later instant is one turn of the lock. Of those who have to set it at the same time
/// one does it for all (`isBeingSet`), until it is set to what is asked for by then.
///
/// `@unchecked Sendable`: `instant`, `timerInstant` and `isBeingSet` belong to the lock of the future.
final class DeadlineTimer: @unchecked Sendable {
  /// Stands among the future's handlers, and stops the timer at the outcome.
  ///
  /// Its claim decides who ends the deadline: the outcome, the timer, or whoever takes it back.
  let node: HandlerNode
  /// It keeps the future until it is stopped.
  let timer: Timer
  /// When the deadline was set.
  private let start: ContinuousClock.Instant
  /// The deadline.
  var instant: ContinuousClock.Instant
  /// What the timer is set to; nil: it has fired.
  var timerInstant: ContinuousClock.Instant?
  /// Whether a thread is setting the timer.
  var isBeingSet = false

  init(of future: Future, from start: ContinuousClock.Instant, to instant: ContinuousClock.Instant) {
    let timer = Timer(for: future)
    self.timer = timer
    self.start = start
    self.instant = instant
    timerInstant = instant
    node = HandlerNode(role: .timer) { _, _ in timer.stop() }
  }

  /// Whether the timer will fire when it has to.
  fileprivate var isTimely: Bool {
    guard let timerInstant else { return false }
    return timer.isScheduled ? timerInstant == instant : timerInstant <= instant
  }

  /// What the future is cancelled for; with the lock held.
  func error(label: String) -> TimeoutError {
    TimeoutError(interval: start.duration(to: instant), label: label, deadline: instant)
  }

  func stop() { timer.stop() }
}

extension FutureMachine {
  /// Takes in a deadline; false if the future is decided.
  mutating func add(_ deadline: DeadlineTimer) -> Bool {
    guard phase == .pending else { return false }
    handlers.add(deadline.node)
    deadlines.append(deadline)
    return true
  }

  /// The node's claim has been won by whoever takes the deadline back; the caller keeps the deadline.
  mutating func removeDeadline(_ deadline: DeadlineTimer) {
    deadlines.removeAll { $0 === deadline }
    _ = remove(deadline.node)
  }

  /// Somebody moves a deadline; returns whether it is in force, and whether the timer has to be set by the caller.
  ///
  /// Nobody ends a deadline by its timer but under the same lock: so one that was moved comes at the new instant only.
  func move(_ deadline: DeadlineTimer, to instant: ContinuousClock.Instant) -> (isMoved: Bool, setsTimer: Bool) {
    guard phase == .pending, deadline.node.isWaiting else { return (false, false) }
    deadline.instant = instant
    let setsTimer = !deadline.isTimely && !deadline.isBeingSet
    if setsTimer { deadline.isBeingSet = true }
    return (true, setsTimer)
  }

  /// The timer has fired.
  mutating func deadlineCame(
    _ deadline: DeadlineTimer,
    _ now: ContinuousClock.Instant,
    _ reason: (any Error)?,
    at site: CreationSite?,
    label: String
  ) -> DeadlineComing {
    deadline.timerInstant = nil
    guard phase == .pending, deadline.node.isWaiting else { return .ignore }
    guard deadline.instant <= now else {
      guard !deadline.isBeingSet else { return .ignore }
      deadline.isBeingSet = true
      return .setAnew
    }
    guard deadline.node.beginInstead() else { return .ignore }
    let resolution = Resolution.cancelled(reason ?? deadline.error(label: label), at: site)
    // If that joins the line the deadline stays where it is: it isn't over before the future is.
    return .decided(decide(resolution, .arriving), resolution)
  }

  /// What the timer is to be set to by the thread that sets it; nil: it need not be any more.
  func nextSetting(of deadline: DeadlineTimer) -> ContinuousClock.Instant? {
    guard deadline.node.isWaiting, !deadline.isTimely else {
      deadline.isBeingSet = false
      return nil
    }
    deadline.timerInstant = deadline.instant
    return deadline.instant
  }

  /// The earliest deadline of the future itself, and those whose cancellation reaches it by a link.
  var deadlinesAhead: (own: ContinuousClock.Instant?, others: [Future]) {
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
    return (deadlines.lazy.map(\.instant).min(), others)
  }
}
