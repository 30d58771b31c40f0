// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

/// Threads, as the machine sees them.
let thread = ThreadIdentity(rawValue: 2)
private let otherThread = ThreadIdentity(rawValue: 4)

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
    perform begins    | counted → pending    | counted → pending    | counted → held       | behind handlers → marking | counted → delivering | counted → resolved | counted → unresolvable
    perform ends      | -                    | ignore → pending     | finish → resolved    | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → unresolvable
    …with a handler:  | -                    | -                    | -                    | -                    | -                   | -                   | -
    decide            | deliver → delivering | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | -                   | -
    decide dequeued   | -                    | deliver → delivering | -                    | ignore → marking     | ignore → delivering | -                   | -
    perform ends      | -                    | ignore → pending     | deliver → delivering | ignore → marking     | ignore → delivering | -                   | -
    …with a slot: | -                    | -                    | -                    | -                    | -                   | -                   | -
    decide            | deliver → delivering | enqueue → pending    | -                    | -                    | -                   | -                   | -
    decide dequeued   | -                    | deliver → delivering | -                    | -                    | -                   | -                   | -
    follow | mark → marking | enqueue → pending  | - | - | - | - | -
    remove slot   | removed → pending    | removed → pending    | removed → held       | removed → marking    | started → delivering | -                  | -
    await slot    | false → pending      | false → pending      | false → held         | false → marking      | false → delivering  | -                   | -
    slot returned | -                    | -                    | -                    | -                    | false → delivering  | -                   | -
    remains at end | slot 0 + 0 → pending | - | - | - | - | - | -
    …with a waiter:   | -                    | -                    | -                    | -                    | -                   | -                   | -
    decide            | deliver → delivering | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | -                   | -
    perform ends      | -                    | ignore → pending     | deliver → delivering | ignore → marking     | ignore → delivering | -                   | -
    take waiters      | -                    | -                    | -                    | 1 → marking          | -                   | -                   | -
    …with one for all: | -                   | -                    | -                    | -                    | -                   | -                   | -
    decide            | deliver → delivering | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | -                   | -
    perform ends      | -                    | ignore → pending     | deliver → delivering | ignore → marking     | ignore → delivering | -                   | -
    take waiters      | -                    | -                    | -                    | 0 → marking          | -                   | -                   | -
    …with a link:     | -                    | -                    | -                    | -                    | -                   | -                   | -
    decide            | mark → marking       | enqueue → pending    | ignore → held        | ignore → marking     | ignore → delivering | -                   | ignore → unresolvable
    perform ends      | -                    | ignore → pending     | mark → marking       | ignore → marking     | ignore → delivering | -                   | -
    detach | out → pending | out → pending | out → held | out → marking | left → delivering | - | out → unresolvable
    remains at end | 1 + 0 → pending | - | - | - | - | - | 0 + 0 → unresolvable
    neighbors | none → pending | none → pending | none → held | 1 → marking | none → delivering | - | none → unresolvable
    …with a source: | - | - | - | - | - | - | -
    decide | deliver → resolved | enqueue → pending  | ignore → held | ignore → marking | ignore → delivering | - | -
    perform ends | - | ignore → pending | deliver → resolved | ignore → marking | ignore → delivering | - | -
    take answer | closure → pending | closure → pending | none → held | none → marking | none → delivering | none → resolved | none → unresolvable
    ignore source | out → pending | out → pending | out → held | left → marking | left → delivering | left → resolved | out → unresolvable
    abandon source | finish → resolved | enqueue → pending  | ignore → held | join → marking | ignore → delivering | ignore → resolved | ignore → unresolvable
    remains at end | 0 + 1 → pending | - | - | - | - | - | 0 + 0 → unresolvable
    …with nothing:    | -                    | -                    | -                    | -                    | -                   | -                   | -
    marked            | -                    | -                    | -                    | handlers → delivering | -                  | -                   | -
    add matching      | keep → pending       | keep → pending       | keep → held          | keep → marking       | keep → delivering   | dispatch → resolved | drop → unresolvable
    add inline        | keep → pending       | keep → pending       | keep → held          | dispatch → marking   | dispatch → delivering | dispatch → resolved | drop → unresolvable
    add slot      | true → pending       | true → pending       | false → held         | false → marking      | false → delivering  | false → resolved    | false → unresolvable
    add other outcome | keep → pending       | keep → pending       | drop → held          | drop → marking       | drop → delivering   | drop → resolved     | drop → unresolvable
    add link | keep → pending | keep → pending | dispatch → held | dispatch → marking | dispatch → delivering | dispatch → resolved | drop → unresolvable
    add stage | keep → pending | keep → pending | keep → held | dispatch → marking | dispatch → delivering | dispatch → resolved | drop → unresolvable
    add source | true → pending | true → pending | false → held | false → marking | false → delivering | false → resolved | false → unresolvable
    add waiter        | keep → pending       | keep → pending       | keep → held          | dispatch → marking   | dispatch → delivering | dispatch → resolved | drop → unresolvable
    remove            | unlinked → pending   | unlinked → pending   | unlinked → held      | unlinked → marking       | left → delivering   | was out → resolved  | was out → unresolvable
    take waiters      | -                    | -                    | -                    | 0 → marking          | -                   | -                   | -
    delivered         | -                    | -                    | -                    | -                    | wait → resolved     | -                   | -
    returned          | -                    | -                    | -                    | wait → marking       | wait → delivering   | wait → resolved     | -
    remains at end | 0 + 0 → pending | - | - | - | - | - | 0 + 0 → unresolvable
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
      let link = Link.unconnected(company == "…with a source:" ? .answerCompletion : .follow)
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
    case "…with a slot:":
      _ = machine.addInSlot(nil) {}
    case "…with a waiter:":
      _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
      _ = machine.add(HandlerNode(role: .waiter) { _ in })
    case "…with one for all:":
      _ = machine.awaitEnd(HandlerNode(role: .awaitsHandlers))
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
      let count = count(of: link, in: machine.neighborsToJoin(except: Link.unconnected()))
      #expect(self.count(of: link, in: machine.neighborsToJoin(except: link)) == 0)
      return count == 0 ? "none" : "\(count)"
    case "perform begins":
      let before = machine.inLine
      let followsHandlers = machine.performBegan()
      #expect(machine.inLine == before + 1)
      return followsHandlers ? "behind handlers" : "counted"
    case "remove slot":
      return machine.removeFromSlot().isRemoved ? "removed" : "started"
    case "await slot":
      return "\(machine.awaitSlot(by: thread))"
    case "slot returned":
      return "\(machine.slotReturned())"
    case "take waiters":
      var chain = machine.handlers.takeWaiters()
      return "\(chain.all.count)"
    case "add waiter":
      return name(machine.add(HandlerNode(role: .waiter) { _ in }))
    case "remove":
      let node = HandlerNode(nil, .serialQueue, .plain {})
      _ = machine.add(node)
      let wasListed = node.isListed
      #expect(machine.remove(node) || machine.resolution?.outcome == .cancelled)
      return !wasListed ? "was out" : node.isListed ? "left" : "unlinked"
    case "returned":
      _ = machine.add(HandlerNode(nil, .inline, .plain {}))
      return name(machine.ended(nested: false))
    case "detach":
      machine.detach(link)
      return link.isListed ? "left" : "out"
    case "remains at end":
      var remains = machine.takeRemainsAtEnd()
      let slot = remains.handlers.takeSlot() == nil ? "" : "slot "
      return "\(slot)\(remains.handlers.all.count) + \(remains.sources.isEmpty ? 0 : 1)"
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
    case "add slot":
      return "\(machine.addInSlot(nil) {})"
    case "add other outcome":
      let other: Future.Outcome = resolution.outcome == .completed ? .cancelled : .completed
      return name(machine.add(HandlerNode(other, .inline, .plain {})))
    case "add link":
      return name(machine.add(Link.unconnected()))
    case "add stage":
      return name(machine.add(Link.unconnected(.answer)))
    case "add source":
      return "\(machine.addSource(Link.unconnected()))"
    case "delivered":
      return name(machine.delivered())
    case "is drained":
      return machine.isOver(.drain) ? "yes" : "no"
    case "is open":
      return machine.isOpen(besides: 0) ? "yes" : "no"
    case "end activity":
      _ = machine.awaitEnd(HandlerNode(role: .awaitsHandlers))
      return name(machine.ended(nested: false))
    case "await end":
      return machine.awaitEnd(HandlerNode(role: .awaitsHandlers)) ? "kept" : "now"
    default:
      return "unknown event"
    }
  }

  private func count(of link: Link, in neighbors: FutureMachine.Neighbors) -> Int {
    var (neighbors, count) = (neighbors, 0)
    while let (found, _) = neighbors.popFirst() { count += found === link ? 1 : 0 }
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

  func expect(
    _ progress: consuming FutureMachine.Progress,
    _ name: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(self.name(progress) == name, sourceLocation: location)
  }

  func name(_ effect: consuming FutureMachine.Effect) -> String {
    switch consume effect {
    case .none: "ignore"
    case .enqueue: "enqueue"
    case .hold: "hold"
    case .join: "join"
    case .finish: "finish"
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

  func name(_ progress: consuming FutureMachine.Progress) -> String {
    switch consume progress {
    case .late: "late"
    case .wakeSlot: "wakeSlot"
    case .over(let ending): name(ending)
    }
  }

  /// The name for an end, with waiters that are to be woken.
  func name(_ ending: consuming FutureMachine.Ending?) -> String {
    ending?.waiters.isEmpty == false ? "finish" : "wait"
  }

  // MARK: Sequences

  @Test func `handlers added while others are dispatched are taken before the future is resolved`() {
    var machine = FutureMachine()
    let waiter = HandlerNode(role: .awaitsHandlers)
    _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    _ = machine.decide(.completed, .arriving, on: thread)
    var report = FutureMachine.Report()
    report.waiters.append(waiter)
    let late = HandlerNode(.completed, .serialQueue, .plain {})
    expect(machine.add(late), "keep")
    let followsHandlers = machine.performBegan()
    #expect(followsHandlers, "until they are taken a block goes behind them")
    expect(machine.delivered(&report), "late")
    #expect(machine.phase == .delivering)
    var chain = machine.takeLate()
    #expect(chain.all.elementsEqual([late]) { $0 === $1 })
    #expect(woken(by: machine.delivered(&report)).count == 1)
    #expect(machine.phase == .resolved)
  }

  @Test func `a block goes the way of the handlers only if late ones wait before it`() {
    var machine = FutureMachine()
    _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    _ = machine.decide(.completed, .arriving, on: thread)
    let goesDirectly = !machine.performBegan()
    #expect(goesDirectly)
    _ = machine.add(HandlerNode(nil, .serialQueue, .plain {}))
    let followsHandlers = machine.performBegan()
    #expect(followsHandlers)
    #expect(machine.inLine == 2)
  }

  @Test func `waiters are handed out before all handlers, also before the one without a node`() {
    var machine = FutureMachine()
    _ = machine.addInSlot(nil) {}
    let handler = HandlerNode(nil, .inline, .plain {})
    let waiters = (0..<3).map { _ in HandlerNode(role: .waiter) { _ in } }
    for node in [waiters[0], handler, waiters[1], waiters[2]] { _ = machine.add(node) }
    switch machine.decide(.completed, .arriving, on: thread) {
    case .deliver(_, var remains):
      var first = remains.handlers.takeWaiters()
      #expect(first.all.elementsEqual(waiters) { $0 === $1 }, "in the order in which they came")
      let hasSlot = remains.handlers.takeSlot() != nil
      #expect(hasSlot)
      #expect(remains.handlers.all.map { $0 === handler } == [true])
    default:
      Issue.record("not delivered")
    }
  }

  @Test func `the waiters of a marked future are taken out of the middle of its handlers`() {
    var machine = FutureMachine()
    _ = machine.add(Link.unconnected())
    let nodes = (0..<4).map { HandlerNode(role: $0 % 2 == 0 ? .user : .waiter) { _ in } }
    for node in nodes { _ = machine.add(node) }
    _ = machine.decide(.completed, .arriving, on: thread)
    // One leaves while the tree is told.
    _ = machine.remove(nodes[3])
    var waiters = machine.handlers.takeWaiters()
    #expect(waiters.all.elementsEqual([nodes[1]]) { $0 === $1 })
    var remains = machine.remainsOfMarked()
    #expect(remains.handlers.all.dropFirst().elementsEqual([nodes[0], nodes[2]]) { $0 === $1 })
  }

  @Test func `nobody is told of the end before the last piece of work has returned`() {
    var machine = FutureMachine()
    let waiter = HandlerNode(role: .awaitsHandlers)
    _ = machine.awaitEnd(waiter)
    _ = machine.decide(.completed, .arriving, on: thread)
    // One of two pieces returns before the deliverer has reported them.
    #expect(name(machine.ended(nested: false)) == "wait")
    expect(machine.delivered(2, waiters: [waiter]), "wait")
    #expect(name(machine.ended(nested: false)) == "finish")
  }

  @Test func `who waits for the delivery alone doesn't wait for what queues have to do`() {
    var machine = FutureMachine()
    let waiters = [HandlerNode(role: .awaitsHandlers), HandlerNode(role: .awaitsDelivery)]
    for waiter in waiters { _ = machine.awaitEnd(waiter) }
    _ = machine.decide(.completed, .arriving, on: thread)
    #expect(woken(by: machine.delivered(1, waiters: waiters)).map(\.role) == [.awaitsDelivery])
    let waits = machine.awaitEnd(waiters[1])
    #expect(!waits)
    var ending = machine.ended(nested: false)
    let handedOut = ending?.waiters.all ?? []
    #expect(handedOut.map(\.role) == [.awaitsHandlers])
  }

  private func woken(by progress: consuming FutureMachine.Progress) -> [ListEntry] {
    switch consume progress {
    case .over(var ending): ending?.waiters.all ?? []
    default: []
    }
  }

  @Test func `the handler without a node has started when it is handed out`() {
    var machine = FutureMachine()
    let isTaken = machine.addInSlot(.completed) {}
    #expect(isTaken)
    expect(machine.decide(.completed, .arriving, on: thread), "deliver")
    let (handler, isRemoved) = machine.removeFromSlot()
    #expect(handler == nil && !isRemoved)
    expect(machine.delivered(), "wait")
  }

  @Test func `the handler without a node can be removed as long as others are marked`() {
    var machine = FutureMachine()
    _ = machine.addInSlot(nil) {}
    let link = Link.unconnected(.follow)
    _ = machine.addSource(link)
    #expect(name(machine.arrive(.completed, along: link, from: .source)) == "mark")
    let (handler, isRemoved) = machine.removeFromSlot()
    #expect(handler != nil && isRemoved)
    #expect(machine.handlerCount == 0)
    var remains = machine.remainsOfMarked()
    let isHandedOut = remains.handlers.takeSlot() != nil
    #expect(!isHandedOut)
  }

  @Test func `the handler without a node of the other outcome is handed out to be released`() {
    var machine = FutureMachine()
    _ = machine.addInSlot(.cancelled) {}
    expect(machine.decide(.completed, .arriving, on: thread), "deliver")
    let isAwaited = machine.awaitSlot(by: thread)
    #expect(!isAwaited)
    let (_, isRemoved) = machine.removeFromSlot()
    #expect(!isRemoved)
  }

  @Test func `after a handler without a node was removed no other takes its place`() {
    var machine = FutureMachine()
    _ = machine.addInSlot(nil) {}
    _ = machine.removeFromSlot()
    let isTaken = machine.addInSlot(nil) {}
    #expect(!isTaken)
  }

  @Test(arguments: [false, true])
  func `a thread that waits for the handler without a node is woken at its end`(isAlone: Bool) {
    var machine = FutureMachine()
    _ = machine.addInSlot(nil) {}
    if !isAlone { _ = machine.add(HandlerNode(nil, .inline, .plain {})) }
    expect(machine.decide(.completed, .arriving, on: thread), "deliver")
    let waitsForItself = machine.awaitSlot(by: thread)
    #expect(!waitsForItself)
    let isRunning = machine.awaitSlot(by: otherThread)
    #expect(isRunning)
    if isAlone {
      expect(machine.delivered(), "wakeSlot")
    } else {
      let isAwaited = machine.slotReturned()
      #expect(isAwaited)
    }
    expect(machine.delivered(), "wait")
    #expect(machine.phase == .resolved)
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
    #expect(machine.handlerCount == 3)
    _ = machine.remove(nodes[1])
    _ = machine.remove(nodes[1])
    #expect(machine.handlerCount == 2)
    _ = machine.decide(.completed, .arriving, on: thread)
    #expect(machine.handlerCount == 0)
  }

  @Test func `a node that was handed out stays in its chain when it is removed`() {
    var machine = FutureMachine()
    let nodes = (0..<3).map { _ in HandlerNode(.completed, .serialQueue, .plain {}) }
    for node in nodes { _ = machine.add(node) }
    switch machine.decide(.completed, .arriving, on: thread) {
    case .deliver(_, var remains):
      _ = machine.remove(nodes[1])
      #expect(remains.handlers.all.elementsEqual(nodes) { $0 === $1 })
    default:
      Issue.record("not delivered")
    }
  }
}

extension FutureMachine {
  mutating func leaveMarking() {
    if phase == .marking { _ = marked(on: thread) }
  }

  /// What the end of `marking` hands out.
  mutating func remainsOfMarked() -> Remains {
    switch marked(on: thread) {
    case .deliver(_, let remains): remains
    default: preconditionFailure("it was marked, and nothing is handed out")
    }
  }

  fileprivate mutating func delivered(_ dispatchedCount: Int32 = 0, waiters: [HandlerNode] = []) -> Progress {
    var report = Report()
    report.dispatchedCount = dispatchedCount
    for waiter in waiters { report.waiters.append(waiter) }
    return delivered(&report)
  }
}

extension HandlerChain {
  /// Takes all entries off.
  var all: [ListEntry] {
    mutating get {
      var entries: [ListEntry] = []
      while let entry = next() { entries.append(entry) }
      return entries
    }
  }
}

extension String {
  var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
