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
    ahead | none + 0 → pending, 0 | none + 0 → pending, 0 | none + 0 → held, 0 | none + 0 → marking, 0 | none + 0 → delivering, 0 | none + 0 → resolved, 0 | none + 0 → unresolvable, 0
    …with a deadline: | - | - | - | - | - | - | -
    add a deadline | set → pending, 2 | set → pending, 2 | too late → held, 1 | too late → marking, 1 | too late → delivering, 0 | too late → resolved, 0 | -
    remove | unlinked → pending, 0 | unlinked → pending, 0 | unlinked → held, 0 | unlinked → marking, 0 | unlinked → delivering, 0 | unlinked → resolved, 0 | -
    move later | moved → pending, 1 | moved → pending, 1 | over → held, 1 | over → marking, 1 | over → delivering, 0 | over → resolved, 0 | -
    move earlier | moved, set it → pending, 1 | moved, set it → pending, 1 | over → held, 1 | over → marking, 1 | over → delivering, 0 | over → resolved, 0 | -
    move while it is being set | moved → pending, 1 | moved → pending, 1 | over → held, 1 | over → marking, 1 | over → delivering, 0 | over → resolved, 0 | -
    move after its timer has fired | moved, set it → pending, 1 | moved, set it → pending, 1 | over → held, 1 | over → marking, 1 | over → delivering, 0 | over → resolved, 0 | -
    move an unregistered one | over → pending, 1 | over → pending, 1 | over → held, 1 | over → marking, 1 | over → delivering, 0 | over → resolved, 0 | -
    come | mark → marking, 1 | enqueue → pending, 1 | ignore → held, 1 | ignore → marking, 1 | ignore → delivering, 0 | ignore → resolved, 0 | -
    come again | ignore → marking, 1 | ignore → pending, 1 | ignore → held, 1 | ignore → marking, 1 | ignore → delivering, 0 | ignore → resolved, 0 | -
    come after a move | set anew → pending, 1 | set anew → pending, 1 | ignore → held, 1 | ignore → marking, 1 | ignore → delivering, 0 | ignore → resolved, 0 | -
    come while it is being set | ignore → pending, 1 | ignore → pending, 1 | ignore → held, 1 | ignore → marking, 1 | ignore → delivering, 0 | ignore → resolved, 0 | -
    come after an earlier one | mark, for that → marking, 2 | enqueue, for that → pending, 2 | ignore → held, 1 | ignore → marking, 1 | ignore → delivering, 0 | ignore → resolved, 0 | -
    come unregistered | ignore → pending, 1 | ignore → pending, 1 | ignore → held, 1 | ignore → marking, 1 | ignore → delivering, 0 | ignore → resolved, 0 | -
    next setting | none → pending, 1 | none → pending, 1 | none → held, 1 | none → marking, 1 | none → delivering, 0 | none → resolved, 0 | -
    next setting, moved | sooner, none → pending, 1 | sooner, none → pending, 1 | sooner, none → held, 1 | sooner, none → marking, 1 | sooner, none → delivering, 0 | sooner, none → resolved, 0 | -
    next setting, unregistered | none → pending, 1 | none → pending, 1 | none → held, 1 | none → marking, 1 | none → delivering, 0 | none → resolved, 0 | -
    ahead | own + 0 → pending, 1 | own + 0 → pending, 1 | none + 0 → held, 1 | none + 0 → marking, 1 | none + 0 → delivering, 0 | none + 0 → resolved, 0 | -
    …with a source: | - | - | - | - | - | - | -
    ahead | none + 1 → pending, 0 | none + 1 → pending, 0 | none + 0 → held, 0 | none + 0 → marking, 0 | none + 0 → delivering, 0 | none + 0 → resolved, 0 | -
    …with one of any: | - | - | - | - | - | - | -
    ahead | none + 0 → pending, 0 | none + 0 → pending, 0 | none + 0 → held, 0 | none + 0 → marking, 0 | none + 0 → delivering, 0 | none + 0 → resolved, 0 | -
    …with a link back: | - | - | - | - | - | - | -
    ahead | none + 0 → pending, 0 | none + 0 → pending, 0 | none + 0 → held, 0 | none + 0 → marking, 0 | none + 0 → delivering, 0 | - | -
    …with one that may bring a deadline: | - | - | - | - | - | - | -
    ahead | none + 1 → pending, 0 | none + 1 → pending, 0 | none + 0 → held, 0 | none + 0 → marking, 0 | none + 0 → delivering, 0 | - | -
    …with a link forth: | - | - | - | - | - | - | -
    ahead | none + 0 → pending, 0 | none + 0 → pending, 0 | none + 0 → held, 0 | none + 0 → marking, 0 | none + 0 → delivering, 0 | - | -
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
      let deadline = DeadlineTimer.started()
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

  private func add(_ company: String, _ deadline: DeadlineTimer, to machine: inout FutureMachine) {
    switch company {
    case "…with a deadline:": _ = machine.add(deadline)
    case "…with a source:": _ = machine.addSource(Link.unconnected(.cascade))
    case "…with one of any:": _ = machine.addSource(Link.unconnected(.any(Link.Countdown(1))))
    case "…with a link back:": _ = machine.add(Link.unconnected(backward: .cascade))
    case "…with one that may bring a deadline:":
      let link = Link.unconnected(backward: .cascade)
      _ = machine.add(link)
      _ = machine.note(link)
    case "…with a link forth:": _ = machine.add(Link.unconnected())
    default: break
    }
  }

  private func send(_ event: String, _ deadline: DeadlineTimer, to machine: inout FutureMachine) -> String {
    switch event {
    case "add a deadline":
      return machine.add(DeadlineTimer.started()) ? "set" : "too late"
    case "remove":
      _ = machine.unregister(.node(deadline))
      return deadline.isListed ? "left" : "unlinked"
    case "move later":
      return move(deadline, to: later, in: machine)
    case "move earlier":
      return move(deadline, to: sooner, in: machine)
    case "move while it is being set":
      deadline.isBeingSet = true
      return move(deadline, to: sooner, in: machine)
    case "move after its timer has fired":
      deadline.timerInstant = nil
      return move(deadline, to: later, in: machine)
    case "move an unregistered one":
      _ = deadline.handler.take()
      return move(deadline, to: sooner, in: machine)
    case "come":
      return come(deadline, to: &machine)
    case "come again":
      _ = come(deadline, to: &machine)
      return come(deadline, to: &machine)
    case "come after a move":
      deadline.instant = later
      let answer = come(deadline, to: &machine)
      #expect(deadline.isBeingSet == (answer == "set anew"))
      return answer
    case "come while it is being set":
      deadline.instant = later
      deadline.isBeingSet = true
      return come(deadline, to: &machine)
    case "come after an earlier one":
      let other = DeadlineTimer.started()
      other.instant = sooner
      _ = machine.add(other)
      let answer = come(deadline, to: &machine, for: other)
      return answer == "ignore" ? answer : "\(answer), for that"
    case "come unregistered":
      _ = deadline.handler.take()
      return come(deadline, to: &machine)
    case "next setting":
      return settings(of: deadline, in: machine)
    case "next setting, moved":
      deadline.instant = sooner
      return settings(of: deadline, in: machine)
    case "next setting, unregistered":
      deadline.instant = sooner
      _ = deadline.handler.take()
      return settings(of: deadline, in: machine)
    case "ahead":
      let (own, others, _) = machine.deadlinesAhead()
      #expect(own == nil || own?.instant == given)
      return "\(own == nil ? "none" : "own") + \(others.count)"
    default:
      return "unknown event"
    }
  }

  private func move(
    _ deadline: DeadlineTimer,
    to instant: ContinuousClock.Instant,
    in machine: borrowing FutureMachine
  ) -> String {
    let wasBeingSet = deadline.isBeingSet
    let (isMoved, setsTimer) = machine.move(deadline, to: instant, at: start)
    #expect(deadline.instant == (isMoved ? instant : given))
    #expect(deadline.isBeingSet == (wasBeingSet || setsTimer))
    return (isMoved ? "moved" : "over") + (setsTimer ? ", set it" : "")
  }

  /// Sends the firing of the timer, at the instant at which the deadline was set at first.
  private func come(
    _ deadline: DeadlineTimer,
    to machine: inout FutureMachine,
    for other: DeadlineTimer? = nil
  ) -> String {
    defer { #expect(deadline.timerInstant == nil) }
    switch machine.deadlineCame(deadline, given, label: "work") {
    case .ignore:
      return "ignore"
    case .setAnew:
      return "set anew"
    case .decided(let effect, let first):
      let reason: (any Error)? =
        switch effect {
        case .enqueue(let resolution): resolution.reason
        default: machine.resolution?.reason
        }
      let error = reason as? TimeoutError
      let interval: Duration = .seconds(other == nil ? 60 : 30)
      #expect(error?.interval == interval && error?.deadline == first.instant && error?.label == "work")
      let isWaiting = [first.handler.isWaiting, deadline.handler.isWaiting]
      #expect(first === other ?? deadline && isWaiting == [false, other != nil])
      return name(effect)
    }
  }

  /// Asks the machine for settings as the thread does that has to set the timer.
  private func settings(of deadline: DeadlineTimer, in machine: borrowing FutureMachine) -> String {
    deadline.isBeingSet = true
    var answers: [String] = []
    while let instant = machine.nextSetting(of: deadline) {
      #expect(deadline.isBeingSet && deadline.timerInstant == instant)
      answers.append(instant == sooner ? "sooner" : "another one")
    }
    #expect(!deadline.isBeingSet)
    return (answers + ["none"]).joined(separator: ", ")
  }

  // MARK: Sequences

  @Test func `of several deadlines the earliest is ahead, wherever it was moved`() {
    var machine = FutureMachine()
    let deadlines = (0..<3).map { _ in DeadlineTimer.started() }
    for deadline in deadlines { _ = machine.add(deadline) }
    _ = machine.move(deadlines[0], to: later, at: start)
    #expect(machine.deadlinesAhead().own?.instant == given)
    _ = machine.move(deadlines[1], to: sooner, at: start)
    #expect(machine.deadlinesAhead().own?.instant == sooner)
    _ = machine.unregister(.node(deadlines[1]))
    #expect(machine.deadlinesAhead().own?.instant == given)
  }

  @Test func `a deadline cancels for its own reason, if it has one`() {
    var machine = FutureMachine()
    let deadline = DeadlineTimer.started(Overdue())
    _ = machine.add(deadline)
    let coming = machine.deadlineCame(deadline, given, label: "work")
    switch consume coming {
    case .decided: break
    default: Issue.record("not decided")
    }
    #expect(machine.resolution?.reason is Overdue)
  }

  @Test func `a timer of a scheduler is set to the exact instant, also to a later one`() {
    let deadline = DeadlineTimer(from: start, to: given, isScheduled: true)
    #expect(move(deadline, to: later, in: FutureMachine()) == "moved, set it")
  }

  @Test func `deadlines are removed from either end of their list, and from its middle`() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var machine = FutureMachine()
      let deadlines = (0..<3).map { _ in DeadlineTimer.started() }
      for deadline in deadlines { _ = machine.add(deadline) }
      for (step, index) in order.enumerated() {
        #expect(
          machine.deadlines.earliest() === order[step...].min().map { deadlines[$0] },
          "the one that was set first"
        )
        _ = machine.unregister(.node(deadlines[index]))
      }
      #expect(machine.deadlines.isEmpty && machine.handlers.isEmpty)
    }
  }
}

private struct Overdue: Error {}

/// The instants to which deadlines are set and moved here.
private let start = ContinuousClock.now
private let (sooner, given, later) = (
  start.advanced(by: .seconds(30)), start.advanced(by: .seconds(60)), start.advanced(by: .seconds(90))
)

extension DeadlineTimer {
  /// Creates a deadline, whose timer isn't set.
  fileprivate static func started(_ reason: (any Error)? = nil) -> DeadlineTimer {
    DeadlineTimer(from: start, to: given, reason)
  }
}

extension FutureMachine {
  /// Ends the delivery, for which the nodes of deadlines are handlers.
  fileprivate mutating func leaveDelivering() {
    guard phase == .delivering else { return }
    var delivery = Delivery(resolution: .completed, sources: SourceList(), step: .over(nil))
    next(&delivery, on: thread)
  }
}

extension DeadlineList {
  fileprivate var count: Int {
    var count = 0
    _ = earliest { _ in
      count += 1
      return true
    }
    return count
  }
}
