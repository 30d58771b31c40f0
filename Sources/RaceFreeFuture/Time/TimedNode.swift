// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// A node with a timer: a deadline, a completion that comes later, or a wait with a timeout.
///
/// It is its own entry in the heap of `Timers`.
///
/// `@unchecked Sendable`: all that it adds belongs to the lock of `Timers` (D1).
class TimedNode: HandlerNode, @unchecked Sendable {
  /// The future that the timer is for: kept while the timer is in the heap.
  fileprivate final var future: Future?
  /// The reason for which a deadline cancels, if it has one of its own: kept while the deadline is in force.
  final var reason: (any Error)?
  /// The place in the heap, `away` or `over`.
  fileprivate final var place = away
  /// Of several that are due at the same instant the one that was first set first comes first; 0 until it is set.
  fileprivate final var number = 0
  /// The timer of the future's scheduler, if it has one: this takes the place of the heap.
  fileprivate final var scheduled: (timer: ScheduledTimer, scheduler: any Scheduler)?

  /// Not in the heap: the timer isn't set yet, its instant is too far to come, or a scheduler has it.
  fileprivate static let away = -1
  /// The timer has fired or was stopped, for good.
  fileprivate static let over = -2

  /// True if timers of this kind are decided in the order in which they are due (L14).
  var isDecidedInOrder: Bool { false }

  /// Acts when the timer has fired, on any thread and with no lock held.
  func fired(for future: Future, _ reason: (any Error)?) {}

  /// Acts on the thread that fires the timers, in the order in which they are due: on a thread of its own, as user code
  /// may run.
  ///
  /// A new serial queue gets a thread at once. In a global queue it would stand behind everything that was enqueued
  /// there, which may be the very work that a deadline is to end.
  func fire(for future: Future, _ reason: (any Error)?) {
    DispatchQueue(label: "RaceFreeFuture timer").async { [self] in fired(for: future, reason) }
  }

  /// Stops the timer for good; it can be called any number of times, also before the timer is set.
  override final func stop() { Timers.shared.stop(self) }
}

/// All timers in one heap behind one timer of Dispatch, which is set to the earliest instant.
///
/// - **D1** A timer is in force until it leaves the heap, once and for good. It fires, or is stopped or unregistered, in
///   one turn of the lock; moving it is another one.
/// - **D2** What is due is decided in the order of the heap. The next one is taken only when the whole tree of the last one
///   is marked: by the thread that has taken it, or by another one that comes by, which does the same work again.
///
/// Most deadlines never come: so setting and stopping one costs a turn of the lock, and coming may cost more. The heap
/// has four branches, and each entry knows its place. When an entry is removed the timer of Dispatch isn't touched: it
/// fires, finds nothing, and is set to what is the earliest by then.
///
/// A scheduler's timers aren't in the heap: it shows them one by one, and fires them in the order of their instants. The
/// lock guards those as well.
final class Timers: Sendable {
  static let shared = Timers()

  /// An entry, not counted in the moves of the heap: one reference is counted as long as it is there, which makes it
  /// `@safe`.
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
    let reason: (any Error)?
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

    /// Removes an entry that the caller keeps, if it is there, and returns its future, to be released outside of the lock.
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

    /// Returns what has to be fired next: the deadline that is being decided, or the given or earliest timer if it is due
    /// by an instant, which leaves the heap.
    mutating func next(by instant: Int128, _ given: TimedNode? = nil) -> Due? {
      if let given, given.place < 0, given !== deciding?.node { return nil }
      if let deciding { return deciding }
      guard let place = given?.place ?? heap.indices.first, heap[place].due <= instant else { return nil }
      let node = unsafe heap[place].node.takeUnretainedValue()
      guard let future = remove(node) else { return nil }
      node.place = TimedNode.over
      let due = Due(node: node, future: future, reason: node.reason.take())
      if node.isDecidedInOrder { deciding = due }
      return due
    }

    /// Notes that a deadline is decided, and returns what is to be released outside of the lock.
    mutating func finish(_ node: TimedNode) -> Due? { deciding?.node === node ? deciding.take() : nil }
  }

  /// Guards the heap, and what `TimedNode` and `DeadlineTimer` add to a node; futures are released, and schedulers called,
  /// outside.
  private let state = Locked(State())
  /// Dispatch sources are thread-safe, but not declared so.
  private nonisolated(unsafe) let source: any DispatchSourceTimer

  /// The instant from which the others are counted.
  private let start = ContinuousClock.now

  private init() {
    unsafe source = DispatchSource.makeTimerSource()
    unsafe source.setEventHandler { Timers.shared.fire() }
    unsafe source.activate()
  }

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
    let (isTaken, reason) = state.withLock { _ -> (Bool, (any Error)?) in
      guard node.scheduled?.timer === timer else { return (false, nil) }
      (node.scheduled, node.place) = (nil, TimedNode.over)
      return (true, node.reason.take())
    }
    if isTaken { node.fired(for: future, reason) }
  }

  /// Stops a timer for good; true if this call did so, false if it has fired or was stopped earlier.
  ///
  /// After false a deadline that has fired has decided: if another thread is just about to, this one does it as well.
  @discardableResult
  func stop(_ node: TimedNode) -> Bool {
    let (wasInForce, former, scheduled, due) = state.withLock { state in
      let wasInForce = node.place != TimedNode.over
      let former = (state.remove(node), node.reason.take())
      node.place = TimedNode.over
      return (wasInForce, former, node.scheduled.take(), state.deciding?.node === node ? state.deciding : nil)
    }
    if let scheduled { scheduled.scheduler.stop(scheduled.timer) }
    if let due { fire(due) }
    withExtendedLifetime(former) {}
    return wasInForce
  }

  /// The earliest instant of some deadlines; nil if there are none.
  func earliest(of deadlines: [DeadlineTimer]) -> ContinuousClock.Instant? {
    deadlines.isEmpty ? nil : state.withLock { _ in deadlines.map(\.instant).min() }
  }

  // MARK: Firing

  private func attoseconds(_ instant: ContinuousClock.Instant) -> Int128 { start.duration(to: instant).attoseconds }

  /// Sets the timer of Dispatch; of calls that overtake each other the last one sets what is the earliest by then.
  private func arm() {
    while true {
      let armed = state.withLock { $0.armed }
      let time = armed.map { DispatchTime.after(Duration(attoseconds: $0 - attoseconds(.now))) }
      unsafe source.schedule(deadline: time ?? .distantFuture)
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
  func fire(_ deadline: DeadlineTimer, of future: Future, by instant: ContinuousClock.Instant) {
    let due = attoseconds(instant)
    while let due = state.withLock({ $0.next(by: due, deadline) }) { fire(due) }
    let scheduled = state.withLock { _ in deadline.instant <= instant ? deadline.scheduled : nil }
    guard let scheduled else { return }
    scheduled.scheduler.stop(scheduled.timer)
    fire(deadline, scheduled.timer, for: future)
  }

  private func fire(_ due: Due) {
    due.node.fire(for: due.future, due.reason)
    withExtendedLifetime(state.withLock { $0.finish(due.node) }) {}
  }
}
