// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

/// The counts of the machine, event by event.
@Suite struct FutureMachineEndingTests {
  @Test func `the word of a scope has a number and flags that don't touch each other`() {
    var nesting = FutureMachine.Nesting()
    let flags: [FutureMachine.Nesting.Flag] = [.isScope, .isNested, .isOpen]
    #expect(nesting.count == 0 && !flags.contains { nesting[$0] })
    for flag in flags {
      nesting[flag] = true
      nesting.count += 50_000
    }
    #expect(nesting.count == 150_000 && flags.allSatisfy { nesting[$0] })
    nesting[.isOpen] = false
    nesting.count -= 1
    #expect(nesting.count == 149_999 && flags.map { nesting[$0] } == [true, true, false])
  }

  @Test func `a future that isn't nested is never opened around`() {
    var machine = FutureMachine()
    let answers = [machine.open(nested: false), machine.closes(nested: false), machine.hasToOpen(at: .completed)]
    #expect(answers == [true, false, false])
  }

  @Test func `a nested scope is opened once, and closed by its last piece, whichever that is`() {
    for nested in [[false, true], [true, false], [false, false], [true, true]] {
      var machine = FutureMachine.nested
      var answers = [
        machine.open(nested: nested[0]), machine.openInside(nested: nested[0]), machine.open(nested: nested[1]),
      ]
      #expect(answers == [false, true, true])
      answers = [machine.closes(nested: nested[0]), machine.closes(nested: nested[1])]
      #expect(answers == [false, true])
      // For the next piece it is opened anew; by two threads at once, only once.
      answers = [machine.open(nested: false), machine.openInside(nested: false), machine.openInside(nested: false)]
      #expect(answers == [false, true, false])
      answers = [machine.closes(nested: false), machine.closes(nested: false)]
      #expect(answers == [false, true])
    }
  }

  /// What waits for the outcome of a nested scope.
  enum Company: CaseIterable {
    case nothing, first, handler, library, stop, otherFirst, otherHandler, waiter, drain

    /// True if it runs at a cancellation.
    var runs: Bool { self == .first || self == .handler || self == .library }

    func add(to machine: inout FutureMachine) {
      switch self {
      case .nothing: break
      case .first: _ = machine.addFirst(nil, .inline)
      case .handler: _ = machine.add(HandlerNode(.cancelled, .serialQueue, .plain {}))
      case .library: _ = machine.add(HandlerNode { _ in })
      case .stop: _ = machine.add(Link.unconnected())
      case .otherFirst: _ = machine.addFirst(.completed, .inline)
      case .otherHandler: _ = machine.add(HandlerNode(.completed, .inline, .plain {}))
      case .waiter: _ = machine.add(HandlerNode(role: .waiter) { _ in })
      case .drain: _ = machine.awaitEnd(HandlerNode(role: .drain) { _ in })
      }
    }
  }

  @Test(arguments: Company.allCases)
  func `it has to be opened before it is decided if handlers wait that run then`(_ company: Company) {
    var machine = FutureMachine.nested
    company.add(to: &machine)
    var answers = [machine.hasToOpen(at: .cancelled)]
    _ = machine.openInside(nested: false)
    answers.append(machine.hasToOpen(at: .cancelled))
    #expect(answers == [company.runs, false])
  }

  @Test(arguments: Company.allCases)
  func `one that is decided is closed when its handlers have been dispatched and have returned`(_ company: Company) {
    var machine = FutureMachine.nested
    company.add(to: &machine)
    _ = machine.openInside(nested: false)
    let reason = Resolution.cancelled(CancellationError())
    var delivery = company == .stop ? machine.marked(reason) : machine.decided(reason)
    // What has decided it no longer keeps it open.
    let endsEarly = delivery.step.name != "over"
    var isClosing: [Bool] = []
    if endsEarly { isClosing.append(machine.closes(nested: false)) }
    while delivery.step.name != "over" { machine.next(&delivery, on: thread) }
    isClosing.append(closes(&delivery))
    if !endsEarly || company == .handler { isClosing.append(machine.closes(nested: false)) }
    let isDrained = machine.isOver(.drain)
    #expect(isClosing.last == true && !isClosing.dropLast().contains(true) && isDrained)
  }

  @Test func `a handler that comes late has to wait until the scope is open around`() {
    var machine = FutureMachine.nested
    _ = machine.decide(.completed, .arriving, on: thread)
    let (matching, other) = (HandlerNode(nil, .inline, .plain {}), HandlerNode(.cancelled, .inline, .plain {}))
    var answers = [name(machine.add(other)), name(machine.add(matching))]
    _ = machine.openInside(nested: false)
    answers.append(name(machine.add(matching)))
    #expect(answers == ["drop", "open", "dispatch"])
    var isClosing = [machine.closes(nested: false), machine.closes(nested: false)]
    #expect(isClosing == [false, true])
    // Another scope, whose own block has decided it, and which then has nothing to deliver.
    machine = FutureMachine.nested
    let node = HandlerNode(nil, .inline, .plain {})
    _ = machine.add(node)
    _ = machine.performBegan()
    _ = machine.openInside(nested: false)
    _ = machine.decide(.completed, .inside, on: thread)
    isClosing = [machine.closes(nested: false)]
    _ = machine.unregister(.node(node))
    switch machine.performEnded(on: thread) {
    case .deliver(var delivery): isClosing.append(closes(&delivery))
    default: Issue.record("it isn't delivered")
    }
    #expect(isClosing == [false, true])
  }

  @Test func `a drain of an undecided scope is handed out with the last end, and other entries stay`() {
    var machine = FutureMachine()
    machine.nesting[.isScope] = true
    let (drain, end, handler) = (
      HandlerNode(role: .drain) { _ in }, HandlerNode(role: .awaitsEnd) { _ in }, HandlerNode { _ in }
    )
    var isKept = machine.awaitEnd(drain)
    #expect(!isKept)
    _ = machine.open(nested: true)
    for node in [end, drain] { isKept = machine.awaitEnd(node) }
    _ = machine.add(handler)
    let handedOut = waitsOver(machine.ended(nested: true))
    #expect(isKept && handedOut.elementsEqual([drain]) { $0 === $1 })
    #expect(end.isListed && handler.isListed && !drain.isListed)
    _ = machine.open(nested: false)
    let wakes = machine.ended(nested: false)?.waiters.isEmpty == false
    #expect(!wakes)
  }

  private func closes(_ delivery: inout FutureMachine.Delivery) -> Bool {
    switch exchange(&delivery.step, with: .over(nil)) {
    case .over(let ending?): ending.closesAround
    default: false
    }
  }

  private func name(_ addition: FutureMachine.Addition) -> String {
    switch addition {
    case .keep: "keep"
    case .dispatch: "dispatch"
    case .open: "open"
    case .drop: "drop"
    }
  }
}

extension FutureMachine {
  /// The machine of a nested scope.
  fileprivate static var nested: FutureMachine {
    var machine = FutureMachine()
    (machine.nesting[.isScope], machine.nesting[.isNested]) = (true, true)
    return machine
  }

  /// Decides a machine that has neighbors, and returns the delivery.
  fileprivate mutating func marked(_ resolution: Resolution) -> Delivery {
    _ = decide(resolution, .arriving, on: thread)
    return deliveryOfMarked()
  }

  /// Ends a piece, and returns true if that closes the scope around.
  fileprivate mutating func closes(nested: Bool) -> Bool { ended(nested: nested)?.closesAround == true }
}
