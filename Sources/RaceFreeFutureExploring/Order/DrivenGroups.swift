// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture

/// A semaphore of Dispatch in an order.
///
/// Its count is that of the real one, which others may use as well. Used by the one thread of an order that runs: that makes
/// it, as the other kinds, `@unchecked Sendable`.
final class DrivenSemaphore: @unchecked Sendable {
  private let address: UInt
  private let identity: ExploredIdentity
  /// How often more it was taken than signalled.
  private var taken = 0
  private var released = MemoryModel.Knowledge()

  init(_ run: OrderRun, _ place: ExploredPlace, _ address: UInt) {
    self.address = address
    identity = run.drivenIdentity("semaphore")
    _ = identity.enter(place)
  }

  /// Returns false if a time is over before the count is greater than 0.
  func wait(_ place: ExploredPlace, for delay: Int64?) -> Bool {
    let hasCount = place.run.wait(
      place,
      "\(identity.name).wait",
      identity,
      for: delay,
      { [self] in "waits for \(identity.fullName), which nobody signals any more" },
      isReady: { [address] in
        let isReady = rff_takeSemaphore(address)
        if isReady { rff_signalSemaphore(address) }
        return isReady
      }
    )
    guard hasCount, rff_takeSemaphore(address) else { return false }
    taken += 1
    place.run.threads.memory.acquire(released, by: place.thread?.number ?? 0)
    return true
  }

  func signal(_ place: ExploredPlace) {
    if let thread = place.thread {
      let name = identity.name
      _ = thread.take(ThreadOperation(label: { "\(name).signal" }, touches: identity.changes))
    }
    taken -= 1
    released.learn(place.run.threads.memory.release(by: place.thread?.number ?? 0))
    rff_signalSemaphore(address)
  }

  /// Gives it the count that it had before: Dispatch stops the program if one is released that is in use.
  func giveBack() {
    while taken > 0 {
      taken -= 1
      rff_signalSemaphore(address)
    }
    while taken < 0, rff_takeSemaphore(address) { taken += 1 }
  }
}

/// What code waits for in an order, or queues work behind: a group of Dispatch, or the block of a work item.
class DrivenEnd: @unchecked Sendable {
  let identity: ExploredIdentity
  fileprivate let address: UInt
  /// What is queued when it is over.
  private var notifications: [(queue: DrivenQueue, work: HandedWork)] = []
  private var released = MemoryModel.Knowledge()

  fileprivate init(_ run: OrderRun, _ place: ExploredPlace, _ address: UInt, _ kind: String) {
    self.address = address
    identity = run.drivenIdentity(kind)
    _ = identity.enter(place)
  }

  func step(_ place: ExploredPlace, _ verb: String, _ queues: [DrivenQueue] = []) {
    guard let thread = place.thread else { return }
    identity.isUsed(by: thread)
    var changes = identity.changes
    for queue in queues { changes.add(queue.identity.changes) }
    let name = identity.name
    _ = thread.take(ThreadOperation(label: { "\(name).\(verb)" }, touches: changes))
  }

  /// True if code of the order has nothing left to do for it.
  fileprivate var isOver: Bool { false }
  /// True if others haven't, either.
  fileprivate var isOverForAll: Bool { isOver }
  /// What it waits for, for a report.
  fileprivate var lacks: String { "" }

  /// Notes that the running code has done its part, within a step.
  fileprivate func advances(_ place: ExploredPlace) {
    released.learn(place.run.threads.memory.release(by: place.thread?.number ?? 0))
    if !isOver { return }
    for (queue, work) in exchange(&notifications, with: []) { queue.put(place, work) }
  }

  func notify(_ place: ExploredPlace, _ queue: DrivenQueue, _ work: HandedWork) {
    step(place, "notify", queue.chain)
    if isOver { queue.put(place, work) } else { notifications.append((queue, work)) }
  }

  /// Returns false if a time is over before it is.
  func wait(_ place: ExploredPlace, for delay: Int64?) -> Bool {
    let isOver = place.run.wait(
      place,
      "\(identity.name).wait",
      identity,
      for: delay,
      { [self] in "waits for \(identity.fullName), which \(lacks)" },
      isReady: { [self] in isOverForAll }
    )
    if isOver { place.run.threads.memory.acquire(released, by: place.thread?.number ?? 0) }
    return isOver
  }
}

/// A group of Dispatch in an order.
final class DrivenGroup: DrivenEnd, @unchecked Sendable {
  /// How often it has to be left by code of the order; the real one is entered as often, for others.
  private var count = 0
  /// True if it has work that isn't driven.
  var hasMore = false

  init(_ run: OrderRun, _ place: ExploredPlace, _ address: UInt) { super.init(run, place, address, "group") }

  fileprivate override var isOver: Bool { count == 0 }
  fileprivate override var isOverForAll: Bool { count == 0 && rff_isGroupEmpty(address) }
  fileprivate override var lacks: String {
    "has to be left \(count == 1 ? "once" : "\(count) times") more, and nobody does"
  }

  func enter(_ place: ExploredPlace) {
    step(place, "enter")
    enters()
  }

  func enters() {
    count += 1
    rff_enterGroup(address)
  }

  func leave(_ place: ExploredPlace) {
    step(place, "leave")
    // Others may have entered it.
    if count == 0, !rff_isGroupEmpty(address) { return rff_leaveGroup(address) }
    if count == 0 {
      let who = place.thread.map { place.run.title(of: $0.line) } ?? place.run.currentStep
      let text = "\"\(who)\" leaves \(identity.fullName) more often than it was entered"
      if let thread = place.thread { thread.fail(text) }
      place.run.thrown = .misuse(text)
      return
    }
    leaves(place)
  }

  /// Leaves it within a step.
  func leaves(_ place: ExploredPlace) {
    count -= 1
    rff_leaveGroup(address)
    advances(place)
  }
}

/// A work item of Dispatch in an order: the block that it has.
///
/// It isn't kept: a later one at the same address is a new one here.
final class DrivenBlock: DrivenEnd, @unchecked Sendable {
  let isBarrier: Bool
  private var hasEnded = false

  init(_ run: OrderRun, _ place: ExploredPlace, _ address: UInt, isBarrier: Bool) {
    self.isBarrier = isBarrier
    super.init(run, place, address, "work item")
  }

  /// True if a queue has run it, or somebody else has.
  fileprivate override var isOver: Bool {
    if !hasEnded, OwnSemaphore.unnoticed({ rff_hasRunBlock(address) }) { hasEnded = true }
    return hasEnded
  }
  fileprivate override var lacks: String { "nobody runs any more" }

  /// Called when a queue has run it, within the step that ends there.
  func ends(_ place: ExploredPlace) {
    hasEnded = true
    advances(place)
  }
}
