// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture

/// A real queue of Dispatch in an order: which of its blocks may begin, and which threads run on it.
///
/// A serial queue has one thread of the order, that takes its blocks one after the other. Each block of a concurrent queue
/// has one for itself. Used by the one thread of an order that runs: that makes it `@unchecked Sendable`.
final class DrivenQueue: @unchecked Sendable {
  enum Kind: Sendable {
    case serial, concurrent
    /// A queue that everybody has: without barriers.
    case global
  }

  /// A block that has been queued, or a caller of `sync` that waits for its turn.
  private final class Entry {
    /// Nil: a caller.
    let work: HandedWork?
    let isBarrier: Bool
    let group: DrivenGroup?
    let released: MemoryModel.Knowledge

    init(_ work: HandedWork?, isBarrier: Bool, _ group: DrivenGroup?, _ released: MemoryModel.Knowledge) {
      (self.work, self.isBarrier, self.group, self.released) = (work, isBarrier, group, released)
    }
  }

  /// A thread of the queue that has no block.
  private final class Worker: @unchecked Sendable {
    var entry: Entry?
    var isRunning = false
  }

  let address: UInt
  let label: String
  let identity: ExploredIdentity
  let kind: Kind
  private var target: DrivenQueue?
  private var suspensions = 0
  /// The entries that haven't begun, in their order.
  private var entries: [Entry] = []
  /// The lines of the threads that run on it, or on a queue that targets it.
  private var running: [Int] = []
  private var isExclusive = false
  private var workers: [Worker] = []
  /// The knowledge that blocks, and barriers, released.
  private var (released, releasedByBarriers) = (MemoryModel.Knowledge(), MemoryModel.Knowledge())

  init(_ run: OrderRun, _ place: ExploredPlace, _ address: UInt, _ kind: Kind, isInactive: Bool, target: DrivenQueue?) {
    // Copied there.
    let own = unsafe rff_labelOfQueue(address).map { unsafe String(cString: $0) } ?? ""
    (self.address, self.kind, self.target) = (address, kind, target)
    // Foundation adds an address to its own.
    let words = own.split(separator: " ").prefix { !$0.hasPrefix("0x") }.joined(separator: " ")
    label = kind == .global ? "global queue" : rff_isMainQueue(address) ? "main" : words.isEmpty ? "a queue" : words
    suspensions = isInactive ? 1 : 0
    identity = run.drivenIdentity("queue", label: "queue \"\(label)\"")
    _ = identity.enter(place)
  }

  /// The queue, that which it targets, and so on.
  var chain: [DrivenQueue] {
    var (chain, next) = ([self], target)
    while let queue = next, chain.count < 100 {
      chain.append(queue)
      next = queue.target
    }
    return chain
  }

  private var changes: Footprint {
    var changes = identity.changes
    for queue in chain.dropFirst() { changes.add(queue.identity.changes) }
    return changes
  }

  // MARK: Queueing

  /// Queues work, as a step of the running code.
  func async(_ place: ExploredPlace, _ work: HandedWork, isBarrier: Bool, group: DrivenGroup? = nil) {
    let isBarrier = isBarrier || work.block.flatMap { place.run.driven.blocks[$0]?.isBarrier } ?? false
    if let thread = place.thread {
      var changes = changes
      if let group { changes.add(group.identity.changes) }
      if let block = work.block.flatMap({ place.run.driven.blocks[$0] }) { changes.add(block.identity.changes) }
      _ = thread.take(operation("async", of: thread, changes))
    }
    group?.enters()
    put(place, work, isBarrier: isBarrier, group: group)
  }

  /// Adds work behind what is queued, within a step.
  func put(_ place: ExploredPlace, _ work: HandedWork, isBarrier: Bool = false, group: DrivenGroup? = nil) {
    if place.run.isMainOfTasks(address) { return place.run.putOnMain(work) { group?.leaves($0) } }
    let entry = add(place, work, isBarrier, group)
    let worker = kind == .serial ? workers.first : workers.first { $0.entry == nil && !$0.isRunning }
    if let worker {
      worker.entry = entry
      return
    }
    let new = Worker()
    new.entry = entry
    workers.append(new)
    place.run.trail.usesSomethingNew()
    _ = place.run.addService(label, by: place.thread, before: beginning(new)) { [self] in serve(new) }
  }

