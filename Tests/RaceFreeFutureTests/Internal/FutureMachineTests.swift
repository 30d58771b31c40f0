// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

/// The state machine, event by event: every state meets every event, and the table says what must come of it.
@Suite struct FutureMachineTests {
  /// A state of the machine, and how it is reached.
  enum Start: String, CaseIterable {
    case pending, inLine, held, marking, delivering, resolved, immortal

    func machine(_ resolution: Resolution) -> FutureMachine {
      var machine = FutureMachine(isImmortal: self == .immortal)
      switch self {
      case .pending, .immortal:
        break
      case .inLine:
        machine.performBegan()
      case .held:
        machine.performBegan()
        _ = machine.decide(resolution, .inside)
      case .marking:
        _ = machine.link(Hook.unconnected())
        _ = machine.decide(resolution, .arriving)
      case .delivering:
        _ = machine.decide(resolution, .arriving)
      case .resolved:
        _ = machine.decide(resolution, .arriving)
        _ = machine.delivered(0)
      }
      return machine
    }
  }

  /// Each line: an event, then for each start state "action → phase after it".
  ///
  /// A dash: the owner never sends it there.
  static let table = """
    event             | pending              | inLine               | held                 | marking              | delivering          | resolved            | immortal
    decide            | deliver → delivering | joinLine → pending   | ignore → held        | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → pending
    decide dequeued   | -                    | deliver → delivering | -                    | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → pending
    decide inside     | -                    | hold → held          | ignore → held        | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → pending
    follow            | deliver → delivering | joinLine → pending   | ignore → held        | join → marking       | ignore → delivering | ignore → resolved   | ignore → pending
    perform ends      | -                    | ignore → pending     | deliver → delivering | ignore → marking     | ignore → delivering | ignore → resolved   | ignore → pending
    marked            | -                    | -                    | -                    | handlers → delivering | -                  | -                   | -
    add matching      | keep → pending       | keep → pending       | keep → held          | keep → marking       | keep → delivering   | dispatch → resolved | drop → pending
    add inline        | keep → pending       | keep → pending       | keep → held          | dispatch → marking   | dispatch → delivering | dispatch → resolved | drop → pending
    add other outcome | keep → pending       | keep → pending       | drop → held          | drop → marking       | drop → delivering   | drop → resolved     | drop → pending
    link              | true → pending       | true → pending       | false → held         | false → marking      | false → delivering  | false → resolved    | false → pending
    delivered         | -                    | -                    | -                    | -                    | wait → resolved     | -                   | -
    await finish      | kept → pending       | kept → pending       | kept → held          | kept → marking       | kept → delivering   | now → resolved      | kept → pending
    """

  @Test(arguments: Start.allCases, [Future.Outcome.completed, .cancelled])
  func `every state answers every event as the table says`(start: Start, outcome: Future.Outcome) throws {
    let resolution: Resolution = outcome == .completed ? .completed : .cancelled(CancellationError())
    let rows = Self.table.split(separator: "\n").map { row in
      row.split(separator: "|").map { String($0).trimmingSpaces }
    }
    let column = try #require(rows[0].firstIndex(of: start.rawValue))
    for row in rows.dropFirst() where row[column] != "-" {
      var machine = start.machine(resolution)
      let action = send(row[0], to: &machine, resolution)
      #expect("\(action) → \(machine.phase)" == row[column], "\(row[0]) in \(start)")
      #expect((machine.resolution == nil) == (machine.phase == .pending), "M1 after \(row[0]) in \(start)")
    }
  }

  private func send(_ event: String, to machine: inout FutureMachine, _ resolution: Resolution) -> String {
    switch event {
    case "decide":
      return name(machine.decide(resolution, .arriving))
    case "decide dequeued":
      if machine.inLine == 0 { machine.performBegan() }
      return name(machine.decide(resolution, .dequeued))
    case "decide inside":
      return name(machine.decide(resolution, .inside))
    case "follow":
      return name(machine.follow(Hook.unconnected(.follow), resolution).0)
    case "perform ends":
      if machine.inLine == 0 { machine.performBegan() }
      return name(machine.performEnded())
    case "marked":
      _ = machine.marked()
      return "handlers"
    case "add matching":
      return name(machine.add(HandlerNode(nil, .serialQueue, .plain {})))
    case "add inline":
      return name(machine.add(HandlerNode(nil, .inline, .plain {})))
    case "add other outcome":
      let other: Future.Outcome = resolution.outcome == .completed ? .cancelled : .completed
      return name(machine.add(HandlerNode(other, .inline, .plain {})))
    case "link":
      return "\(machine.link(Hook.unconnected()))"
    case "delivered":
      return name(machine.delivered(0))
    case "await finish":
      return machine.awaitFinish(HandlerNode { _, _ in }) == nil ? "kept" : "now"
    default:
      return "unknown event"
    }
  }

  private func expect(
    _ decision: FutureMachine.Decision,
    _ name: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(self.name(decision) == name, sourceLocation: location)
  }

  private func expect(
    _ addition: FutureMachine.Addition,
    _ name: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(self.name(addition) == name, sourceLocation: location)
  }

  private func expect(
    _ progress: FutureMachine.Progress,
    _ name: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(self.name(progress) == name, sourceLocation: location)
  }

  private func name(_ decision: FutureMachine.Decision) -> String {
    switch decision {
    case .ignore: "ignore"
    case .joinLine: "joinLine"
    case .hold: "hold"
    case .mark: "mark"
    case .deliver: "deliver"
    case .join: "join"
    }
  }

