// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Performs the effects of the machines' events, outside of every lock but for late handlers (`dispatchLate`): one loop
/// with one list of work, without recursion along any chain (law L10).
///
/// A walk (law L11) resolves all futures that an outcome affects, at any depth, before any of their handlers starts. As
/// long as an outcome has neighbors to notify, the next one is notified: if that resolves it, its own neighbors come
/// behind. Then the waiters of all futures that this engine has marked are woken, then the futures are delivered, in
/// the order of marking, the root first. In the end the answers of stages are decided, one after the other, each with a
/// walk of its own.
///
/// Two threads may walk through overlapping trees. The thread that decides a future delivers it. If a walk comes to a
/// future that the other one is marking, it joins: it notifies that future's neighbors as well. So when an engine
/// begins to deliver, everything below its root is resolved, by either.
@safe
struct Engine: ~Copyable {
  /// Work for a queue.
  enum QueuedWork {
    /// A decision in its turn on the private queue.
    case decision(Resolution)
    /// Handlers that run in one block, and their place.
    case handlers(FutureMachine.Batch, HandlerPlace.Kind)
    case stage(Stage, Resolution)
  }

  /// What is to be done: most engines have nothing, so it is made when needed.
  struct Work {
    /// The neighbors that are being notified, and the next ones.
    var wave = FutureMachine.Neighbors()
    var waves = Queue<FutureMachine.Neighbors>()
    /// The futures that are marked, and whose waiters are to be woken.
    var waiting = Queue<Future>()
    /// The futures that are decided, and for which nothing waits: they are to be reported.
    var finished = Queue<Future>()
    /// The futures that this engine has marked, and has to deliver.
    var marked = Queue<Future>()
    /// The futures of other threads that the walk has joined; kept, so that their identities aren't reused.
    var joined: [ObjectIdentifier: Future] = [:]
    /// The answers of stages.
    var decisions = Queue<(target: Future, resolution: Resolution)>()
  }

  /// The work, if there ever was any: this engine's own memory, and no other code has the pointer.
  private var memory: UnsafeMutablePointer<Work>?
  /// The decision that is next; most engines have no other, and need no memory for it.
  private(set) var next: (target: Future, resolution: Resolution)?
  /// What was on when the work began: asked once.
  let hooks = Hooks.now
  /// Replaces the queues, for tests.
  private let queues: ((QueuedWork, Future) -> Void)?

  @inline(__always)
  init(queues: ((QueuedWork, Future) -> Void)? = nil) { self.queues = queues }

  @inline(__always)
  deinit {
    if let memory = unsafe memory { unsafe Self.release(memory) }
  }

  @inline(never)
  private static func release(_ memory: UnsafeMutablePointer<Work>) {
    unsafe memory.deinitialize(count: 1)
    unsafe memory.deallocate()
  }

  /// The work, as it is now.
  var work: Work { unsafe memory?.pointee ?? Work() }

  /// The place of the work, which is made when needed.
  @inline(__always)
  private mutating func place() -> UnsafeMutablePointer<Work> {
    if let memory = unsafe memory { return unsafe memory }
    return unsafe makeWork()
  }

  @inline(never)
  private mutating func makeWork() -> UnsafeMutablePointer<Work> {
    let place = UnsafeMutablePointer<Work>.allocate(capacity: 1)
    unsafe place.initialize(to: Work())
    unsafe memory = place
    return unsafe place
  }

  // MARK: Entrances

  /// Performs an effect, and all that follows.
  @inline(__always)
  static func perform(_ effect: consuming FutureMachine.Effect, of future: Future) {
    // Most decisions come too late, or find nothing that waits but links to be cut: they need no engine.
    switch consume effect {
    case .none: break
    case .hold: break
    case .run(let work, let resolution):
      let hooks = Hooks.now
      if hooks.contains(.observer) { Observation.reportOutcome(of: future, resolution) }
      work.run(resolution, hooks)
      if let rest = future.process({ $0.ran(on: .current) }) { deliver(rest, of: future) }
    case .finish(var sources):
      if Hooks.isOn(.observer) { return performAll(.finish(sources), of: future) }
      while let source = sources.popFirst() { future.cut(source) }
    case let effect: performAll(effect, of: future)
    }
  }

