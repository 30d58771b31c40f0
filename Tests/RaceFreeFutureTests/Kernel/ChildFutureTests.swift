// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Children in the list of their parent: in its machine alone, then with it, then with threads (E3).
@Suite struct ChildFutureTests {
  private let cancelled = Resolution.cancelled(Reason("parent"))

  // MARK: The machine of a parent

  @Test func `E3 from a cancellation to its delivery the list keeps the children that are to be notified`() throws {
    var machine = FutureMachine()
    var kept: ChildFuture? = stray(addedTo: &machine)
    let weak = try Weak(#require(kept))
    #expect(count(machine.decide(cancelled, .arriving, on: thread)) == 1)
    // It is resolved before the walk comes to it.
    if let kept { machine.remove(kept) }
    kept = nil
    #expect(!weak.isGone)
    for _ in 0..<2 { #expect(count(machine.neighborsToJoin(except: nil)) == 1, "each walk that joins finds it") }
    var delivery = machine.deliveryOfMarked()
    while let entry = delivery.dropped.popFirst() { entry.drop() }
    #expect(weak.isGone)
  }

  @Test func `E3 a child that was notified is kept by others as before`() {
    let parent = Future()
    let child = Future(linkedTo: parent)
    let weak = Weak(child)
    parent.cancel()
    #expect(!weak.isGone)
    #expect(child.isCancelled)
  }

  @Test func `E3 a child at its end isn't notified, and leaves the list`() {
    var machine = FutureMachine()
    let child = UnownedReference(stray(addedTo: &machine))
    #expect(child.object == nil)
    guard case .finish = machine.decide(cancelled, .arriving, on: thread) else {
      Issue.record("it is marked")
      return
    }
    let isEmpty = machine.handlers.isEmpty
    #expect(isEmpty)
  }

  @Test func `E3 a child at its end isn't told of a completion`() {
    var machine = FutureMachine()
    let child = UnownedReference(stray(addedTo: &machine))
    #expect(child.object == nil)
    let name = machine.decided(.completed).step.name
    #expect(name == "over" && machine.phase == .resolved)
  }

  @Test func `E3 a completed parent hands out each child once, and one that leaves later leaves the others`() {
    var machine = FutureMachine()
    let children = [stray(addedTo: &machine), stray(addedTo: &machine), stray(addedTo: &machine)]
    var delivery = machine.decided(.completed)
    #expect(delivery.step.name == "forget")
    machine.remove(children[0])
    machine.remove(children[2])
    machine.remove(children[2])
    #expect(machine.stepsLeft(of: &delivery) == ["forget", "over"])
  }

  @Test func `a completion that affects others doesn't affect children`() {
    let parent = Future()
    let child = Future(linkedTo: parent)
    let follower = Future.all([parent])
    parent.complete()
    #expect(follower.isCompleted && child.isPending)
  }

  // MARK: The machine of a child

  @Test func `a child whose decision is queued is notified once`() {
    var machine = FutureMachine(sources: SourceList(.parent(Future())))
    _ = machine.performBegan()
    #expect(name(machine.arrive(fromParent: cancelled)) == "enqueue")
    #expect(name(machine.arrive(fromParent: cancelled)) == "none")
  }

  @Test func `M7 a walk that comes to a child which another one marks joins`() {
    let parent = Future()
    var machine = FutureMachine(sources: SourceList(.parent(parent)))
    _ = machine.add(Link.unconnected(.cascade))
    #expect(name(machine.arrive(fromParent: cancelled)) == "mark")
    #expect(name(machine.arrive(fromParent: cancelled)) == "join")
  }

  // MARK: Adding

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `a child that comes too late has the cancellation of its parent, or none, and doesn't keep it`(
    outcome: Future.Outcome
  ) {
    func family() -> (child: Future, parent: Weak<Future>) {
      let parent = Future(label: "parent")
      parent.resolve(outcome)
      let child = Future(linkedTo: parent)
      #expect(children(of: parent).isEmpty)
      return (child, Weak(parent))
    }
    let (child, parent) = family()
    #expect(child.isCancelled == (outcome == .cancelled))
    #expect(child.cancellation?.path == (outcome == .cancelled ? ["parent"] : nil))
    #expect(parent.isGone)
  }

  @Test func `a child of a parent whose block has decided follows at once`() {
    let parent = Future()
    parent.performAndWait {
      parent.cancel(throwing: Reason("inside"))
      #expect(reason(Future(linkedTo: parent).cancellationReason) == Reason("inside"))
    }
  }

  @Test func `what can't be cancelled has no children`() {
    let child = Future(linkedTo: CancelToken.never)
    #expect(child.isPending && !(child is ChildFuture))
  }

  // MARK: Leaving

  enum Way: CaseIterable, Sendable {
    case completed, cancelled, released

    func end(_ child: inout Future?) {
      switch self {
      case .completed: child?.complete()
      case .cancelled: child?.cancel()
      case .released: child = nil
      }
    }
  }

  @Test(arguments: Way.allCases, 0..<3)
  func `E3 a child that is resolved or released leaves the others in their list, from any place`(
    way: Way,
    place: Int
  )
    throws
  {
    let parent = Future()
    var family: [Future?] = (0..<3).map { _ in Future(linkedTo: parent) }
    // So that what is found there, if it is still there, is memory of this child.
    let memory = try UnownedReference(#require(family[place]))
    way.end(&family[place])
    let others = (0..<3).compactMap { $0 == place ? nil : family[$0] }
    let expected = others.map { address($0) }
    #expect(children(of: parent) == expected)
    #expect(parent.process { $0.dependentCount } == 2)
    parent.cancel()
    #expect(others.allSatisfy { $0.isCancelled })
    #expect((memory.object == nil) == (way == .released))
    #expect(children(of: parent).isEmpty)
  }

  @Test(arguments: Way.allCases)
  func `E3 a child leaves a parent whose block has decided as well`(way: Way) throws {
    let parent = Future()
    var child: Future? = Future(linkedTo: parent)
    let memory = try UnownedReference(#require(child))
    parent.performAndWait {
      parent.cancel()
      way.end(&child)
      #expect(children(of: parent).isEmpty)
    }
    #expect((memory.object == nil) == (way == .released))
  }

  @Test(arguments: Way.allCases)
  func `E3 the last reference to a parent goes with that of its child`(way: Way) {
    let live = LiveCount()
    func orphan() -> (child: Future?, parent: Weak<Future>) {
      let parent = Future(linkedTo: Future())
      parent.onCancel { [instance = live.make()] in instance.touch() }
      parent.onComplete { [instance = live.make()] in instance.touch() }
      return (Future(linkedTo: parent), Weak(parent))
    }
    var (child, parent) = orphan()
    #expect(!parent.isGone && live.value == 2)
    way.end(&child)
    #expect(parent.isGone && live.value == 0)
  }

  // MARK: Order

  @Test func `a cancelled parent's handlers run first, then those of its children, in the order of their creation`() {
    let (parent, log) = (Future(), EventLog<String>())
    var family: [Future] = []
    for index in 0..<3 {
      parent.onCancel(on: .inline) { log.add("parent \(index)") }
      family.append(Future(linkedTo: parent))
      family[index].onCancel(on: .inline) { log.add("child \(index)") }
    }
    parent.cancel()
    #expect(log.events == ["parent 0", "parent 1", "parent 2", "child 0", "child 1", "child 2"])
  }

  @Test func `a child forgets a completed parent in its place among the handlers`() {
    let (parent, log) = (Future(), EventLog<[Bool]>())
    let family = EventLog<Future>()
    func note() {
      parent.onComplete(on: .inline) { log.add(family.events.map { $0.process { $0.sources.isEmpty } }) }
    }
    for _ in 0..<3 {
      note()
      family.add(Future(linkedTo: parent))
    }
    note()
    parent.complete()
    #expect(
      log.events == [[false, false, false], [true, false, false], [true, true, false], [true, true, true]]
    )
    let isPending = family.events.map(\.isPending)
    #expect(isPending == [true, true, true])
  }

  // MARK: Walks

  @Test func `M7 a walk that comes to a parent which another one marks finds the children`() {
    let (top, log) = (Future(), EventLog<String>())
    let parent = Future(linkedTo: top)
    let child = Future(linkedTo: parent)
    let leaf = Future(linkedTo: child)
    for (name, future) in [("top", top), ("parent", parent), ("child", child), ("leaf", leaf)] {
      future.onCancel(on: .inline) { log.add("\(name) \(leaf.isCancelled)") }
    }
    var engine = interruptedCancellation(of: parent)
    #expect(parent.isCancelled && child.isPending)
    top.cancel()
    #expect(leaf.isCancelled && log.events == ["top true", "child true", "leaf true"])
    engine.run()
    #expect(log.events == ["top true", "child true", "leaf true", "parent true"])
    for future in [top, parent, child, leaf] { #expect(children(of: future).isEmpty) }
  }

  @Test func `E3 children come and go while the parent is marked`() {
    let (parent, log) = (Future(), EventLog<Future.Outcome>())
    var family: [Future] = (0..<3).map { _ in Future(linkedTo: parent) }
    for child in family { child.onCleanUp(on: .inline) { log.add($0) } }
    let weak = family.map { Weak($0) }
    var engine = interruptedCancellation(of: parent)
    family[0].complete()
    family.removeAll()
    #expect(Future(linkedTo: parent).isCancelled)
    #expect(weak.allSatisfy { !$0.isGone })
    engine.run()
    #expect(log.events == [.completed, .cancelled, .cancelled])
    #expect(weak.allSatisfy { $0.isGone })
    #expect(children(of: parent).isEmpty)
  }

  @Test func `L5 a child whose block waits or runs is cancelled in its turn, once, though two walks come by`() async {
    let (mayEnd, log) = (Gate("the block may end"), EventLog<Reason?>())
    let weak: Weak<Future>
    let child: Future
    do {
      let (top, parent) = (Future(), Future())
      let middle = Future(linkedTo: parent, top)
      child = Future(linkedTo: middle)
      weak = Weak(middle)
      child.standStill(until: mayEnd)
      child.onCancel(on: .inline) { log.add(reason($0)) }
      var engine = interruptedCancellation(of: middle)
      for future in [top, parent] { future.cancel(throwing: Reason("later")) }
      engine.run()
      #expect(middle.isCancelled && child.isPending)
    }
    #expect(weak.isGone, "the decision that is queued needs no parent")
    mayEnd.open()
    #expect(await child.outcome == .cancelled)
    child.performAndWait {}
    #expect(log.events == [Reason("parent")])
  }

  // MARK: Further sources

  /// What resolves a child that has another parent, and follows a future besides.
  enum Decider: CaseIterable, Sendable {
    case parent, otherParent, leader, itself, nobody
  }

  @Test(arguments: Decider.allCases)
  func `E3 a child that has other sources leaves all of them, whichever decides`(decider: Decider) {
    let (parent, other, leader) = (Future(), Future(), Future())
    var child: Future? = Future(linkedTo: parent, other)
    child?.passControl(to: leader)
    switch decider {
    case .parent: parent.cancel()
    case .otherParent: other.cancel()
    case .leader: leader.complete()
    case .itself: child?.complete()
    case .nobody: parent.complete()
    }
    #expect(child?.isPending == (decider == .nobody))
    if decider == .nobody {
      #expect(children(of: parent).isEmpty)
      other.cancel()
      #expect(child?.isCancelled == true)
    }
    let isFree = child?.process { $0.sources.isEmpty }
    #expect(isFree == true)
    child = nil
    for future in [parent, other, leader] {
      let isFree = future.process { $0.sources.isEmpty && $0.handlers.entries.isEmpty }
      #expect(isFree)
    }
  }

  // MARK: Lines

  /// What happens to a line of futures, each of which is a child of the one before.
  enum Fate: CaseIterable, Sendable {
    case cancelled, cancelledWithTheLastAlone, completed, completedFromTheEnd, dropped

    func happen(to line: [Future]) -> Bool {
      var line = line
      let (first, last) = (line[0], line[line.count - 1])
      switch self {
      case .cancelled:
        first.cancel()
        return line.allSatisfy(\.isCancelled)
      case .cancelledWithTheLastAlone:
        line = []
        first.cancel()
        return last.isCancelled
      case .completed:
        for future in line { future.complete() }
        return line.allSatisfy(\.isCompleted)
      case .completedFromTheEnd:
        while let future = line.popLast() { future.complete() }
        return first.isCompleted
      case .dropped:
        line = []
        return last.isPending
      }
    }
  }

  @Test(arguments: Fate.allCases, [false, true])
  func `L10 a line of 100,000 children needs no stack`(fate: Fate, hasHandlers: Bool) async {
    let live = LiveCount()
    let isRight = await onThread(stackSize: 512 << 10) {
      var line = [Future()]
      for index in 0..<iterations(100_000) { line.append(Future(linkedTo: line[index])) }
      for future in line where hasHandlers {
        future.onCancel(on: .inline) { [instance = live.make()] in instance.touch() }
      }
      return fate.happen(to: exchange(&line, with: []))
    }
    #expect(isRight && live.value == 0)
  }

  // MARK: Threads

  /// A parent with children, and how often the handler of each has run.
  private final class Family: Sendable {
    let parent = Future()
    let outcome: Future.Outcome
    let counts: [Count]
    /// One of each four is completed, one is cancelled, one is dropped.
    let children: Locked<[Future?]>
    let late = EventLog<(child: Future, count: Count)>()

    final class Count: Sendable {
      let value = Atomic(0)
    }

    init(_ outcome: Future.Outcome, _ live: LiveCount) {
      self.outcome = outcome
      counts = (0..<8).map { _ in Count() }
      children = Locked(counts.map { [parent] count in Self.child(of: parent, count, live) })
    }

    static func child(of parent: Future, _ count: Count, _ live: LiveCount) -> Future {
      let child = Future(linkedTo: parent)
      child.onCleanUp(on: .inline) { [instance = live.make()] _ in
        instance.touch()
        count.value.add(1, ordering: .relaxed)
      }
      return child
    }

    /// Creates children, and ends some of them.
    func create(_ live: LiveCount) {
      for index in 0..<8 {
        let count = Count()
        var child: Future? = Self.child(of: parent, count, live)
        if index % 4 < 3 { Way.allCases[index % 4].end(&child) }
        if let child { late.add((child, count)) }
      }
    }

    /// Ends children that were there before.
    func end() {
      for index in 0..<8 where index % 4 < 3 {
        // Not under the lock: handlers run, and what is released leaves its parent.
        var child = children.withLock { $0[index].take() }
        Way.allCases[index % 4].end(&child)
        if let child { children.withLock { $0[index] = child } }
      }
    }

    func verify() {
      let found = zip(children.withLock { $0 }, counts) + late.events.map { ($0.child, $0.count) }
      for (child, count) in found {
        let runs = count.value.load(ordering: .relaxed)
        guard let child else {
          #expect(runs <= 1)
          continue
        }
        #expect(runs == (child.isPending ? 0 : 1))
        #expect(!child.isPending || outcome == .completed)
        let isFree = child.process { $0.sources.isEmpty }
        #expect(isFree)
      }
      #expect(ChildFutureTests().children(of: parent).isEmpty)
    }
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `E3 children are created and end while their parent is resolved`(outcome: Future.Outcome) async throws {
    let live = LiveCount()
    await stress(
      rounds: iterations(1_500),
      make: { Family(outcome, live) },
      actors: [{ $0.create(live) }, { $0.end() }, { $0.parent.resolve($0.outcome) }],
      verify: { $0.verify() }
    )
    try await eventually("nothing is kept") { live.value == 0 }
  }

  // MARK: Helpers

  /// Creates a child that has no parent, for a machine that is no future's.
  private func stray() -> ChildFuture {
    let parent = Future()
    parent.complete()
    return ChildFuture(of: parent, label: nil, site: CreationSite(#fileID, #line))
  }

  private func stray(addedTo machine: inout FutureMachine) -> ChildFuture {
    let child = stray()
    #expect(machine.add(child) == nil)
    return child
  }

  /// Cancels a future as far as its own decision, and returns the engine, which has to notify the neighbors.
  private func interruptedCancellation(of future: Future) -> Engine {
    var engine = Engine()
    let isDelivered =
      engine.perform(future.process { $0.decide(cancelled, .arriving, on: .current) }, of: future) != nil
    #expect(!isDelivered)
    return engine
  }

  /// The addresses of the children in the list of a future.
  private func children(of future: Future) -> [UInt] {
    future.process { machine in
      var found: [UInt] = []
      machine.handlers.entries.forEach { entry in
        if case .child(let child) = entry { unsafe found.append(UInt(bitPattern: child.toOpaque())) }
      }
      return found
    }
  }

  private func address(_ future: Future) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(future).toOpaque())
  }

  private func name(_ effect: consuming FutureMachine.Effect) -> String {
    switch consume effect {
    case .none: "none"
    case .enqueue: "enqueue"
    case .join: "join"
    case .mark: "mark"
    default: "other"
    }
  }

  private func count(_ effect: consuming FutureMachine.Effect) -> Int? {
    if case .mark(let neighbors, _) = consume effect { count(neighbors) } else { nil }
  }

  private func count(_ neighbors: FutureMachine.Neighbors) -> Int {
    var (neighbors, count) = (neighbors, 0)
    while neighbors.popFirst() != nil { count += 1 }
    return count
  }
}