  private func name(_ addition: FutureMachine.Addition) -> String {
    switch addition {
    case .keep: "keep"
    case .dispatch: "dispatch"
    case .drop: "drop"
    }
  }

  private func name(_ progress: FutureMachine.Progress) -> String {
    switch progress {
    case .deliver: "deliver"
    case .finish: "finish"
    case .wait: "wait"
    }
  }

  // MARK: Sequences

  @Test func `a future with links is marked before its handlers are handed out`() {
    var machine = FutureMachine()
    let isTaken = machine.link(Hook.unconnected())
    #expect(isTaken)
    _ = machine.add(HandlerNode(nil, .inline, .plain {}))
    expect(machine.decide(.completed, .arriving), "mark")
    var chain = machine.marked()
    let node = chain.next()
    #expect(node != nil)
    #expect(machine.phase == .delivering)
  }

  @Test func `a future whose links were all taken off is delivered at once`() {
    var machine = FutureMachine()
    let hook = Hook.unconnected()
    let isTaken = machine.link(hook)
    #expect(isTaken)
    machine.unlink(hook)
    expect(machine.decide(.completed, .arriving), "deliver")
  }

  @Test func `a severed link is not taken in`() {
    var machine = FutureMachine()
    let hook = Hook.unconnected()
    hook.link.cut(from: .source)
    let isTaken = machine.link(hook)
    #expect(!isTaken)
  }

  @Test func `handlers added while others are handed over come in the next chain`() {
    var machine = FutureMachine()
    _ = machine.decide(.completed, .arriving)
    let late = HandlerNode(.completed, .serialQueue, .plain {})
    expect(machine.add(late), "keep")
    expect(machine.delivered(0), "deliver")
    #expect(machine.phase == .delivering)
    expect(machine.delivered(1), "wait")
    #expect(machine.phase == .resolved)
  }

  @Test func `nobody is told of the end before the last piece of work has returned`() {
    var machine = FutureMachine()
    _ = machine.awaitFinish(HandlerNode { _, _ in })
    _ = machine.decide(.completed, .arriving)
    // One of two pieces returns before the deliverer has reported them.
    expect(machine.returned(), "wait")
    expect(machine.delivered(2), "wait")
    expect(machine.returned(), "finish")
  }

  @Test func `who waits for the delivery alone doesn't wait for what queues have to do`() {
    var machine = FutureMachine()
    let waiters = [false, true].map { waitsForDeliveryOnly in
      let waiter = HandlerNode { _, _ in }
      waiter.waitsForDeliveryOnly = waitsForDeliveryOnly
      return waiter
    }
    for waiter in waiters { _ = machine.awaitFinish(waiter) }
    _ = machine.decide(.completed, .arriving)
    guard case .finish(let first) = machine.delivered(1) else {
      Issue.record("nobody was woken")
      return
    }
    #expect(first.map(\.waitsForDeliveryOnly) == [true])
    #expect(machine.awaitFinish(waiters[1]) != nil)
    guard case .finish(let last) = machine.returned() else {
      Issue.record("nobody was woken")
      return
    }
    #expect(last.map(\.waitsForDeliveryOnly) == [false])
  }

  @Test func `everybody in line is counted until its turn`() {
    var machine = FutureMachine()
    machine.performBegan()
    expect(machine.decide(.completed, .arriving), "joinLine")
    machine.performBegan()
    #expect(machine.inLine == 3)
    expect(machine.performEnded(), "ignore")
    expect(machine.decide(.completed, .dequeued), "deliver")
    expect(machine.performEnded(), "ignore")
    #expect(machine.inLine == 0)
  }

  @Test func `the handler count follows what is added, removed and handed out`() {
    var machine = FutureMachine()
    let nodes = (0..<3).map { _ in HandlerNode(.cancelled, .serialQueue, .plain {}) }
    for node in nodes { _ = machine.add(node) }
    _ = machine.add(HandlerNode { _, _ in })
    #expect(machine.handlerCount == 3)
    _ = machine.remove(nodes[1])
    _ = machine.remove(nodes[1])
    #expect(machine.handlerCount == 2)
    _ = machine.decide(.completed, .arriving)
    #expect(machine.handlerCount == 0)
  }

  @Test func `a node that was handed out stays in its chain when it is removed`() {
    var machine = FutureMachine()
    let nodes = (0..<3).map { _ in HandlerNode(.completed, .serialQueue, .plain {}) }
    for node in nodes { _ = machine.add(node) }
    guard case .deliver(var chain) = machine.decide(.completed, .arriving) else {
      Issue.record("not delivered")
      return
    }
    _ = machine.remove(nodes[1])
    var handedOut: [HandlerNode] = []
    while let node = chain.next() { handedOut.append(node) }
    #expect(handedOut.elementsEqual(nodes) { $0 === $1 })
  }

  @Test(arguments: 0..<3)
  func `a countdown asked twice by the same link counts once`(asked: Int) {
    let countdown = Link.Countdown(2)
    let first = Hook.unconnected(.all(countdown))
    let second = Hook.unconnected(.all(countdown))
    for _ in 0...asked { #expect(first.verdict(for: .completed) == nil) }
    #expect(second.verdict(for: .completed)?.outcome == .completed)
    #expect(second.verdict(for: .completed)?.outcome == .completed)
  }
}

extension Hook {
  /// The end of a link between two futures that are gone.
  fileprivate static func unconnected(_ rule: Link.Rule = .cascade) -> Hook {
    Hook(Link(rule, from: Future(), to: Future()), .source, keeps: nil)
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
