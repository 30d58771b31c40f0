// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFuture

// The events of deadlines, in the states of `FutureMachineTests`.
extension FutureMachineTests {
  /// Each line: an event, then for each start state "answer → phase after it, number of deadlines".
  ///
  /// A dash: the owner never sends it there.
  static let deadlineTable = """
    event | pending | inLine | held | marking | delivering | resolved | unresolvable
    add a deadline | set → pending, 1 | set → pending, 1 | too late → held, 0 | too late → marking, 0 | too late → delivering, 0 | too late → resolved, 0 | too late → unresolvable, 0
    come | mark → marking, 0 | enqueue → pending, 0 | ignore → held, 0 | join → marking, 0 | ignore → delivering, 0 | ignore → resolved, 0 | -
    sources | 0 → pending, 0 | 0 → pending, 0 | 0 → held, 0 | 0 → marking, 0 | 0 → delivering, 0 | 0 → resolved, 0 | 0 → unresolvable, 0
    …with a deadline: | - | - | - | - | - | - | -
    add a deadline | set → pending, 2 | set → pending, 2 | too late → held, 1 | too late → marking, 1 | too late → delivering, 0 | too late → resolved, 0 | -
    remove | removed → pending, 0 | removed → pending, 0 | too late → held, 1 | too late → marking, 1 | too late → delivering, 0 | too late → resolved, 0 | -
    come | mark → marking, 1 | enqueue → pending, 1 | ignore → held, 1 | join → marking, 1 | ignore → delivering, 0 | ignore → resolved, 0 | -
    come again | join → marking, 1 | enqueue → pending, 1 | ignore → held, 1 | join → marking, 1 | ignore → delivering, 0 | ignore → resolved, 0 | -
    …with a source: | - | - | - | - | - | - | -
    sources | 1 → pending, 0 | 1 → pending, 0 | 0 → held, 0 | 0 → marking, 0 | 0 → delivering, 0 | 0 → resolved, 0 | -
    …with one of any: | - | - | - | - | - | - | -
    sources | 0 → pending, 0 | 0 → pending, 0 | 0 → held, 0 | 0 → marking, 0 | 0 → delivering, 0 | 0 → resolved, 0 | -
    …with a link back: | - | - | - | - | - | - | -
    sources | 0 → pending, 0 | 0 → pending, 0 | 0 → held, 0 | 0 → marking, 0 | 0 → delivering, 0 | - | -
    """

  @Test(arguments: Start.allCases, [Future.Outcome.completed, .cancelled])
  func `every state answers the events of deadlines as the table says`(start: Start, outcome: Future.Outcome) throws {
    let resolution: Resolution = outcome == .completed ? .completed : .cancelled(CancellationError())
    let rows = Self.deadlineTable.split(separator: "\n").map { row in
      row.split(separator: "|").map { String($0).trimmingSpaces }
    }
    let column = try #require(rows[0].firstIndex(of: start.rawValue))
    var company = ""
    for row in rows.dropFirst() {
      if row[0].hasPrefix("…") { company = row[0] }
      guard row[column] != "-" else { continue }
      let deadline = unset()
      var machine = start.machine(resolution) { add(company, deadline, to: &$0) }
      if start == .resolved { machine.leaveDelivering() }
      let answer = send(row[0], deadline, to: &machine)
      #expect("\(answer) → \(machine.phase), \(machine.deadlines.count)" == row[column], "\(row[0]) in \(start)")
      #expect(
        (machine.resolution == nil) == [.pending, .unresolvable].contains(machine.phase),
        "M1 after \(row[0]) in \(start)"
      )
    }
  }

  private func add(_ company: String, _ deadline: TimedNode, to machine: inout FutureMachine) {
    switch company {
    case "…with a deadline:": _ = machine.add(deadline)
    case "…with a source:": _ = machine.addSource(Link.unconnected(.cascade))
    case "…with one of any:": _ = machine.addSource(Link.unconnected(.any(Link.Countdown(1))))
    case "…with a link back:": _ = machine.add(Link.unconnected(backward: .cascade))
    default: break
    }
  }

  private func send(_ event: String, _ deadline: TimedNode, to machine: inout FutureMachine) -> String {
    switch event {
    case "add a deadline":
      return machine.add(unset()) ? "set" : "too late"
    case "remove":
      return machine.remove(deadline) ? "removed" : "too late"
    case "come":
      return name(machine.deadlineCame(.cancelled(Overdue())))
    case "come again":
      _ = machine.deadlineCame(.cancelled(Overdue()))
      return name(machine.deadlineCame(.cancelled(CancellationError())))
    case "sources":
      return "\(machine.cancellingSources.count)"
    default:
      return "unknown event"
    }
  }

  // MARK: Sequences

  @Test func `a deadline decides with its reason`() {
    var machine = FutureMachine()
    _ = machine.deadlineCame(.cancelled(Overdue()))
    #expect(machine.resolution?.reason is Overdue)
  }

  @Test func `deadlines are removed from either end of their list, and from its middle`() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var machine = FutureMachine()
      let deadlines = (0..<3).map { _ in unset() }
      for deadline in deadlines { _ = machine.add(deadline) }
      for (step, index) in order.enumerated() {
        let left = order[step...].sorted(by: >).map { deadlines[$0] }
        #expect(machine.deadlines.elementsEqual(left, by: ===), "the one that was set last first")
        let isRemoved = machine.remove(deadlines[index])
        #expect(isRemoved)
      }
      #expect(machine.deadlines.isEmpty && machine.handlers.isEmpty)
    }
  }
}

private struct Overdue: Error {}

/// Creates a deadline, whose timer isn't set.
private func unset() -> TimedNode { TimedNode(.cancel(nil), from: .now, to: .now.advanced(by: .seconds(60))) }

extension FutureMachine {
  /// Ends the delivery, for which the nodes of deadlines are handlers.
  fileprivate mutating func leaveDelivering() {
    guard phase == .delivering else { return }
    var delivery = Delivery(resolution: .completed, sources: SourceList(), step: .over(nil))
    next(&delivery, on: .current)
  }
}
