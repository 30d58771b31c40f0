// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Threads, as the machine sees them.
let thread = ThreadIdentity(rawValue: 2)
let otherThread = ThreadIdentity(rawValue: 4)

/// The state machine, event by event: every state meets every event, and the table says what must come of it.
@Suite struct FutureMachineTests {
  /// A state of the machine, and how it is reached.
  enum Start: String, CaseIterable {
    case pending, inLine, held, marking, delivering, resolved, unresolvable

    /// What the machine had taken in before it came to this state is up to the caller.
    func machine(_ resolution: Resolution, with company: (inout FutureMachine) -> Void) -> FutureMachine {
      var machine = FutureMachine(isResolvable: self != .unresolvable)
      company(&machine)
      switch self {
      case .pending, .unresolvable:
        break
      case .inLine:
        _ = machine.performBegan()
      case .held:
        _ = machine.performBegan()
        _ = machine.decide(resolution, .inside, on: thread)
      case .marking:
        _ = machine.add(Link.unconnected())
        _ = machine.decide(resolution, .arriving, on: thread)
      case .delivering:
        _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
        _ = machine.decide(resolution, .arriving, on: thread)
        machine.leaveMarking()
      case .resolved:
        _ = machine.decide(resolution, .arriving, on: thread)
      }
      return machine
    }
  }

