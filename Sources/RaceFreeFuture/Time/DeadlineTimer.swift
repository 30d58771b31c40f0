// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// A deadline of a future: one object that is a node among the handlers, a timer, and an entry of the heap of timers.
///
/// It is in force exactly while it is in the heap (D1). The node among the handlers takes it out at the outcome.
///
/// `@unchecked Sendable`: the instants belong to the lock of `Timers`, and don't change any more once the deadline has left
/// the heap (D1).
final class DeadlineTimer: TimedNode, @unchecked Sendable {
  /// The place of the call that set it.
  private let site: CreationSite?
  /// The instant at which the deadline was set or last moved.
  private var start: ContinuousClock.Instant
  private var isMoved = false
  /// The deadline.
  private(set) var instant: ContinuousClock.Instant

  init(
    from start: ContinuousClock.Instant,
    to instant: ContinuousClock.Instant,
    _ reason: (any Error)? = nil,
    _ site: CreationSite? = nil
  ) {
    self.site = site
    self.start = start
    self.instant = instant
    super.init(nil, .inline, role: .deadline, .timer)
    self.reason = reason
  }

  override var isDecidedInOrder: Bool { true }

  override func fired(for future: Future, _ reason: (any Error)?) {
    var engine = decide(future, reason)
    engine.run()
  }

  /// Decides on the thread that fires the timers, on which no user code may run, and delivers on one of its own.
  override func fire(for future: Future, _ reason: (any Error)?) {
    let marked = MarkedTree(decide(future, reason))
    DispatchQueue(label: "RaceFreeFuture timer").async { marked.deliver() }
  }

  /// Cancels the future because of this deadline, unless it is resolved, and marks the whole tree.
  private func decide(_ future: Future, _ reason: (any Error)?) -> Engine {
    let reason = reason ?? TimeoutError(from: start, to: instant, isMoved: isMoved, label: future.name)
    var engine = Engine()
    engine.perform(future.opened(at: .cancelled) { $0.deadlineCame(.cancelled(reason, at: site)) }, of: future)
    engine.mark()
    return engine
  }

  /// Moves the deadline, at a moment from which its limit counts; called with the lock of `Timers` held.
  func move(to instant: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
    if instant != self.instant { (start, isMoved) = (min(now, instant), true) }
    self.instant = instant
  }
}

extension FutureMachine {
  /// The deadlines that are set, the last one first.
  var deadlines: [DeadlineTimer] {
    var deadlines: [DeadlineTimer] = []
    guard handlers.hasTimers else { return deadlines }
    handlers.aside.forEach { entry in
      if entry.role == .deadline { deadlines.append(unsafe unsafeDowncast(entry, to: DeadlineTimer.self)) }
    }
    return deadlines
  }

  /// Adds a deadline; false if the future is decided.
  mutating func add(_ deadline: DeadlineTimer) -> Bool {
    guard phase == .pending else { return false }
    handlers.add(deadline)
    return true
  }

  /// Removes a deadline that was unregistered; false if the future is decided.
  mutating func remove(deadline: DeadlineTimer) -> Bool {
    guard phase == .pending else { return false }
    handlers.remove(deadline)
    return true
  }

  /// Cancels the future because a deadline has come, and leaves the delivery to `marked`.
  mutating func deadlineCame(_ resolution: Resolution) -> Effect {
    switch phase {
    case .pending: mark(resolution)
    // The walk of another thread is on its way: the next deadline has to find all of the tree decided (L14).
    case .marking: .join
    case .held, .delivering, .resolved, .unresolvable: .none
    }
  }
}
