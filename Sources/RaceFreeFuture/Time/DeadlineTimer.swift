// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// A deadline of a future: one object that is a node among the handlers, a timer, and an entry of the heap of timers.
///
/// It is in force exactly while it is in the heap (D1). The node among the handlers takes it out at the outcome.
///
/// `@unchecked Sendable`: the instants belong to the lock of `Timers`, and don't change any more once the deadline has left
/// the heap (D1); `newer` and `older` belong to that of the future. `@safe`: for these see `DeadlineList`.
@safe
final class DeadlineTimer: TimedNode, @unchecked Sendable {
  /// The place of the call that set it.
  private let site: CreationSite?
  /// The instant at which the deadline was set or last moved.
  private var start: ContinuousClock.Instant
  private var isMoved = false
  /// The deadline.
  private(set) var instant: ContinuousClock.Instant
  /// The neighbors in the list of the future's deadlines.
  fileprivate var newer, older: Unmanaged<DeadlineTimer>?

  init(
    from start: ContinuousClock.Instant,
    to instant: ContinuousClock.Instant,
    _ reason: (any Error)? = nil,
    _ site: CreationSite? = nil
  ) {
    self.site = site
    self.start = start
    self.instant = instant
    super.init(nil, .inline, role: .timer, .timer)
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
    engine.perform(
      future.opened(at: .cancelled) { $0.deadlineCame(.cancelled(reason, at: site)) },
      of: future
    ) { $0.deliver($1, $2, $3) }
    engine.mark()
    return engine
  }

  /// Moves the deadline, at a moment from which its limit counts; called with the lock of `Timers` held.
  func move(to instant: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
    if instant != self.instant { (start, isMoved) = (min(now, instant), true) }
    self.instant = instant
  }
}

extension DeadlineList {
  /// The same node; only deadlines are ever added.
  private var first: Unmanaged<DeadlineTimer>? {
    get { unsafe newest.map { unsafe Unmanaged.fromOpaque($0.toOpaque()) } }
    set { unsafe newest = newValue.map { unsafe Unmanaged.fromOpaque($0.toOpaque()) } }
  }

  /// All of them.
  var all: [DeadlineTimer] {
    var all: [DeadlineTimer] = []
    var next = unsafe first
    while let deadline = unsafe next?.takeUnretainedValue() {
      all.append(deadline)
      unsafe next = deadline.older
    }
    return all
  }

  fileprivate mutating func add(_ deadline: DeadlineTimer) {
    let new = unsafe Unmanaged.passUnretained(deadline)
    unsafe deadline.older = first
    unsafe first?._withUnsafeGuaranteedRef { unsafe $0.newer = new }
    unsafe first = new
  }

  /// Removes a deadline that is in the list.
  fileprivate mutating func remove(_ deadline: DeadlineTimer) {
    unsafe deadline.older?._withUnsafeGuaranteedRef { unsafe $0.newer = deadline.newer }
    if let newer = unsafe deadline.newer {
      unsafe newer._withUnsafeGuaranteedRef { unsafe $0.older = deadline.older }
    } else {
      unsafe first = deadline.older
    }
    unsafe (deadline.newer, deadline.older) = (nil, nil)
  }
}

extension FutureMachine {
  /// Adds a deadline; false if the future is decided.
  mutating func add(_ deadline: DeadlineTimer) -> Bool {
    guard phase == .pending else { return false }
    handlers.add(deadline)
    deadlines.add(deadline)
    return true
  }

  /// Removes a deadline that was unregistered; false if the future is decided.
  mutating func remove(deadline: DeadlineTimer) -> Bool {
    guard phase == .pending else { return false }
    handlers.remove(deadline)
    deadlines.remove(deadline)
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