  @discardableResult
  private func add(_ place: ExploredPlace, _ work: HandedWork?, _ isBarrier: Bool, _ group: DrivenGroup?) -> Entry {
    var released = place.run.threads.memory.release(by: place.thread?.number ?? 0)
    if let work { released.learn(work.released) }
    let entry = Entry(work, isBarrier: isBarrier && kind == .concurrent, group, released)
    entries.append(entry)
    return entry
  }

  /// Returns the entry that a worker is to begin with next.
  private func next(_ worker: Worker) -> Entry? {
    guard kind == .serial else { return worker.entry }
    return entries.first.flatMap { $0.work == nil ? nil : $0 }
  }

  private func mayBegin(_ entry: Entry) -> Bool {
    guard chain.allSatisfy({ $0.suspensions == 0 }), let place = entries.firstIndex(where: { $0 === entry }) else {
      return false
    }
    let isFirst = place == 0 && running.isEmpty
    if kind == .serial || entry.isBarrier {
      if !isFirst { return false }
    } else if isExclusive || entries[..<place].contains(where: \.isBarrier) {
      return false
    }
    return chain.dropFirst().allSatisfy { $0.kind == .serial ? $0.running.isEmpty : !$0.isExclusive }
  }

  private func begin(_ entry: Entry, _ place: ExploredPlace) {
    let line = place.thread?.line ?? -1
    entries.removeAll { $0 === entry }
    for queue in chain { queue.running.append(line) }
    isExclusive = entry.isBarrier
    let number = place.thread?.number ?? 0
    place.run.threads.memory.acquire(entry.released, by: number)
    let isAlone = kind == .serial || entry.isBarrier
    place.run.threads.memory.acquire(isAlone ? released : releasedByBarriers, by: number)
    place.run.driven.stacks[line, default: []].append(self)
  }

  private func end(_ place: ExploredPlace) {
    let line = place.thread?.line ?? -1
    _ = place.run.driven.stacks[line]?.popLast()
    for queue in chain { if let index = queue.running.lastIndex(of: line) { queue.running.remove(at: index) } }
    let knowledge = place.run.threads.memory.release(by: place.thread?.number ?? 0)
    released.learn(knowledge)
    if isExclusive { releasedByBarriers.learn(knowledge) }
    isExclusive = false
  }

  // MARK: The queue's own threads

  private func serve(_ worker: Worker) {
    guard let place = ExploredPlace.current, let thread = place.thread else { return }
    var way = thread.way
    while way != ThreadOperation.end, runNext(of: worker, place) { way = thread.take(beginning(worker)) }
  }

  /// Runs the next block of a thread, which is released then.
  private func runNext(of worker: Worker, _ place: ExploredPlace) -> Bool {
    guard let entry = next(worker), let work = entry.work else { return false }
    (worker.entry, worker.isRunning) = (nil, true)
    place.run.jobs.leavesTurn()
    begin(entry, place)
    work.run()
    // Within its last step: nothing follows.
    end(place)
    work.block.flatMap { place.run.driven.blocks[$0] }?.ends(place)
    entry.group?.leaves(place)
    worker.isRunning = false
    return true
  }

  private func beginning(_ worker: Worker) -> ThreadOperation {
    ThreadOperation(
      label: { "begins a block" },
      ways: { [self] in next(worker).map(mayBegin) ?? false ? [0] : [] },
      waits: { [self] in "can't begin its next block of \(identity.fullName)\(who)" },
      isIdle: true
    )
  }

  /// Who runs on it, for a report.
  private var who: String {
    if let busy = chain.first(where: { $0.suspensions > 0 }) { return ": \(busy.identity.name) is suspended" }
    return ""
  }

  private func operation(_ verb: String, of thread: ExploredThread, _ touches: Footprint) -> ThreadOperation {
    identity.isUsed(by: thread)
    let name = identity.name
    return ThreadOperation(label: { "\(name).\(verb)" }, touches: touches)
  }

  // MARK: Waiting for a turn

