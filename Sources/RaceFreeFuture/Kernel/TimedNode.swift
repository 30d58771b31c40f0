// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// A timer of a future: of a deadline, of a completion that comes later, or of a task's wait with a limit.
///
/// It is an entry of the heap of `Timers`, and in force exactly while it is there (D1). The first two are in the list
/// of the future as well, and the outcome takes them out of the heap.
///
/// `@unchecked Sendable`: the hook belongs to the lock of the future (E1), everything else to the lock of `Timers`
/// (D1).
@safe
final class TimedNode: @unchecked Sendable {
  /// What follows when the timer has fired.
  enum Action {
    /// A deadline: the future is cancelled, for a reason of the deadline's own if it has one.
    case cancel((any Error)?)
    case call(@Sendable (Future) -> Void)
  }

  @safe @exclusivity(unchecked) var hook = Entry.Hook()
  /// True if it is decided in the order in which timers are due (L14).
  let isDeadline: Bool
  /// The place of the call that set it, if that is recorded.
  private let site: CreationSite?
  /// The instant at which it was set or, if it is a deadline, last moved; constant once it has left the heap.
  private var start: ContinuousClock.Instant
  private(set) var instant: ContinuousClock.Instant
  private var isMoved = false
  /// Kept while the timer is in force.
  fileprivate var action: Action?
  /// The future that the timer is for: kept while the timer is in the heap.
  fileprivate var future: Future?
  /// The place in the heap, `away` or `over`.
  fileprivate var place = away
  /// Orders timers that are due at the same instant: the first to be set comes first; 0 until it is set.
  fileprivate var number = 0
  /// The timer of the future's scheduler, if it has one: this takes the place of the heap.
  fileprivate var scheduled: (timer: ScheduledTimer, scheduler: any Scheduler)?

  /// Not in the heap: the timer isn't set yet, its instant is too far to come, or a scheduler has it.
  fileprivate static let away = -1
  /// The timer has fired or was stopped, for good.
  fileprivate static let over = -2

  init(
    _ action: Action,
    from start: ContinuousClock.Instant,
    to instant: ContinuousClock.Instant,
    _ site: CreationSite? = nil
  ) {
    if case .cancel = action { isDeadline = true } else { isDeadline = false }
    self.site = site
    self.start = start
    self.instant = instant
    self.action = action
  }

  // Not inlined: the compiler retains an object around an end that it inlines.
  @inline(never) deinit {}

  /// Moves a deadline, at a moment from which its limit counts; called with the lock of `Timers` held.
  func move(to instant: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
    if instant != self.instant { (start, isMoved) = (min(now, instant), true) }
    self.instant = instant
  }

  // MARK: Firing

  /// Does what follows when the timer has fired, with no lock held; user code may run.
  fileprivate func perform(_ action: Action, for future: Future) {
    switch action {
    case .cancel(let reason):
      var engine = cancel(future, reason)
      engine.run()
    case .call(let body): body(future)
    }
  }

  /// Does the same on the thread that fires the timers, on which no user code may run: a deadline decides, in the order
  /// in which they are due, and the rest has a thread of its own.
  ///
  /// A new serial queue gets a thread at once. In a global queue it would stand behind everything that was enqueued
  /// there, which may be the very work that a deadline is to end.
  fileprivate func performInOrder(_ action: Action, for future: Future) {
    var rest: @Sendable () -> Void = { [self] in perform(action, for: future) }
    if case .cancel(let reason) = action {
      let marked = MarkedTree(cancel(future, reason))
      rest = { marked.deliver() }
    }
    DispatchQueue(label: "RaceFreeFuture timer").async(execute: rest)
  }

  /// Cancels the future because of this deadline, unless it is resolved, and marks the whole tree.
  private func cancel(_ future: Future, _ reason: (any Error)?) -> Engine {
    let reason = reason ?? TimeoutError(from: start, to: instant, isMoved: isMoved, label: future.name)
    var engine = Engine()
    engine.perform(future.opened(at: .cancelled) { $0.deadlineCame(.cancelled(reason, at: site)) }, of: future)
    engine.mark()
    return engine
  }
}

/// All timers in one heap behind one timer of Dispatch, which is set to the earliest instant.
///
/// - **D1** A timer is in force until it leaves the heap, once and for good. It fires, or is stopped or unregistered,
///   in one turn of the lock; moving it is another one.
/// - **D2** What is due is decided in the order of the heap. The next one is taken only when the whole tree of the last
///   one is marked: by the thread that has taken it, or by another one that comes by, which does the same work again.
///
/// Most deadlines never come: so setting and stopping a timer costs a turn of the lock, and firing may cost more. The
/// heap has four branches, and each entry knows its place. When an entry is removed the timer of Dispatch isn't
/// touched: it fires, finds nothing, and is set to what is the earliest by then.
///
/// A scheduler's timers aren't in the heap: it shows them one by one, and fires them in the order of their instants.
/// The lock guards those as well.
final class Timers: Sendable {
  static let shared = Timers()

