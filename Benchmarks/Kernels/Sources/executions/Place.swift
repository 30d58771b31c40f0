// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// An atomic that tells the graph of the execution who reads from whom.
///
/// Each store and update adds an identity to the value, in the bits above the 32nd, so that two of the same value can be
/// told apart; except where the value is compared. One thread runs at a time, as for ``Graph``.
final class Place: @unchecked Sendable {
  private let atomic: Explored.Atomic<Int>
  private let isCompared: Bool
  private unowned let graph: Graph
  private let model: Model
  private var number = 0
  /// The stores in modification order.
  private(set) var stores: [(event: Graph.Event, bits: Int)]
  /// For each thread the oldest store that it may still read from.
  private var oldest: [Int: Int] = [:]

  init(_ value: Int, isCompared: Bool, _ graph: Graph, _ model: Model) {
    atomic = Explored.Atomic(value)
    (self.isCompared, self.graph, self.model) = (isCompared, graph, model)
    stores = [(Graph.Event(thread: -1, index: 0), value)]
    number = graph.add(self)
  }

  // MARK: Accesses

  @discardableResult
  func load(_ order: Order = .sequentiallyConsistent) -> Int {
    let bits = atomic.load(ordering: adapted(order).ofLoad)
    graph.note(0, number, from: source(of: bits))
    return value(bits)
  }

  func store(_ value: Int, _ order: Order = .sequentiallyConsistent) {
    let event = graph.next
    let bits = value + identity(of: event)
    atomic.store(bits, ordering: adapted(order).ofStore)
    graph.note(1, number)
    append(event, bits)
  }

  @discardableResult
  func add(_ operand: Int, _ order: Order = .sequentiallyConsistent) -> Int {
    let new = atomic.add(operand + identity(of: graph.next), ordering: adapted(order).ofUpdate).newValue
    return value(updated(to: new))
  }

  @discardableResult
  func exchange(_ value: Int, _ order: Order = .sequentiallyConsistent) -> Int {
    let event = graph.next
    let bits = value + identity(of: event)
    _ = atomic.exchange(bits, ordering: adapted(order).ofUpdate)
    return self.value(updated(to: bits))
  }

  /// Replaces the value if it is the expected one; returns the value before.
  @discardableResult
  func replace(_ expected: Int, by value: Int, _ order: Order = .sequentiallyConsistent) -> (isDone: Bool, found: Int) {
    precondition(isCompared)
    let adapted = adapted(order)
    let result = atomic.compareExchange(expected: expected, desired: value, ordering: adapted.ofUpdate)
    if result.exchanged {
      return (true, updated(to: value))
    }
    graph.note(0, number, from: source(of: result.original))
    return (false, result.original)
  }

  // MARK: Identities

  private func adapted(_ order: Order) -> Order { model == .sc ? .sequentiallyConsistent : order }

  /// Returns bits that are like those of no other event, and like no sum of them.
  private func identity(of event: Graph.Event) -> Int {
    if isCompared { return 0 }
    var bits = UInt64(event.thread) << 32 | UInt64(event.index) &+ 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int(bits >> 40) << 32
  }

  private func value(_ bits: Int) -> Int { Int(Int32(truncatingIfNeeded: bits)) }

  /// Notes an update of the newest value; returns that.
  private func updated(to bits: Int) -> Int {
    let event = graph.next
    let (source, old) = stores[stores.count - 1]
    graph.note(2, number, from: source)
    append(event, bits)
    return old
  }

  private func append(_ event: Graph.Event, _ bits: Int) {
    oldest[event.thread] = stores.count
    stores.append((event, bits))
  }

  /// Returns the store whose value was loaded.
  private func source(of bits: Int) -> Graph.Event {
    let candidates = stores.indices.dropFirst(oldest[Graph.thread] ?? 0).filter { stores[$0].bits == bits }
    if candidates.count != 1 { graph.noteAmbiguity() }
    guard let found = candidates.first else { return Graph.Event(thread: -2, index: 0) }
    oldest[Graph.thread] = found
    return stores[found].event
  }
}