  /// Each line: an event, then for each start state "action → phase after it".
  ///
  /// A dash: the owner never sends it there.
  static let table = """
    event             | pending              | inLine               | held                 | marking              | delivering          | resolved            | unresolvable
    decide            | finish → resolved    | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → unresolvable
    decide dequeued   | -                    | finish → resolved    | -                    | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → unresolvable
    decide inside     | -                    | hold → held          | ignore → held        | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → unresolvable
    follow | finish → resolved | enqueue → pending  | ignore → held | join → marking | ignore → delivering | ignore → resolved | ignore → unresolvable
    follow back | finish → resolved | enqueue → pending  | ignore → held | join → marking | ignore → delivering | ignore → resolved | ignore → unresolvable
    perform begins    | counted → pending    | counted → pending    | counted → held       | counted → marking    | counted → delivering | counted → resolved | counted → unresolvable
    perform ends      | -                    | ignore → pending     | finish → resolved    | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → unresolvable
    …with a handler:  | -                    | -                    | -                    | -                    | -                   | -                   | -
    decide            | deliver → delivering | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | -                   | -
    decide dequeued   | -                    | deliver → delivering | -                    | ignore → marking     | ignore → delivering | -                   | -
    perform ends      | -                    | ignore → pending     | deliver → delivering | ignore → marking     | ignore → delivering | -                   | -
    …with a first handler: | -               | -                    | -                    | -                    | -                   | -                   | -
    decide            | run → delivering | enqueue → pending    | -                    | -                    | -                   | -                   | -
    decide dequeued   | -                    | run → delivering | -                    | -                    | -                   | -                   | -
    follow | mark → marking | enqueue → pending  | - | - | - | - | -
    unregister first  | removed → pending    | removed → pending    | removed → held       | removed → marking    | started → delivering | -                  | -
    await first       | false → pending      | false → pending      | false → held         | false → marking      | true → delivering   | -                   | -
    …with a waiter:   | -                    | -                    | -                    | -                    | -                   | -                   | -
    decide            | deliver → delivering | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | -                   | -
    perform ends      | -                    | ignore → pending     | deliver → delivering | ignore → marking     | ignore → delivering | -                   | -
    take waiters      | -                    | -                    | -                    | 1 → marking          | -                   | -                   | -
    …with one for all: | -                   | -                    | -                    | -                    | -                   | -                   | -
    decide            | deliver → resolved   | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | -                   | -
    perform ends      | -                    | ignore → pending     | deliver → resolved   | ignore → marking     | ignore → delivering | -                   | -
    take waiters      | -                    | -                    | -                    | 0 → marking          | -                   | -                   | -
    …with a link:     | -                    | -                    | -                    | -                    | -                   | -                   | -
    decide            | mark → marking       | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | -                   | ignore → unresolvable
    perform ends      | -                    | ignore → pending     | mark → marking       | ignore → marking     | ignore → delivering | -                   | -
    detach | out → pending | out → pending | out → held | out → marking | out → delivering | - | out → unresolvable
    neighbors | none → pending | none → pending | none → held | 1 → marking | none → delivering | - | none → unresolvable
    …with a source: | - | - | - | - | - | - | -
    decide | finish → resolved | enqueue → pending  | ignore → held | ignore → marking | ignore → delivering | - | -
    perform ends | - | ignore → pending | finish → resolved | ignore → marking | ignore → delivering | - | -
    take answer | closure → pending | closure → pending | none → held | none → marking | none → delivering | none → resolved | none → unresolvable
    ignore source | out → pending | out → pending | out → held | left → marking | left → delivering | left → resolved | out → unresolvable
    abandon source | finish → resolved | enqueue → pending  | ignore → held | join → marking | ignore → delivering | ignore → resolved | ignore → unresolvable
    …with nothing:    | -                    | -                    | -                    | -                    | -                   | -                   | -
    marked            | -                    | -                    | -                    | handlers → resolved  | -                   | -                   | -
    add matching      | keep → pending       | keep → pending       | keep → held          | keep → marking       | keep → delivering   | dispatch → resolved | drop → unresolvable
    add inline        | keep → pending       | keep → pending       | keep → held          | dispatch → marking   | dispatch → delivering | dispatch → resolved | drop → unresolvable
    add first         | true → pending       | true → pending       | false → held         | false → marking      | false → delivering  | false → resolved    | false → unresolvable
    add other outcome | keep → pending       | keep → pending       | drop → held          | drop → marking       | drop → delivering   | drop → resolved     | drop → unresolvable
    add link | keep → pending | keep → pending | dispatch → held | dispatch → marking | dispatch → delivering | dispatch → resolved | drop → unresolvable
    add stage | keep → pending | keep → pending | keep → held | dispatch → marking | dispatch → delivering | dispatch → resolved | drop → unresolvable
    add source | true → pending | true → pending | false → held | false → marking | false → delivering | false → resolved | false → unresolvable
    add waiter        | keep → pending       | keep → pending       | keep → held          | dispatch → marking   | dispatch → delivering | dispatch → resolved | drop → unresolvable
    unregister        | unlinked → pending   | unlinked → pending   | unlinked → held      | unlinked → marking   | unlinked → delivering | was out → resolved  | was out → unresolvable
    take waiters      | -                    | -                    | -                    | 0 → marking          | -                   | -                   | -
    next              | -                    | -                    | -                    | -                    | over → resolved     | -                   | -
    returned          | -                    | -                    | -                    | wait → marking       | wait → delivering   | wait → resolved     | -
    await end         | kept → pending       | kept → pending       | kept → held          | kept → marking       | kept → delivering   | now → resolved      | kept → unresolvable
    is drained | no → pending | no → pending | no → held | no → marking | no → delivering | yes → resolved | yes → unresolvable
    is open | no → pending | no → pending | yes → held | yes → marking | yes → delivering | no → resolved | no → unresolvable
    …with an activity: | - | - | - | - | - | - | -
    decide | finish → resolved | enqueue → pending  | ignore → held | ignore → marking | ignore → delivering | ignore → resolved | -
    is drained | no → pending | no → pending | no → held | no → marking | no → delivering | no → resolved | -
    is open | no → pending | no → pending | yes → held | yes → marking | yes → delivering | yes → resolved | -
    await end    | kept → pending | kept → pending | kept → held | kept → marking | kept → delivering | kept → resolved | -
    end activity | wait → pending | wait → pending | wait → held | wait → marking | wait → delivering | finish → resolved | -
    """