  /// An entry, which holds one reference as long as it is in the heap; moves don't count any, so it is `@safe`.
  @safe
  private struct Entry {
    /// The instant, in attoseconds since the start: numbers are compared in less time.
    let due: Int128
    let number: Int
    let node: Unmanaged<TimedNode>

    func precedes(_ other: Entry) -> Bool { due == other.due ? number < other.number : due < other.due }
  }

  /// A timer that has left the heap because it is due.
  private struct Due {
    let node: TimedNode
    let future: Future
    let action: TimedNode.Action
  }

  private struct State {
    var heap: [Entry] = []
    /// How many timers were ever set.
    var count = 0
    /// The deadline that is being decided (D2).
    var deciding: Due?
    /// The instant that the timer of Dispatch is set to.
    var armed: Int128?

    private mutating func put(_ entry: Entry, at place: Int) {
      heap[place] = entry
      // Kept by the heap, like all entries.
      unsafe entry.node._withUnsafeGuaranteedRef { $0.place = place }
    }

    /// Restores the order for the entry at a place, which may be too early or too late for it.
    private mutating func sift(_ start: Int) {
      let entry = heap[start]
      var place = start
      while place > 0, entry.precedes(heap[(place - 1) / 4]) {
        put(heap[(place - 1) / 4], at: place)
        place = (place - 1) / 4
      }
      while 4 * place + 1 < heap.count {
        var least = 4 * place + 1
        for next in least..<min(least + 4, heap.count) where heap[next].precedes(heap[least]) { least = next }
        guard heap[least].precedes(entry) else { break }
        put(heap[least], at: place)
        place = least
      }
      put(entry, at: place)
    }

    /// Returns the number of a timer that is about to be set.
    mutating func number(_ node: TimedNode) -> Int {
      if node.number == 0 {
        count += 1
        node.number = count
      }
      return node.number
    }

    mutating func set(_ node: TimedNode, to due: Int128, _ future: Future) {
      let number = number(node)
      if node.place < 0 {
        node.place = heap.count
        node.future = future
        unsafe heap.append(Entry(due: due, number: number, node: Unmanaged.passRetained(node)))
      } else {
        unsafe heap[node.place] = Entry(due: due, number: number, node: heap[node.place].node)
      }
      sift(node.place)
    }

    /// Removes an entry that the caller keeps, if it is there, and returns its future, to be released outside of the
    /// lock.
    mutating func remove(_ node: TimedNode) -> Future? {
      guard node.place >= 0 else { return nil }
      let (place, last) = (node.place, heap.removeLast())
      node.place = TimedNode.away
      if place < heap.count {
        put(last, at: place)
        sift(place)
      }
      // After a peak it becomes small again (law L7): mapped, because `Array(heap)` shares the space of the old one.
      if heap.capacity > 64, heap.count < heap.capacity / 4 { heap = heap.map { $0 } }
      unsafe Unmanaged.passUnretained(node).release()
      return node.future.take()
    }

    /// Returns what has to be fired next: the deadline that is being decided, or the given or earliest timer if it is
    /// due by an instant, which leaves the heap.
    mutating func next(by instant: Int128, _ given: TimedNode? = nil) -> Due? {
      if let given, given.place < 0, given !== deciding?.node { return nil }
      if let deciding { return deciding }
      guard let place = given?.place ?? heap.indices.first, heap[place].due <= instant else { return nil }
      let node = unsafe heap[place].node.takeUnretainedValue()
      guard let future = remove(node), let action = node.action.take() else { return nil }
      node.place = TimedNode.over
      let due = Due(node: node, future: future, action: action)
      if node.isDeadline { deciding = due }
      return due
    }

    /// Notes that a deadline is decided, and returns what is to be released outside of the lock.
    mutating func finish(_ node: TimedNode) -> Due? { deciding?.node === node ? deciding.take() : nil }
  }

  /// Guards the heap, and its part of the nodes; futures and actions are released, and schedulers called, outside.
  private let state = Locked(State())
  /// Made when the first timer is set; a scheduler's timers need none.
  ///
  /// Dispatch sources are thread-safe, but not declared so.
  private static nonisolated(unsafe) let source: any DispatchSourceTimer = {
    let source = DispatchSource.makeTimerSource()
    source.setEventHandler { shared.fire() }
    source.activate()
    return source
  }()

  /// The instant from which the others are counted.
  private let start = ContinuousClock.now

  /// The number of entries for which there is room.
  var capacity: Int { state.withLock { $0.heap.capacity } }

  // MARK: Setting and stopping

  /// Sets a timer to the instant that the closure returns, in one step; false if it has fired or was stopped.
  ///
  /// Until then the future is kept, unless the instant is too far to come.
  @discardableResult
  func set(
    _ node: TimedNode,
    for future: Future,
    at now: ContinuousClock.Instant,
    to next: () -> ContinuousClock.Instant
  ) -> Bool {
    if let queue = future.scheduledQueue { return schedule(node, queue, future, at: now, to: next) }
    let (isSet, isEarliest, former) = state.withLock { state -> (Bool, Bool, Future?) in
      guard node.place != TimedNode.over else { return (false, false, nil) }
      let instant = next()
      guard now.duration(to: instant).passes else { return (true, false, state.remove(node)) }
      let due = attoseconds(instant)
      state.set(node, to: due, future)
      if let armed = state.armed, armed <= due { return (true, false, nil) }
      state.armed = due
      return (true, true, nil)
    }
    if isEarliest { arm() }
    withExtendedLifetime(former) {}
    return isSet
  }