  @inline(never)
  private static func deliver(_ pieces: consuming FutureMachine.Delivery, of future: Future) {
    var engine = Engine()
    var delivery = Delivery(future: future, pieces: pieces)
    while delivery.step(by: &engine) {}
    engine.run()
  }

  @inline(never)
  private static func performAll(_ effect: consuming FutureMachine.Effect, of future: Future) {
    var engine = Engine()
    if var delivery = engine.perform(effect, of: future) { while delivery.step(by: &engine) {} }
    engine.run()
  }

  /// Performs all that follows from an outcome that comes along a link.
  static func arrive(_ resolution: Resolution, along link: Link, from end: Link.End) {
    var engine = Engine()
    engine.arrive(resolution, along: link, from: end)
    engine.run()
  }

  /// Adds a decision that came by a link, from a stage.
  @inline(__always)
  mutating func decide(_ target: Future, _ resolution: Resolution) {
    if next == nil, unsafe memory?.pointee.decisions.isEmpty != false {
      next = (target, resolution)
    } else {
      unsafe place().pointee.decisions.append((target, resolution))
    }
  }

  // MARK: The loop

  /// Notifies all neighbors, and does no other work yet: no user code runs.
  mutating func mark() {
    while let work = unsafe memory, let neighbor = unsafe Self.nextNeighbor(work) {
      unsafe arrive(work.pointee.wave.resolution, at: neighbor)
    }
  }

  /// Does all the work that there is, and that arises.
  @inline(__always)
  mutating func run() {
    if unsafe next != nil || memory != nil { runAll() }
  }

  private mutating func runAll() {
    var begun: Delivery?
    while step(&begun) {
      if var delivery = begun.take() { while delivery.step(by: &self) {} }
    }
  }

  /// Does the next piece of work, at one future.
  ///
  /// - Parameter begun: Is set to the delivery that begins with it, if one does: that comes before the next piece.
  /// - Returns: True if there was one.
  @inline(__always)
  mutating func step(_ begun: inout Delivery?) -> Bool {
    if let work = unsafe memory, unsafe stepAlongLinks(work, &begun) { return true }
    guard let (target, resolution) = unsafe next.take() ?? memory?.pointee.decisions.popFirst() else { return false }
    let effect = target.opened(at: resolution.outcome) { $0.decide(resolution, .arriving, on: .current) }
    if hooks.contains(.observer) { Observation.reportLoss(of: resolution, at: target, effect) }
    begun = perform(effect, of: target)
    return true
  }

  /// Does the next piece of what goes along links, which comes before the decisions.
  @inline(__always)
  private mutating func stepAlongLinks(_ work: UnsafeMutablePointer<Work>, _ begun: inout Delivery?) -> Bool {
    if let neighbor = unsafe Self.nextNeighbor(work) {
      unsafe arrive(work.pointee.wave.resolution, at: neighbor)
    } else if let future = unsafe work.pointee.waiting.popFirst() {
      future.wakeWaiters()
    } else if let future = unsafe work.pointee.finished.popFirst() {
      if let resolution = future.resolution { Observation.reportOutcome(of: future, resolution) }
    } else if let future = unsafe work.pointee.marked.popFirst() {
      if unsafe !work.pointee.joined.isEmpty { unsafe work.pointee.joined = [:] }
      begun = perform(future.process { $0.marked(on: .current) }, of: future)
    } else {
      return false
    }
    return true
  }

  // MARK: Marking

  @inline(__always)
  private static func nextNeighbor(_ work: UnsafeMutablePointer<Work>) -> FutureMachine.Neighbors.Element? {
    while true {
      if let neighbor = unsafe work.pointee.wave.popFirst() { return neighbor }
      guard let next = unsafe work.pointee.waves.popFirst() else { return nil }
      unsafe work.pointee.wave = next
    }
  }