  /// Runs work on the calling thread when it is its turn.
  func sync(_ place: ExploredPlace, _ work: HandedWork, isBarrier: Bool) {
    let run = place.run
    let block = work.block.flatMap { run.driven.blocks[$0] }
    let isBarrier = isBarrier || block?.isBarrier ?? false
    if run.isMainOfTasks(address) { return syncOnMain(place, work) }
    if let thread = place.thread {
      _ = thread.take(operation("sync", of: thread, changes))
      if let own = chain.first(where: { $0.running.contains(thread.line) && ($0.kind == .serial || $0.isExclusive) })
        ?? (isBarrier && running.contains(thread.line) ? self : nil)
      {
        let on = own === self ? "on which it runs" : "whose target \(own.identity.name) runs it"
        thread.fail(
          "\"\(run.title(of: thread.line))\" calls sync on \(identity.fullName), \(on): it waits for itself"
        )
      }
    }
    let entry = add(place, nil, isBarrier, nil)
    if let thread = place.thread, !mayBegin(entry) {
      var turn = operation("sync begins", of: thread, changes)
      turn.touches?.mayWait = true
      turn.ways = { [self] in mayBegin(entry) ? [0] : [] }
      turn.waits = { [self] in
        let others = chain.flatMap(\.running).map { "\"\(run.title(of: $0))\"" }
        let who = others.first.map { ", on which \($0) runs" } ?? who
        let own = run.driven.stacks[thread.line]?.last.map { "runs on \($0.identity.name) and " } ?? ""
        return "\(own)waits for its turn on \(identity.fullName)\(who)"
      }
      _ = thread.take(turn)
    } else if place.thread == nil, !mayBegin(entry) {
      run.cannotWait(
        "\(run.currentStep) waits for its turn on \(identity.name), and nobody else acts before it is over"
      )
    }
    begin(entry, place)
    work.run()
    if let thread = place.thread {
      var changes = changes
      if let block { changes.add(block.identity.changes) }
      _ = thread.take(operation("sync ends", of: thread, changes))
    }
    end(place)
    block?.ends(place)
  }

  /// Has the line of the main actor run work, and waits for it.
  private func syncOnMain(_ place: ExploredPlace, _ work: HandedWork) {
    let run = place.run
    guard let thread = place.thread else {
      run.cannotWait("\(run.currentStep) waits for the main queue, and nobody else acts before it is over")
    }
    _ = thread.take(operation("sync", of: thread, changes))
    if run.jobs.isOnMainActor {
      let who = run.title(of: thread.line)
      thread.fail("\"\(who)\" calls sync on the main queue, on which it runs: it waits for itself")
    }
    let isDone = OneThread<Bool>.Box(false)
    run.putOnMain(work) { _ in isDone.value = true }
    var ends = operation("sync ends", of: thread, changes)
    ends.touches?.mayWait = true
    ends.ways = { isDone.value ? [0] : [] }
    ends.waits = { "waits for its turn on the main queue" }
    _ = thread.take(ends)
  }

  // MARK: More

  func suspend(_ place: ExploredPlace) {
    if let thread = place.thread { _ = thread.take(operation("suspend", of: thread, changes)) }
    suspensions += 1
  }

  func resume(_ place: ExploredPlace, _ verb: String) {
    if let thread = place.thread {
      _ = thread.take(operation(verb, of: thread, changes))
      if suspensions == 0, verb == "resume" {
        thread.fail("\"\(place.run.title(of: thread.line))\" resumes \(identity.fullName), which isn't suspended")
      }
    }
    suspensions = max(0, suspensions - 1)
  }

  func setTarget(_ place: ExploredPlace, _ new: DrivenQueue?) {
    if let thread = place.thread { _ = thread.take(operation("setTarget", of: thread, changes)) }
    target = new
  }

  /// True if the running code is on it, as a barrier if wanted.
  func isCurrent(_ place: ExploredPlace, asBarrier: Bool) -> Bool {
    if place.run.isMainOfTasks(address) { return place.run.jobs.isOnMainActor }
    let stack = place.run.driven.stacks[place.thread?.line ?? -1] ?? []
    return stack.contains { $0.chain.contains { $0 === self } }
      && (!asBarrier || kind == .serial || isExclusive)
  }
}
