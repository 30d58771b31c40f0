// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

/// The counts of the machine, event by event.
@Suite struct FutureMachineEndingTests {
  @Test func `the word of a scope has a number and flags that don't touch each other`() {
    var nesting = FutureMachine.Nesting(isNested: true)
    #expect(nesting.isNested && nesting.isScope && !nesting.isOpen && !nesting.isAwaited && nesting.count == 0)
    nesting.count = 100_000
    nesting.isOpen = true
    nesting.count += 1
    nesting.isAwaited = true
    nesting.isOpen = false
    #expect(nesting.isNested && nesting.isScope && !nesting.isOpen && nesting.isAwaited && nesting.count == 100_001)
    nesting = FutureMachine.Nesting(isNested: false)
    #expect(!nesting.isNested && nesting.isScope)
    nesting = FutureMachine.Nesting()
    #expect(!nesting.isNested && !nesting.isScope)
  }

  @Test func `a future that isn't nested is never opened around`() {
    var machine = FutureMachine()
    let answers = [machine.open(.own), machine.ended(.own).closesAround, machine.hasToOpen(at: .completed)]
    #expect(answers == [true, false, false])
  }

  @Test func `a nested scope is opened once, and closed by its last piece, whichever that is`() {
    for pieces: [FutureMachine.Piece] in [[.own, .inside], [.inside, .own], [.own, .own], [.inside, .inside]] {
      var machine = FutureMachine.nested
      var answers = [machine.open(pieces[0]), machine.openInside(pieces[0]), machine.open(pieces[1])]
      #expect(answers == [false, true, true])
      answers = [machine.ended(pieces[0]).closesAround, machine.ended(pieces[1]).closesAround]
      #expect(answers == [false, true])
      // For the next piece it is opened anew; by two threads at once, only once.
      answers = [machine.open(.own), machine.openInside(.own), machine.openInside(.own)]
      #expect(answers == [false, true, false])
      answers = [machine.ended(.own).closesAround, machine.ended(.own).closesAround]
      #expect(answers == [false, true])
    }
  }

  /// What waits for the outcome of a nested scope.
  enum Company: CaseIterable {
    case nothing, slot, handler, library, stop, otherSlot, otherHandler, waiter, drain

    /// True if it runs at a cancellation.
    var runs: Bool { self == .slot || self == .handler || self == .library }

    func add(to machine: inout FutureMachine) {
      switch self {
      case .nothing: break
      case .slot: _ = machine.addInSlot(nil) {}
      case .handler: _ = machine.add(HandlerNode(.cancelled, .serialQueue, .plain {}))
      case .library: _ = machine.add(HandlerNode { _ in })
      case .stop: _ = machine.add(Link.unconnected())
      case .otherSlot: _ = machine.addInSlot(.completed) {}
      case .otherHandler: _ = machine.add(HandlerNode(.completed, .inline, .plain {}))
      case .waiter: _ = machine.add(HandlerNode(role: .waiter) { _ in })
      case .drain: _ = machine.awaitEnd(HandlerNode(role: .drain))
      }
    }
  }

  @Test(arguments: Company.allCases)
  func `it has to be opened before it is decided if handlers wait that run then`(_ company: Company) {
    var machine = FutureMachine.nested
    company.add(to: &machine)
    var answers = [machine.hasToOpen(at: .cancelled)]
    _ = machine.openInside(.own)
    answers.append(machine.hasToOpen(at: .cancelled))
    #expect(answers == [company.runs, false])
  }

  @Test(arguments: Company.allCases)
  func `one that is decided is closed when its handlers have been dispatched and have returned`(_ company: Company) {
    var machine = FutureMachine.nested
    company.add(to: &machine)
    _ = machine.openInside(.own)
    _ = machine.decide(.cancelled(CancellationError()), .arriving, on: thread)
    // The one who has decided it no longer keeps it open.
    var closes = [machine.ended(.own).closesAround]
    machine.leaveMarking()
    var report = FutureMachine.Report()
    report.dispatchedCount = 1
    _ = machine.slotReturned()
    switch machine.delivered(&report) {
    case .over(let ending): closes.append(ending.closesAround)
    default: break
    }
    closes.append(machine.ended(.own).closesAround)
    let isDrained = machine.isOver(.drain)
    #expect(closes == [false, false, true] && isDrained)
  }

  @Test func `a handler that comes late has to wait until the scope is open around`() {
    var machine = FutureMachine.nested
    _ = machine.decide(.completed, .arriving, on: thread)
    let (matching, other) = (HandlerNode(nil, .inline, .plain {}), HandlerNode(.cancelled, .inline, .plain {}))
    var answers = [name(machine.add(other)), name(machine.add(matching))]
    _ = machine.openInside(.own)
    answers.append(name(machine.add(matching)))
    #expect(answers == ["drop", "open", "dispatch"])
    var closes = [machine.ended(.own).closesAround, machine.ended(.own).closesAround]
    #expect(closes == [false, true])
    // Another scope, whose own block has decided it, and which then has nothing to deliver.
    machine = FutureMachine.nested
    let node = HandlerNode(nil, .inline, .plain {})
    _ = machine.add(node)
    _ = machine.performBegan()
    _ = machine.openInside(.own)
    _ = machine.decide(.completed, .inside, on: thread)
    closes = [machine.ended(.own).closesAround]
    _ = machine.remove(node)
    switch machine.performEnded(on: thread) {
    case .deliver: break
    default: Issue.record("it isn't delivered")
    }
    var report = FutureMachine.Report()
    switch machine.delivered(&report) {
    case .over(let ending): closes.append(ending.closesAround)
    default: break
    }
    #expect(closes == [false, true])
  }

  @Test func `a drain of an undecided scope is handed out with the last end, and other entries stay`() {
    var machine = FutureMachine()
    machine.nesting = FutureMachine.Nesting(isNested: false)
    let (drain, end, handler) = (HandlerNode(role: .drain), HandlerNode(role: .awaitsEnd), HandlerNode { _ in })
    var isKept = machine.awaitEnd(drain)
    #expect(!isKept)
    _ = machine.open(.inside)
    for node in [end, drain] { isKept = machine.awaitEnd(node) }
    _ = machine.add(handler)
    var ending = machine.ended(.inside)
    let handedOut = ending.waiters.all
    #expect(isKept && handedOut.elementsEqual([drain]) { $0 === $1 })
    #expect(end.isListed && handler.isListed && !drain.isListed)
    _ = machine.open(.own)
    let isEmpty = machine.ended(.own).isEmpty
    #expect(isEmpty)
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
    machine.nesting = Nesting(isNested: true)
    return machine
  }
}