  @inline(__always)
  private mutating func arrive(_ resolution: Resolution, at neighbor: consuming FutureMachine.Neighbors.Element) {
    let sender = unsafe memory?.pointee.wave.sender
    switch consume neighbor {
    case .link(let link, let end): arrive(resolution, along: link, from: end)
    case .child(let child):
      perform(child.opened(at: .cancelled) { $0.arrive(fromParent: resolution, sender) }, of: child, by: sender)
    case .source(let source):
      perform(source.opened(at: .cancelled) { $0.arrive(resolution, fromDerived: sender) }, of: source, by: sender)
    }
  }

  private mutating func arrive(_ resolution: Resolution, along link: Link, from end: Link.End) {
    // A future that is being released is no neighbor any more.
    guard let future = link.future(at: end == .source ? .target : .source) else { return }
    // The other way only cancellations go.
    let outcome = end == .source ? resolution.outcome : .cancelled
    let effect = future.opened(at: outcome) { $0.arrive(resolution, along: link, from: end) }
    perform(effect, of: future, by: ObjectIdentifier(link))
  }

  /// Notifies a future that the source of the link, which was to decide it, was released.
  mutating func abandon(_ future: Future, by link: Link, _ resolution: Resolution) {
    let effect = future.opened(at: resolution.outcome) { $0.abandon(link, resolution) }
    perform(effect, of: future, by: ObjectIdentifier(link))
  }

  /// Notifies the neighbors of a future, last of all; in a line of futures there are no others.
  @inline(__always)
  private mutating func notify(_ neighbors: consuming FutureMachine.Neighbors, of future: Future) {
    if neighbors.isEmpty { return }
    neighbors.resolution = neighbors.resolution.passedOn(by: future)
    neighbors.sender = ObjectIdentifier(future)
    let work = unsafe place()
    let isNext = unsafe work.pointee.wave.isEmpty && work.pointee.waves.isEmpty
    if isNext { unsafe work.pointee.wave = neighbors } else { unsafe work.pointee.waves.append(neighbors) }
  }

  /// Performs the effect of an event that may have decided the future; returns the delivery that begins with that.
  ///
  /// What comes from another future begins none; by what it came is `known` then.
  @inline(__always)
  @discardableResult
  mutating func perform(
    _ effect: consuming FutureMachine.Effect,
    of future: consuming Future,
    by known: ObjectIdentifier? = nil
  ) -> Delivery? {
    switch consume effect {
    case .none:
      break
    case .hold:
      break
    case .enqueue(let resolution):
      enqueue(.decision(resolution), of: future)
    case .join:
      join(future, by: known)
    case .finish(var sources):
      if hooks.contains(.observer) { unsafe place().pointee.finished.append(future) }
      while let source = sources.popFirst() { future.cut(source) }
    case .run(let work, let resolution):
      if hooks.contains(.observer) { Observation.reportOutcome(of: future, resolution) }
      let pieces = FutureMachine.Delivery(resolution: resolution, sources: SourceList(), step: .run(work, .first))
      return Delivery(future: future, pieces: pieces)
    case .deliver(let pieces):
      if hooks.contains(.observer) { Observation.reportOutcome(of: future, pieces.resolution) }
      return Delivery(future: future, pieces: pieces)
    case .mark(let neighbors, let hasWaiters):
      notify(consume neighbors, of: future)
      let work = unsafe place()
      if hasWaiters { unsafe work.pointee.waiting.append(copy future) }
      unsafe work.pointee.marked.append(future)
    }
    return nil
  }

  /// Notifies the neighbors of a future that another engine is marking.
  mutating func join(_ future: Future, by known: ObjectIdentifier? = nil) {
    let former = unsafe place().pointee.joined.updateValue(future, forKey: ObjectIdentifier(future))
    if former == nil { notify(future.process { $0.neighborsToJoin(except: known) }, of: future) }
  }

  // MARK: Other work

  /// Gives work to a queue.
  func enqueue(_ work: QueuedWork, of future: Future) {
    if let queues { return queues(work, future) }
    future.enqueue(work)
  }
}

/// A marked tree, on its way to the thread that delivers it.
///
/// `@unchecked Sendable`: the engine belongs to the thread that made it, then to the thread that receives it; the queue
/// orders the two.
final class MarkedTree: @unchecked Sendable {
  private var engine: Engine

  init(_ engine: consuming Engine) { self.engine = engine }

  func deliver() { engine.run() }
}
