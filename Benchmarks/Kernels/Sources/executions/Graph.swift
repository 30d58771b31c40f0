// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What is told apart: for each thread its events with the store that each load read from, and for each place its stores
/// in modification order.
///
/// Two orders with the same graph are the same execution. One thread of an exploration runs at a time, and the explorer
/// hands over from one to the next: that makes it `@unchecked Sendable`.
final class Graph: @unchecked Sendable {
  /// An event: the number of its thread, and its place among the events of that.
  struct Event: Hashable {
    var thread: Int
    var index: Int
  }

  /// The thread that runs.
  @TaskLocal static var thread = -1

  private var events: [[Int]] = []
  private var places: [Place] = []
  private var locks = 0
  /// True if a thread came to an assumption that doesn't hold: then the execution doesn't count.
  private(set) var isBlocked = false
  /// True if a load may have read from one of several stores of the same value.
  private(set) var isAmbiguous = false

  func addThread() -> Int {
    events.append([])
    return events.count - 1
  }

  func add(_ place: Place) -> Int {
    places.append(place)
    return places.count - 1
  }

  func addLock() -> Int {
    locks += 1
    return locks - 1
  }

  /// Returns the event that is next in the thread that runs.
  var next: Event { Event(thread: Self.thread, index: events[Self.thread].count) }

  /// Adds an event to the thread that runs.
  func note(_ kind: Int, _ place: Int, from source: Event? = nil) {
    events[Self.thread].append((kind << 8 | place) << 32 | (source.map { ($0.thread + 1) << 16 | $0.index } ?? 0))
  }

  func block() { isBlocked = true }
  func noteAmbiguity() { isAmbiguous = true }

  /// A check sum of the graph.
  var checkSum: Int {
    var hasher = Hasher()
    hasher.combine(events)
    for place in places { hasher.combine(place.stores.map(\.event)) }
    return hasher.finalize()
  }
}
