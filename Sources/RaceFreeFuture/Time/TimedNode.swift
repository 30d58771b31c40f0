// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch

/// A node with a timer: a deadline, a completion that comes later, or a wait with a timeout.
///
/// It is its own entry in the heap of `Timers`.
///
/// `@unchecked Sendable`: all that it adds belongs to the lock of `Timers`.
class TimedNode: HandlerNode, @unchecked Sendable {
  /// The future that the timer is for: kept while the timer is in the heap.
  fileprivate final var future: Future?
  /// The place in the heap; negative if it isn't there.
  fileprivate final var place = -1
  /// The timer of the future's scheduler, if it has one.
  fileprivate final var scheduled: (timer: ScheduledTimer, scheduler: any Scheduler)?
  fileprivate final var isStopped = false

  /// Acts when the timer has fired, on any thread and with no lock held.
  func fired(for future: Future) {}

  /// Acts on the thread of all timers, in the order in which they are due: on a thread of its own, as user code may run.
  ///
  /// A new serial queue gets a thread at once. In a global queue it would stand behind everything that was enqueued
  /// there, which may be the very work that a deadline is to end.
  func fire(for future: Future, at instant: ContinuousClock.Instant) {
    DispatchQueue(label: "RaceFreeFuture timer").async { [self] in fired(for: future) }
  }

  /// Stops the timer for good; it can be called any number of times, also before the timer is set.
  override final func stop() {
    let (future, scheduled) = Timers.shared.stop(self)
    if let scheduled { scheduled.scheduler.stop(scheduled.timer) }
    withExtendedLifetime(future) {}
  }
}

extension TimedNode {
  /// Sets the timer, or sets it to another instant; one that was stopped stays so.
  ///
  /// Until then, or until it is stopped, it keeps the future, unless the instant is too far to come.
  func set(to instant: ContinuousClock.Instant, from now: ContinuousClock.Instant, for future: Future) {
    let interval = now.duration(to: instant)
    if let queue = future.scheduledQueue {
      schedule(after: max(.zero, interval), queue, future)
    } else {
      Timers.shared.set(self, to: interval.passes ? instant : nil, future)
    }
  }

  private func schedule(after interval: Duration, _ queue: ScheduledQueue, _ future: Future) {
    let scheduler = queue.scheduler
    // Its time no longer passes.
    guard scheduler.isScheduling else { return }
    // A scheduler shows its timers, so none is set that never fires.
    let timer = interval.passes ? ScheduledTimer(interval: interval.wholeNanoseconds, name: queue.name) : nil
    let (old, isSet) = Timers.shared.exchange(self, timer.map { ($0, scheduler) })
    if let old { old.scheduler.stop(old.timer) }
    guard let timer, isSet else { return }
    scheduler.start(timer) { [self] in fired(for: future) }
    // Stopped meanwhile, or set again: that call may not have found it yet.
    if !Timers.shared.has(self, timer) { scheduler.stop(timer) }
  }
}

/// All timers in one heap behind one timer of Dispatch, which is set to the earliest instant.
///
/// Most deadlines never come: so setting and stopping one costs a turn of the lock, and coming may cost more. The heap
/// has four branches, and each entry knows its place. When an entry is removed the timer of Dispatch isn't touched: it
/// fires, finds nothing, and is set to what is the earliest by then.
final class Timers: Sendable {
  static let shared = Timers()

  /// An entry, not counted in the moves of the heap: one reference is counted as long as it is there, which makes it
  /// `@safe`.
  @safe
  private struct Entry {
    /// The instant, in attoseconds since the start: numbers are compared in less time.
    let due: Int128
    let node: Unmanaged<TimedNode>
  }

  private struct State {
    var heap: [Entry] = []
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
      while place > 0, entry.due < heap[(place - 1) / 4].due {
        put(heap[(place - 1) / 4], at: place)
        place = (place - 1) / 4
      }
      while 4 * place + 1 < heap.count {
        var least = 4 * place + 1
        for next in least..<min(least + 4, heap.count) where heap[next].due < heap[least].due { least = next }
        guard heap[least].due < entry.due else { break }
        put(heap[least], at: place)
        place = least
      }
      put(entry, at: place)
    }