  @Test(arguments: Start.allCases, [Future.Outcome.completed, .cancelled])
  func `every state answers every event as the table says`(start: Start, outcome: Future.Outcome) throws {
    let resolution: Resolution = outcome == .completed ? .completed : .cancelled(CancellationError())
    let rows = Self.table.split(separator: "\n").map { row in
      row.split(separator: "|").map { String($0).trimmingSpaces }
    }
    let column = try #require(rows[0].firstIndex(of: start.rawValue))
    var company = "…with nothing:"
    for row in rows.dropFirst() {
      if row[0].hasPrefix("…") { company = row[0] }
      guard row[column] != "-" else { continue }
      let link = Link.unconnected(company == "…with a source:" ? .answerCompletion(0) : .follow)
      var machine = start.machine(resolution) { add(company, link, to: &$0) }
      let action = send(row[0], link, to: &machine, resolution)
      #expect("\(action) → \(machine.phase)" == row[column], "\(row[0]) in \(start)")
      #expect(
        (machine.resolution == nil) == [.pending, .unresolvable].contains(machine.phase),
        "M1 after \(row[0]) in \(start)"
      )
    }
  }

  private func add(_ company: String, _ link: Link, to machine: inout FutureMachine) {
    switch company {
    case "…with a handler:":
      _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    case "…with a first handler:":
      _ = machine.addFirst(nil, .inline)
    case "…with a waiter:":
      _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
      _ = machine.add(HandlerNode(role: .waiter) { _ in })
    case "…with one for all:":
      _ = machine.awaitEnd(HandlerNode(role: .awaitsHandlers) { _ in })
    case "…with an activity:":
      machine.countDispatched()
    case "…with a link:":
      _ = machine.add(link)
    case "…with a source:":
      _ = machine.addSource(link)
    default:
      break
    }
  }

  private func send(
    _ event: String,
    _ link: Link,
    to machine: inout FutureMachine,
    _ resolution: Resolution
  ) -> String {
    switch event {
    case "decide":
      return name(machine.decide(resolution, .arriving, on: thread))
    case "decide dequeued":
      if machine.inLine == 0 { _ = machine.performBegan() }
      return name(machine.decide(resolution, .dequeued, on: thread))
    case "decide inside":
      return name(machine.decide(resolution, .inside, on: thread))
    case "follow":
      let link = Link.unconnected(.follow)
      _ = machine.addSource(link)
      return name(machine.arrive(resolution, along: link, from: .source))
    case "follow back":
      return name(machine.arrive(resolution, along: Link.unconnected(backward: .dismiss), from: .target))
    case "abandon source":
      return name(machine.abandon(link, .cancelled(CancellationError())))
    case "ignore source":
      machine.ignore(link)
      return link.isAtTarget ? "left" : "out"
    case "take answer":
      return link.stage.flatMap { machine.takeAnswer(of: $0) } == nil ? "none" : "closure"
    case "neighbors":
      let count = count(of: link, in: machine.neighborsToJoin(except: nil))
      #expect(self.count(of: link, in: machine.neighborsToJoin(except: ObjectIdentifier(link))) == 0)
      return count == 0 ? "none" : "\(count)"
    case "perform begins":
      let before = machine.inLine
      let followsHandlers = machine.performBegan()
      #expect(machine.inLine == before + 1)
      return followsHandlers ? "behind handlers" : "counted"
    case "unregister first":
      return machine.unregister(.first) == nil ? "started" : "removed"
    case "await first":
      let isAwaited = machine.awaitReturn(of: .first, by: otherThread, DispatchGroup()) != nil
      machine.returned(.first)?.leave()
      return "\(isAwaited)"
    case "take waiters":
      let waiters = machine.handlers.takeWaiters()
      return "\(waiters.all.count)"
    case "add waiter":
      return name(machine.add(HandlerNode(role: .waiter) { _ in }))
    case "unregister":
      let node = HandlerNode(nil, .serialQueue, .plain {})
      _ = machine.add(node)
      let wasListed = node.isListed
      let isKept = machine.mayRun(.node(node)) && machine.unregister(.node(node)) != nil
      #expect(isKept)
      return !wasListed ? "was out" : node.isListed ? "left" : "unlinked"
    case "returned":
      _ = machine.add(HandlerNode(nil, .inline, .plain {}))
      return name(machine.ended(nested: false))
    case "detach":
      machine.detach(link)
      return link.isListed ? "left" : "out"
    case "perform ends":
      if machine.inLine == 0 { _ = machine.performBegan() }
      return name(machine.performEnded(on: thread))
    case "marked":
      _ = machine.marked(on: thread)
      return "handlers"
    case "add matching":
      return name(machine.add(HandlerNode(nil, .serialQueue, .plain {})))
    case "add inline":
      return name(machine.add(HandlerNode(nil, .inline, .plain {})))
    case "add first":
      return "\(machine.addFirst(nil, .inline))"
    case "add other outcome":
      let other: Future.Outcome = resolution.outcome == .completed ? .cancelled : .completed
      return name(machine.add(HandlerNode(other, .inline, .plain {})))
    case "add link":
      return name(machine.add(Link.unconnected()))
    case "add stage":
      return name(machine.add(Link.unconnected(.answer(0))))
    case "add source":
      return "\(machine.addSource(Link.unconnected()))"
    case "next":
      var delivery = FutureMachine.Delivery(resolution: resolution, sources: SourceList(), step: .over(nil))
      machine.next(&delivery, on: thread)
      return name(delivery.step)
    case "is drained":
      return machine.isOver(.drain) ? "yes" : "no"
    case "is open":
      return machine.isOpen(besides: 0) ? "yes" : "no"
    case "end activity":
      _ = machine.awaitEnd(HandlerNode(role: .awaitsHandlers) { _ in })
      return name(machine.ended(nested: false))
    case "await end":
      return machine.awaitEnd(HandlerNode(role: .awaitsHandlers) { _ in }) ? "kept" : "now"
    default:
      return "unknown event"
    }
  }

  private func count(of link: Link, in neighbors: FutureMachine.Neighbors) -> Int {
    var (neighbors, count) = (neighbors, 0)
    while case .link(let found, _)? = neighbors.popFirst() { count += found === link ? 1 : 0 }
    return count
  }

  func expect(
    _ effect: consuming FutureMachine.Effect,
    _ name: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(self.name(effect) == name, sourceLocation: location)
  }

  func expect(
    _ addition: FutureMachine.Addition,
    _ name: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(self.name(addition) == name, sourceLocation: location)
  }

  func name(_ effect: consuming FutureMachine.Effect) -> String {
    switch consume effect {
    case .none: "ignore"
    case .enqueue: "enqueue"
    case .hold: "hold"
    case .join: "join"
    case .finish: "finish"
    case .run: "run"
    case .deliver: "deliver"
    case .mark: "mark"
    }
  }

  func name(_ addition: FutureMachine.Addition) -> String {
    switch addition {
    case .keep: "keep"
    case .dispatch: "dispatch"
    case .open: "open"
    case .drop: "drop"
    }
  }

  func name(_ step: borrowing FutureMachine.Step) -> String { step.name }

  /// The name for an end, with waiters that are to be woken.
  func name(_ ending: consuming FutureMachine.Ending?) -> String {
    ending?.waiters.isEmpty == false ? "finish" : "wait"
  }

  // MARK: Sequences

  @Test func `late handlers come after all others, and in one turn with the end`() {
    var machine = FutureMachine()
    for _ in 0..<2 { _ = machine.add(HandlerNode(nil, .inline, .plain {})) }
    let waiter = HandlerNode(role: .awaitsHandlers) { _ in }
    _ = machine.awaitEnd(waiter)
    var delivery = machine.decided(.completed)
    let late = (0..<2).map { _ in HandlerNode(.completed, .serialQueue, .plain {}) }
    for node in late { expect(machine.add(node), "keep") }
    let followsHandlers = machine.performBegan()
    #expect(followsHandlers, "until they are taken a block goes behind them")
    var names = [delivery.step.name]
    for _ in 0..<2 {
      machine.next(&delivery, on: thread)
      names.append(delivery.step.name)
    }
    #expect(names == ["run", "run", "late"] && machine.phase == .delivering)
    let isLate = [machine.nextLate(&delivery), machine.nextLate(&delivery)]
    #expect(isLate == [true, false] && delivery.step.name == "over" && machine.phase == .resolved)
    #expect(waiter.isListed, "both run still")
  }

  @Test func `a block goes the way of the handlers only if late ones wait before it`() {
    var machine = FutureMachine()
    for _ in 0..<2 { _ = machine.add(HandlerNode(nil, .inline, .plain {})) }
    _ = machine.decided(.completed)
    let goesDirectly = !machine.performBegan()
    #expect(goesDirectly)
    _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    let followsHandlers = machine.performBegan()
    #expect(followsHandlers)
    #expect(machine.inLine == 2)
  }

  @Test func `waiters come before all handlers, also before the first one`() {
    var machine = FutureMachine()
    _ = machine.addFirst(nil, .inline)
    let handler = HandlerNode(nil, .inline, .plain {})
    let waiters = (0..<3).map { _ in HandlerNode(role: .waiter) { _ in } }
    for node in [waiters[0], handler, waiters[1], waiters[2]] { _ = machine.add(node) }
    var delivery = machine.decided(.completed)
    switch exchange(&delivery.step, with: .over(nil)) {
    case .wake(let found): #expect(found.all.elementsEqual(waiters) { $0 === $1 }, "in the order in which they came")
    default: Issue.record("no waiters")
    }
    #expect(machine.stepsLeft(of: &delivery) == ["run first", "run", "over"])
  }

  @Test func `the waiters of a marked future are taken out of the middle of its handlers`() {
    var machine = FutureMachine()
    _ = machine.add(Link.unconnected())
    let nodes = (0..<4).map { HandlerNode(role: $0 % 2 == 0 ? .user : .waiter) { _ in } }
    for node in nodes { _ = machine.add(node) }
    _ = machine.decide(.completed, .arriving, on: thread)
    // One leaves while the tree is told.
    _ = machine.unregister(.node(nodes[3]))
    let waiters = machine.handlers.takeWaiters()
    #expect(waiters.all.elementsEqual([nodes[1]]) { $0 === $1 })
    var delivery = machine.deliveryOfMarked()
    #expect(machine.stepsLeft(of: &delivery) == ["run", "over"] && delivery.step.name == "over")
  }

  @Test func `nobody is told of the end before the last piece of work has returned`() {
    var machine = FutureMachine()
    _ = machine.awaitEnd(HandlerNode(role: .awaitsHandlers) { _ in })
    let queue = DispatchQueue(label: "another")
    for place in [HandlerPlace.Kind.serialQueue, .queue(queue)] { _ = machine.add(HandlerNode(nil, place, .plain {})) }
    var delivery = machine.decided(.completed)
    // One of two pieces returns before the other is dispatched.
    #expect(name(machine.ended(nested: false)) == "wait")
    #expect(machine.stepsLeft(of: &delivery) == ["dispatch 1", "over"] && machine.phase == .resolved)
    #expect(name(machine.ended(nested: false)) == "finish")
  }

  @Test func `who waits for the delivery alone doesn't wait for what queues have to do`() {
    var machine = FutureMachine()
    let waiters = [HandlerNode(role: .awaitsHandlers) { _ in }, HandlerNode(role: .awaitsDelivery) { _ in }]
    for waiter in waiters { _ = machine.awaitEnd(waiter) }
    _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    var delivery = machine.decided(.completed)
    machine.next(&delivery, on: thread)
    switch exchange(&delivery.step, with: .over(nil)) {
    case .over(let ending?): #expect(ending.waiters.roles == [.awaitsDelivery])
    default: Issue.record("nobody is told")
    }
    let waits = machine.awaitEnd(waiters[1])
    #expect(!waits)
    let handedOut = waitsOver(machine.ended(nested: false))
    #expect(handedOut.count == 1 && handedOut[0] === waiters[0])
  }

  @Test(arguments: [HandlerPlace.Kind.inline, .serialQueue])
  func `the first handler needs no node, wherever it runs`(place: HandlerPlace.Kind) {
    var machine = FutureMachine()
    let isTaken = machine.addFirst(.completed, place)
    #expect(isTaken && machine.handlers.count == 1)
    let delivery = machine.decided(.completed)
    #expect(delivery.step.name == (place.isInline ? "run first" : "dispatch 1"))
    // One that is on its way to a queue hasn't begun.
    let isRemoved = machine.unregister(.first) != nil
    #expect(isRemoved == !place.isInline && machine.handlers.count == 0)
  }

  @Test func `the first handler can be unregistered as long as others are marked`() {
    var machine = FutureMachine()
    _ = machine.addFirst(nil, .inline)
    let link = Link.unconnected(.follow)
    _ = machine.addSource(link)
    #expect(name(machine.arrive(.completed, along: link, from: .source)) == "mark")
    let isRemoved = machine.unregister(.first) != nil
    #expect(isRemoved && machine.handlers.count == 0)
    #expect(machine.deliveryOfMarked().step.name == "over")
  }

  @Test func `the first handler of the other outcome is handed out to be released`() {
    var machine = FutureMachine()
    _ = machine.addFirst(.cancelled, .inline)
    let delivery = machine.decided(.completed)
    let isUnused = delivery.unused != nil
    #expect(isUnused && delivery.step.name == "over")
    let isAwaited = machine.awaitReturn(of: .first, by: otherThread, DispatchGroup()) != nil
    #expect(!isAwaited)
    let isRemoved = machine.unregister(.first) != nil
    #expect(!isRemoved)
  }

  @Test func `after the first handler was unregistered no other takes its place`() {
    var machine = FutureMachine()
    _ = machine.addFirst(nil, .inline)
    _ = machine.unregister(.first)
    let isTaken = machine.addFirst(nil, .inline)
    #expect(!isTaken)
  }

  @Test func `handlers for the private queue go together, up to one for another place or of the other outcome`() {
    var machine = FutureMachine()
    _ = machine.addFirst(nil, .serialQueue)
    let others: [(Future.Outcome?, HandlerPlace.Kind)] = [
      (nil, .serialQueue), (.completed, .serialQueue), (nil, .inline), (nil, .serialQueue), (.cancelled, .serialQueue),
      (nil, .serialQueue),
    ]
    for (trigger, place) in others { _ = machine.add(HandlerNode(trigger, place, .plain {})) }
    var delivery = machine.decided(.completed)
    #expect(delivery.step.name == "dispatch 3")
    #expect(machine.stepsLeft(of: &delivery) == ["run", "dispatch 1", "dispatch 1", "over"])
  }

  @Test func `everything queued is counted until its turn`() {
    var machine = FutureMachine()
    _ = machine.performBegan()
    expect(machine.decide(.completed, .arriving, on: thread), "enqueue")
    _ = machine.performBegan()
    #expect(machine.inLine == 3)
    #expect(name(machine.performEnded(on: thread)) == "ignore")
    expect(machine.decide(.completed, .dequeued, on: thread), "finish")
    #expect(name(machine.performEnded(on: thread)) == "ignore")
    #expect(machine.inLine == 0)
  }

  @Test func `the handler count follows what is added, removed and handed out`() {
    var machine = FutureMachine()
    let nodes = (0..<3).map { _ in HandlerNode(.cancelled, .serialQueue, .plain {}) }
    for node in nodes { _ = machine.add(node) }
    _ = machine.add(HandlerNode { _ in })
    #expect(machine.handlers.count == 3)
    for _ in 0..<2 { _ = machine.unregister(.node(nodes[1])) }
    #expect(machine.handlers.count == 2)
    _ = machine.decide(.completed, .arriving, on: thread)
    #expect(machine.handlers.count == 0)
  }

  @Test func `a handler can be unregistered until it is taken, also while others run`() {
    var machine = FutureMachine()
    let nodes = (0..<3).map { _ in HandlerNode(.completed, .inline, .plain {}) }
    for node in nodes { _ = machine.add(node) }
    var delivery = machine.decided(.completed)
    let isKept = nodes.prefix(2).map { machine.unregister(.node($0)) != nil }
    #expect(isKept == [false, true], "the first one has started")
    #expect(machine.stepsLeft(of: &delivery) == ["run", "over"])
  }
}