  /// Sets a timer of a scheduler, which shows its timers: so none is set that never fires.
  private func schedule(
    _ node: TimedNode,
    _ queue: ScheduledQueue,
    _ future: Future,
    at now: ContinuousClock.Instant,
    to next: () -> ContinuousClock.Instant
  ) -> Bool {
    let (scheduler, name) = (queue.scheduler, queue.name)
    let passes = scheduler.isScheduling
    let (isSet, old, timer) = state.withLock { state -> (Bool, ScheduledTimer?, ScheduledTimer?) in
      guard node.place != TimedNode.over else { return (false, nil, nil) }
      let interval = now.duration(to: next())
      let isComing = passes && interval.passes
      let (whole, number) = (interval.wholeNanoseconds, state.number(node))
      let timer = isComing ? ScheduledTimer(interval: whole, name: name, number: number) : nil
      let old = exchange(&node.scheduled, with: timer.map { ($0, scheduler) })
      return (true, old?.timer, timer)
    }
    if let old { scheduler.stop(old) }
    guard let timer else { return isSet }
    scheduler.start(timer) { [self] in fire(node, timer, for: future) }
    // Stopped meanwhile, or set again: that call may not have found it yet.
    if !state.withLock({ _ in node.scheduled?.timer === timer }) { scheduler.stop(timer) }
    return isSet
  }

  /// Fires a timer of a scheduler, unless it was stopped, or the scheduler has another one for the node by now.
  private func fire(_ node: TimedNode, _ timer: ScheduledTimer, for future: Future) {
    let action = state.withLock { _ -> TimedNode.Action? in
      guard node.scheduled?.timer === timer else { return nil }
      (node.scheduled, node.place) = (nil, TimedNode.over)
      return node.action.take()
    }
    if let action { node.perform(action, for: future) }
  }

  /// Stops a timer for good; true if this call did so, false if it has fired or was stopped earlier.
  ///
  /// After false a deadline that has fired has decided: if another thread is about to decide, this thread helps.
  @discardableResult
  func stop(_ node: TimedNode) -> Bool {
    let (wasInForce, former, scheduled, due) = state.withLock { state in
      let wasInForce = node.place != TimedNode.over
      let former = (state.remove(node), node.action.take())
      node.place = TimedNode.over
      return (wasInForce, former, node.scheduled.take(), state.deciding?.node === node ? state.deciding : nil)
    }
    if let scheduled { scheduled.scheduler.stop(scheduled.timer) }
    if let due { fire(due) }
    withExtendedLifetime(former) {}
    return wasInForce
  }

  /// The earliest instant of some deadlines; nil if there are none.
  func earliest(of deadlines: [TimedNode]) -> ContinuousClock.Instant? {
    deadlines.isEmpty ? nil : state.withLock { _ in deadlines.map(\.instant).min() }
  }

  // MARK: Firing

  private func attoseconds(_ instant: ContinuousClock.Instant) -> Int128 { start.duration(to: instant).attoseconds }

  /// Sets the timer of Dispatch; of calls that overtake each other the last one sets what is the earliest by then.
  private func arm() {
    while true {
      let armed = state.withLock { $0.armed }
      let time = armed.map { DispatchTime.after(Duration(attoseconds: $0 - attoseconds(.now))) }
      unsafe Self.source.schedule(deadline: time ?? .distantFuture)
      if state.withLock({ $0.armed }) == armed { return }
    }
  }

  /// Fires what is due, and sets the timer of Dispatch to what is next.
  private func fire() {
    fire(by: .now)
    state.withLock { $0.armed = $0.heap.first?.due }
    arm()
  }

  /// Fires what is due by an instant, the earliest first (D2).
  ///
  /// No user code runs here: of a deadline the whole tree is marked, and delivered on a thread of its own.
  private func fire(by instant: ContinuousClock.Instant) {
    let instant = attoseconds(instant)
    while let due = state.withLock({ $0.next(by: instant) }) { fire(due) }
  }

  /// Fires a deadline whose timer is late, if it is due by an instant.
  func fire(_ deadline: TimedNode, of future: Future, by instant: ContinuousClock.Instant) {
    let due = attoseconds(instant)
    while let due = state.withLock({ $0.next(by: due, deadline) }) { fire(due) }
    let scheduled = state.withLock { _ in deadline.instant <= instant ? deadline.scheduled : nil }
    guard let scheduled else { return }
    scheduled.scheduler.stop(scheduled.timer)
    fire(deadline, scheduled.timer, for: future)
  }

  private func fire(_ due: Due) {
    due.node.performInOrder(due.action, for: due.future)
    withExtendedLifetime(state.withLock { $0.finish(due.node) }) {}
  }
}