    mutating func set(_ node: TimedNode, to due: Int128, _ future: Future) {
      if node.place < 0 {
        node.place = heap.count
        node.future = future
        unsafe heap.append(Entry(due: due, node: Unmanaged.passRetained(node)))
      } else {
        unsafe heap[node.place] = Entry(due: due, node: heap[node.place].node)
      }
      sift(node.place)
    }

    /// Removes an entry that the caller keeps, and returns its future, to be released outside of the lock.
    mutating func remove(_ node: TimedNode) -> Future? {
      guard node.place >= 0 else { return nil }
      let (place, last) = (node.place, heap.removeLast())
      node.place = -1
      if place < heap.count {
        put(last, at: place)
        sift(place)
      }
      // After a peak it becomes small again (law L7): mapped, because `Array(heap)` shares the space of the old one.
      if heap.capacity > 64, heap.count < heap.capacity / 4 { heap = heap.map { $0 } }
      unsafe Unmanaged.passUnretained(node).release()
      return node.future.take()
    }
  }

  /// Guards the heap, and what a `TimedNode` adds to a node; futures are released, and timers stopped, outside.
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

  fileprivate func set(_ node: TimedNode, to due: ContinuousClock.Instant?, _ future: Future) {
    let due = due.map { start.duration(to: $0).attoseconds }
    let (former, isEarliest) = state.withLock { state -> (Future?, Bool) in
      guard !node.isStopped else { return (nil, false) }
      guard let due else { return (state.remove(node), false) }
      state.set(node, to: due, future)
      if let armed = state.armed, armed <= due { return (nil, false) }
      state.armed = due
      return (nil, true)
    }
    if isEarliest { arm() }
    withExtendedLifetime(former) {}
  }

  fileprivate func stop(_ node: TimedNode) -> (Future?, (timer: ScheduledTimer, scheduler: any Scheduler)?) {
    state.withLock { state in
      node.isStopped = true
      return (state.remove(node), node.scheduled.take())
    }
  }

  /// Replaces the timer of a scheduler, unless the node's was stopped; returns the former one, and whether it was.
  fileprivate func exchange(
    _ node: TimedNode,
    _ new: (timer: ScheduledTimer, scheduler: any Scheduler)?
  ) -> (old: (timer: ScheduledTimer, scheduler: any Scheduler)?, isSet: Bool) {
    state.withLock { _ in
      guard !node.isStopped else { return (nil, false) }
      let old = node.scheduled
      node.scheduled = new
      return (old, true)
    }
  }

  fileprivate func has(_ node: TimedNode, _ timer: ScheduledTimer) -> Bool {
    state.withLock { _ in node.scheduled?.timer === timer }
  }

  /// The number of entries for which there is room.
  var capacity: Int { state.withLock { $0.heap.capacity } }

  private var now: Int128 { start.duration(to: .now).attoseconds }

  /// Sets the timer of Dispatch; of calls that overtake each other the last one sets what is the earliest by then.
  private func arm() {
    while true {
      let armed = state.withLock { $0.armed }
      let time = armed.map { DispatchTime.after(Duration(attoseconds: $0 - now)) }
      unsafe source.schedule(deadline: time ?? .distantFuture)
      if state.withLock({ $0.armed }) == armed { return }
    }
  }

  /// Fires what is due, one after the other: so of several deadlines the earliest is the reason (L14).
  private func fire() {
    let now = now
    let due = state.withLock { state -> [(TimedNode, Future, Int128)] in
      var due: [(TimedNode, Future, Int128)] = []
      while let first = state.heap.first, first.due <= now {
        let node = unsafe first.node.takeUnretainedValue()
        if let future = state.remove(node) { due.append((node, future, first.due)) }
      }
      state.armed = state.heap.first?.due
      return due
    }
    arm()
    for (node, future, due) in due { node.fire(for: future, at: start.advanced(by: Duration(attoseconds: due))) }
  }
}
