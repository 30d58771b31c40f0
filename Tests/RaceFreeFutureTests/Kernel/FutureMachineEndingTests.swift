// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

/// The counts of the machine, event by event.
@Suite struct FutureMachineEndingTests {
  @Test func `the word of a scope has a number and flags that don't touch each other`() {
    var nesting = FutureMachine.Nesting()
    let flags: [FutureMachine.Nesting.Flag] = [.isScope, .isNested, .isOpen, .isAwaited]
    #expect(nesting.count == 0 && !flags.contains { nesting[$0] })
    for flag in flags {
      nesting[flag] = true
      nesting.count += 25_000
    }
    #expect(nesting.count == 100_000 && flags.allSatisfy { nesting[$0] })
    nesting[.isOpen] = false
    nesting.count -= 1
    #expect(nesting.count == 99_999 && flags.map { nesting[$0] } == [true, true, false, true])
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
    _ = machine.openInside(nested: false)
    answers.append(machine.hasToOpen(at: .cancelled))
    #expect(answers == [company.runs, false])
  }

  @Test(arguments: Company.allCases)
  func `one that is decided is closed when its handlers have been dispatched and have returned`(_ company: Company) {
    var machine = FutureMachine.nested
    company.add(to: &machine)
    _ = machine.openInside(nested: false)
    _ = machine.decide(.cancelled(CancellationError()), .arriving, on: thread)
    // The one who has decided it no longer keeps it open.
    var isClosing = [machine.closes(nested: false)]
    machine.leaveMarking()
    var report = FutureMachine.Report()
    report.dispatchedCount = 1
    _ = machine.slotReturned()
    isClosing.append(closes(machine.delivered(&report)))
    isClosing.append(machine.closes(nested: false))
    let isDrained = machine.isOver(.drain)
    #expect(isClosing == [false, false, true] && isDrained)
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
    _ = machine.remove(node)
    switch machine.performEnded(on: thread) {
    case .deliver: break
    default: Issue.record("it isn't delivered")
    }
    var report = FutureMachine.Report()
    isClosing.append(closes(machine.delivered(&report)))
    #expect(isClosing == [false, true])
  }

  @Test func `a drain of an undecided scope is handed out with the last end, and other entries stay`() {
    var machine = FutureMachine()
    machine.nesting[.isScope] = true
    let (drain, end, handler) = (HandlerNode(role: .drain), HandlerNode(role: .awaitsEnd), HandlerNode { _ in })
    var isKept = machine.awaitEnd(drain)
    #expect(!isKept)
    _ = machine.open(nested: true)
    for node in [end, drain] { isKept = machine.awaitEnd(node) }
    _ = machine.add(handler)
    var ending = machine.ended(nested: true)
    let handedOut = ending?.waiters.all ?? []
    #expect(isKept && handedOut.elementsEqual([drain]) { $0 === $1 })
    #expect(end.isListed && handler.isListed && !drain.isListed)
    _ = machine.open(nested: false)
    ending = machine.ended(nested: false)
    let isEmpty = ending == nil || ending?.waiters.isEmpty == true
    #expect(isEmpty)
  }

  private func closes(_ progress: consuming FutureMachine.Progress) -> Bool {
    switch consume progress {
    case .over(let ending): closes(ending)
    default: false
    }
  }

  private func closes(_ ending: consuming FutureMachine.Ending?) -> Bool { ending?.closesAround == true }

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

  /// Ends a piece, and returns true if that closes the scope around.
  fileprivate mutating func closes(nested: Bool) -> Bool { ended(nested: nested)?.closesAround == true }
}
