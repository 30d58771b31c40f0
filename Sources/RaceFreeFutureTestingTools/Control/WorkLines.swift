// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

package import Dispatch
package import RaceFreeFuture

/// Work that is pending under manual control, in lines: one for each queue, actor or task, and one for the clock.
///
/// Pure: it runs no code, and time passes only when a timer is taken.
package struct WorkLines: Sendable {
  /// A piece of work.
  package struct Item: Sendable {
    package let label: @Sendable () -> String
    /// Returns true if it may run now; nil: always.
    package var isReady: (@Sendable () -> Bool)?
    /// The names of all data that it reads or changes; nil: it may be any.
    package var touches: Set<String>?
    /// The step of an order that made it; -1: none.
    package var maker = -1
    package let run: @Sendable () -> Void
    /// The number of items that were queued before.
    package fileprivate(set) var number = 0

    package init(
      label: @escaping @Sendable () -> String,
      isReady: (@Sendable () -> Bool)? = nil,
      touches: Set<String>? = nil,
      run: @escaping @Sendable () -> Void
    ) {
      (self.label, self.isReady, self.touches, self.run) = (label, isReady, touches, run)
    }
  }

  private struct Line: Sendable {
    let title: String
    /// The owner of the line: kept, so that its identity stays unique.
    let owner: (any AnyObject & Sendable)?
    var items: [Item] = []
    var first = 0
  }

  private struct RunningTimer: Sendable {
    let timer: ScheduledTimer
    let deadline: Int
    let fire: @Sendable () -> Void
  }

  private var lines: [Line] = []
  private var itemCount = 0
  private var places: [ObjectIdentifier: Int] = [:]
  package private(set) var mainLine: Int?
  private static let mainLabel = DispatchQueue.main.label
  /// The timers in the order in which they fire.
  private var timers: [RunningTimer] = []
  /// The line of the clock, once a timer has been set.
  package private(set) var clock: Int?
  /// Nanoseconds since the beginning.
  package private(set) var now = 0

  package init() {}

  // MARK: Lines

  /// Adds a line, and returns its number.
  package mutating func addLine(_ title: String, owner: (any AnyObject & Sendable)? = nil) -> Int {
    let likeIt = lines.count { $0.title == title || $0.title.hasPrefix("\(title) #") }
    lines.append(Line(title: likeIt == 0 ? title : "\(title) #\(likeIt + 1)", owner: owner))
    return lines.count - 1
  }

  /// Releases everything but the titles; returns the contents, to be released by the caller.
  package mutating func letGo() -> WorkLines {
    let all = self
    lines = lines.map { Line(title: $0.title, owner: nil) }
    places = [:]
    timers = []
    return all
  }

  package var titles: [String] { lines.map(\.title) }

  package func title(of line: Int) -> String { lines[line].title }

  package func isEmpty(_ line: Int) -> Bool {
    line == clock ? timers.isEmpty : lines[line].first == lines[line].items.count
  }

  /// The lines with pending work, and the conditions of their first items.
  ///
  /// Loops, because this is computed before every step.
  package var heads: (lines: [Int], conditions: [(line: Int, isReady: @Sendable () -> Bool)]) {
    var heads: [Int] = []
    var conditions: [(line: Int, isReady: @Sendable () -> Bool)] = []
    for line in 0..<lines.count where !isEmpty(line) {
      heads.append(line)
      guard line != clock, let isReady = lines[line].items[lines[line].first].isReady else { continue }
      conditions.append((line, isReady))
    }
    return (heads, conditions)
  }

  /// Returns the first item of a line; nil for the clock.
  package func head(_ line: Int) -> Item? {
    line == clock || isEmpty(line) ? nil : lines[line].items[lines[line].first]
  }

  /// All pending work, line by line, without timers.
  package var waiting: [(line: Int, item: Item)] {
    lines.indices.flatMap { line in lines[line].items[lines[line].first...].map { (line, $0) } }
  }

  /// The line with the item that was queued first.
  var oldest: Int? { waiting.min { $0.item.number < $1.item.number }?.line }

  /// Removes all pending work, without timers, to be released by the caller.
  mutating func dropWaiting() -> [Item] {
    defer {
      for line in lines.indices { (lines[line].items, lines[line].first) = ([], 0) }
    }
    return waiting.map(\.item)
  }

  package mutating func append(_ item: Item, to line: Int) {
    var item = item
    item.number = itemCount
    itemCount += 1
    lines[line].items.append(item)
  }

  /// Removes and returns the first item of a line.
  package mutating func popFirst(_ line: Int) -> Item? {
    if line == clock { return popTimer() }
    guard lines[line].first < lines[line].items.count else { return nil }
    defer {
      lines[line].first += 1
      if lines[line].first == lines[line].items.count {
        // The next one is added soon.
        lines[line].items.removeAll(keepingCapacity: true)
        lines[line].first = 0
      }
    }
    return lines[line].items[lines[line].first]
  }

  /// Removes and returns the last item of a line.
  package mutating func popLast(_ line: Int) -> Item? { isEmpty(line) ? nil : lines[line].items.popLast() }

  // MARK: Work of futures

  /// Queues the work of a future; returns its line.
  @discardableResult
  package mutating func append(_ work: ScheduledWork, madeBy maker: Int = -1) -> Int {
    let (line, isOfFuture) = self.line(for: work)
    let (kind, future) = (work.kind, work.future)
    var item = Item(label: { isOfFuture ? kind.words : "\(kind.words) of \(future.name)" }, run: work.run)
    item.maker = maker
    append(item, to: line)
    return line
  }

  /// Returns the line of a private queue, if any work was ever queued there.
  package func line(of queue: ScheduledQueue) -> Int? { places[ObjectIdentifier(queue)] }

  private mutating func line(for work: ScheduledWork) -> (line: Int, isOfFuture: Bool) {
    switch work.place {
    case .privateQueue:
      return (line(of: work.future, called: "queue of \(work.future.name)"), true)
    case .anyThread:
      return (addLine("background"), false)
    case .queue(let queue) where queue.label.hasPrefix("com.apple.root."):
      // A global queue keeps no order.
      return (addLine("global queue"), false)
    case .queue(let queue):
      return (line(of: queue), false)
    }
  }

  /// Returns the line of a queue that a user has passed.
  package mutating func line(of queue: DispatchQueue) -> Int {
    // On Linux `DispatchQueue.main` is a new object each time.
    guard queue.label == Self.mainLabel else { return line(of: queue, called: queue.label) }
    if let mainLine { return mainLine }
    let line = addLine("main")
    mainLine = line
    return line
  }

  private mutating func line(of owner: any AnyObject & Sendable, called title: @autoclosure () -> String) -> Int {
    if let line = places[ObjectIdentifier(owner)] { return line }
    let line = addLine(title(), owner: owner)
    places[ObjectIdentifier(owner)] = line
    return line
  }

  // MARK: Timers

  package mutating func start(_ timer: ScheduledTimer, _ fire: @escaping @Sendable () -> Void) {
    let deadline = now.addingReportingOverflow(timer.interval.nanoseconds)
    set(timer, deadline.overflow ? .max : deadline.partialValue, fire)
  }

  /// Sets a timer that fires at a time; returns false if the time has passed.
  package mutating func start(_ timer: ScheduledTimer, at deadline: Int, _ fire: @escaping @Sendable () -> Void) -> Bool
  {
    guard deadline > now else { return false }
    set(timer, deadline, fire)
    return true
  }

  private mutating func set(_ timer: ScheduledTimer, _ deadline: Int, _ fire: @escaping @Sendable () -> Void) {
    if clock == nil { clock = addLine("clock") }
    let new = RunningTimer(timer: timer, deadline: deadline, fire: fire)
    // Of timers with the same deadline the one that was set first fires first, also if it was moved.
    let later = timers.firstIndex { other in
      if other.deadline != new.deadline { return other.deadline > new.deadline }
      guard let number = other.timer.number, let own = timer.number else { return false }
      return number > own
    }
    timers.insert(new, at: later ?? timers.endIndex)
  }

  /// Removes a timer; returns its closure, to be released by the caller.
  package mutating func stop(_ timer: ScheduledTimer) -> (@Sendable () -> Void)? {
    guard let index = timers.firstIndex(where: { $0.timer === timer }) else { return nil }
    return timers.remove(at: index).fire
  }

  /// The time of the next timer.
  var nextDeadline: Int? { timers.first?.deadline }

  /// True if the deadline of the next timer has passed.
  package var isDue: Bool { nextDeadline.map { $0 <= now } ?? false }

  package var timerCount: Int { timers.count }

  /// The labels of the timers, in the order in which they fire.
  var timerLabels: [String] { timers.map { label(of: $0, from: 0) } }

  /// Advances the time without firing a timer.
  package mutating func pass(to time: Int) { now = max(now, time) }

  private mutating func popTimer() -> Item? {
    guard let timer = timers.first else { return nil }
    timers.removeFirst()
    let passed = label(of: timer, from: now)
    pass(to: timer.deadline)
    return Item(label: { passed }, run: timer.fire)
  }

  private func label(of timer: RunningTimer, from time: Int) -> String {
    let left = timer.deadline - time
    return "\(left <= 0 ? "time" : "\(Duration.nanoseconds(left)) pass:") for \(timer.timer.name)"
  }
}

extension ScheduledWork.Kind {
  /// A description in words.
  var words: String {
    switch self {
    case .onComplete: "onComplete"
    case .onCancel: "onCancel"
    case .onCleanUp: "onCleanUp"
    case .stage: "step"
    case .perform: "perform block"
    case .complete: "complete() queued"
    case .cancel: "cancel() queued"
    case .job: "work"
    }
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to the range of `Int`.
  package var nanoseconds: Int {
    let limit = Duration.nanoseconds(Int.max)
    let (seconds, attoseconds) = max(.zero - limit, min(self, limit)).components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