extension FutureMachine {
  mutating func addFirst(_ trigger: Future.Outcome?, _ place: HandlerPlace.Kind) -> Bool {
    var work: HandlerWork? = .plain {}
    return addFirst(trigger, place, &work)
  }

  mutating func leaveMarking() {
    if phase == .marking { _ = marked(on: thread) }
  }

  /// Decides the future, which has no neighbors, and returns the delivery.
  mutating func decided(_ resolution: Resolution) -> Delivery {
    switch decide(resolution, .arriving, on: thread) {
    case .deliver(let delivery): delivery
    case .run(let work, let resolution):
      Delivery(resolution: resolution, sources: SourceList(), step: .run(work, .first))
    default: preconditionFailure("it isn't delivered")
    }
  }

  /// What the end of `marking` hands out.
  mutating func deliveryOfMarked() -> Delivery {
    switch marked(on: thread) {
    case .deliver(let delivery): delivery
    default: preconditionFailure("it was marked, and nothing is handed out")
    }
  }

  /// Takes the pieces that are left, and returns their names.
  mutating func stepsLeft(of delivery: inout Delivery) -> [String] {
    var names: [String] = []
    repeat {
      next(&delivery, on: thread)
      names.append(delivery.step.name)
    } while delivery.step.name != "over"
    return names
  }
}

extension FutureMachine.Step {
  var name: String {
    switch self {
    case .next: "next"
    case .wake: "wake"
    case .run(_, .first): "run first"
    case .run: "run"
    case .leave: "leave"
    case .dispatch(let batch, _): "dispatch \(batch.count)"
    case .pass: "pass"
    case .answer: "pass"
    case .forget: "forget"
    case .late: "late"
    case .over: "over"
    }
  }
}

extension FutureMachine.Batch {
  fileprivate var count: Int { (first == nil ? 0 : 1) + others.count }
}

extension HandlerPlace.Kind {
  fileprivate var isInline: Bool {
    if case .inline = self { true } else { false }
  }
}

/// All waits that are over with an end.
func waitsOver(_ ending: consuming FutureMachine.Ending?) -> [AnyObject] {
  guard let ending = consume ending else { return [] }
  return ending.waiters.all
}

extension EntryList {
  /// All nodes and links.
  var all: [AnyObject] {
    var entries: [AnyObject] = []
    forEach { entry in
      if let object: AnyObject = entry.node ?? entry.link { entries.append(object) }
    }
    return entries
  }

  /// The roles of all nodes.
  var roles: [HandlerNode.Role] {
    var roles: [HandlerNode.Role] = []
    forEach { entry in
      if let role = entry.node?.role { roles.append(role) }
    }
    return roles
  }
}

extension String {
  var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
