// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// One call of a program that is explored.
///
/// Handlers and blocks are known by the number of the call.
enum ExploredCall: Hashable, Sendable, CustomStringConvertible {
  case complete, cancel, tryComplete, tryCancel, poll
  case add(Future.Outcome?, Place)
  /// Takes back the first handler.
  case remove
  case perform(Inside)

  enum Place: CaseIterable, Sendable { case serial, inline, given }

  /// What a block does after it has looked.
  enum Inside: CaseIterable, Sendable {
    case nothing
    /// Decides its own future.
    case completes, cancels
    /// Adds a clean-up handler.
    case adds
  }

  var description: String {
    switch self {
    case .complete: "complete"
    case .cancel: "cancel"
    case .tryComplete: "tryComplete"
    case .tryCancel: "tryCancel"
    case .poll: "poll"
    case .remove: "remove"
    case .add(let outcome, let place): "add \(outcome.map { "\($0)" } ?? "clean-up") \(place)"
    case .perform(let inside): "perform \(inside)"
    }
  }

  /// All there are.
  static let all: [ExploredCall] =
    [.complete, .cancel, .tryComplete, .tryCancel, .poll, .remove]
    + [Future.Outcome.completed, .cancelled, nil].flatMap { outcome in Place.allCases.map { .add(outcome, $0) } }
    + Inside.allCases.map { .perform($0) }
}

/// What happened, by place: between places no order is promised.
struct ExploredLogs: Equatable, CustomStringConvertible {
  var serial: [String] = []
  var inline: [String] = []
  var given: [String] = []
  /// What calls returned.
  var answers: [String] = []

  var description: String {
    [("queue", serial), ("inline", inline), ("given queue", given), ("answers", answers)]
      .filter { !$0.1.isEmpty }.map { "\($0): \($1.joined(separator: ", "))" }.joined(separator: "; ")
  }

  subscript(place: ExploredCall.Place) -> [String] {
    get {
      switch place {
      case .serial: serial
      case .inline: inline
      case .given: given
      }
    }
    set {
      switch place {
      case .serial: serial = newValue
      case .inline: inline = newValue
      case .given: given = newValue
      }
    }
  }
}

/// What a future must do, as a literal serial queue would have it, with nothing clever in it.
///
/// A decision joins the queue if a block or another decision is queued, else it takes its turn at once. The model runs
/// what is queued when the future is seen to have done so; then everything must be the same.
struct ExploredModel {
  /// One line that is wrong.
  enum Fault: CaseIterable, Sendable {
    case handlersReversed, lateHandlerDropped, decisionOvertakesBlock, secondOutcomeWins, handlerRunsTwice
    case removedHandlerRuns, handlerOfOtherOutcomeRuns, blockDecisionReleasesAtOnce, cleanUpOnlyAfterCancel
    case inlineHandlerQueued, lateInlineHandlerQueued, blockDecisionIgnored, blockDroppedAfterOutcome
    case callInBlockIsQueued, givenQueueIgnored, removeAnswersTwice, removeTooLateAnswersTrue
    case tryAnswersTrue, lateHandlerOvertakes, tryDoesNotWait
  }

  private struct Handler {
    let id: String
    let trigger: Future.Outcome?
    let place: ExploredCall.Place
  }

  private enum Work {
    case decide(Future.Outcome)
    case block(String, ExploredCall.Inside)
    case handler(Handler)
  }

  private let fault: Fault?
  private(set) var logs = ExploredLogs()
  private(set) var outcome: Future.Outcome?
  private var isHeld = false
  private var isInBlock = false
  private var handlers: [Handler] = []
  private var serial: [Work] = []
  private var given: [Handler] = []
  private var removed: Set<String> = []
  private var started: Set<String> = []

  init(_ fault: Fault? = nil) { self.fault = fault }

  // MARK: Calls

  mutating func call(_ call: ExploredCall, _ id: String) {
    switch call {
    case .complete: decide(.completed)
    case .cancel: decide(.cancelled)
    case .tryComplete: logs.answers.append("\(id) \(tryDecide(.completed))")
    case .tryCancel: logs.answers.append("\(id) \(tryDecide(.cancelled))")
    case .poll: logs.answers.append("\(id) \(describe(outcome))")
    case .add(let trigger, let place): add(id, trigger, place)
    case .remove: logs.answers.append("\(id) \(remove("first"))")
    case .perform(let inside):
      if fault == .blockDroppedAfterOutcome, outcome != nil { return }
      serial.append(.block(id, inside))
    }
  }

  mutating func add(_ id: String, _ trigger: Future.Outcome?, _ place: ExploredCall.Place) {
    let handler = Handler(id: id, trigger: trigger, place: place)
    if outcome == nil || isHeld {
      handlers.append(handler)
    } else if matches(handler), fault != .lateHandlerDropped {
      if fault == .lateInlineHandlerQueued, place == .inline { return serial.append(.handler(handler)) }
      if fault == .lateHandlerOvertakes, place == .serial { return serial.insert(.handler(handler), at: 0) }
      dispatch(handler)
    }
  }

  private mutating func remove(_ id: String) -> Bool {
    let isTooLate = started.contains(id) && fault != .removeTooLateAnswersTrue
    let isGone = removed.contains(id) && fault != .removeAnswersTwice
    removed.insert(id)
    return !isTooLate && !isGone
  }

  // MARK: Deciding

  /// Whether a decision has to be queued.
  private var isLine: Bool {
    isInBlock || serial.contains { if case .handler = $0 { false } else { true } }
  }

  private mutating func decide(_ new: Future.Outcome) {
    if isLine, fault != .decisionOvertakesBlock { serial.append(.decide(new)) } else { take(new) }
  }

  private mutating func tryDecide(_ new: Future.Outcome) -> Bool {
    // Once the outcome is there, there is nothing to wait for.
    if outcome == nil, isLine, fault != .tryDoesNotWait { while runSerial() {} }
    let isFirst = outcome == nil
    take(new)
    return isFirst || fault == .tryAnswersTrue
  }

  private mutating func take(_ new: Future.Outcome) {
    if fault == .secondOutcomeWins, outcome != nil { outcome = new }
    guard outcome == nil else { return }
    outcome = new
    release()
  }

  private mutating func release() {
    isHeld = false
    let all = fault == .handlersReversed ? handlers.reversed() : handlers
    handlers = []
    for handler in all where matches(handler) { dispatch(handler) }
  }

  private func matches(_ handler: Handler) -> Bool {
    if fault == .handlerOfOtherOutcomeRuns { return true }
    if fault == .cleanUpOnlyAfterCancel, handler.trigger == nil { return outcome == .cancelled }
    return handler.trigger == nil || handler.trigger == outcome
  }

  private mutating func dispatch(_ handler: Handler) {
    switch handler.place {
    case .inline where fault == .inlineHandlerQueued: serial.append(.handler(handler))
    case .inline: run(handler, .inline)
    case .given where fault != .givenQueueIgnored: given.append(handler)
    case .given, .serial: serial.append(.handler(handler))
    }
  }

  // MARK: Turns

  /// Does what the future has been seen to do since the last time; says what it can't do.
  mutating func follow(_ future: ExploredLogs, _ futureOutcome: Future.Outcome?) -> String? {
    while logs.serial.count < future.serial.count, runSerial() {}
    while logs.given.count < future.given.count, runGiven() {}
    while outcome == nil, futureOutcome != nil, case .decide(let new)? = serial.first {
      serial.removeFirst()
      take(new)
    }
    return difference(future, futureOutcome)
  }

  /// Does all that is left; says what the future has not done.
  mutating func end(_ future: ExploredLogs, _ futureOutcome: Future.Outcome?) -> String? {
    while runSerial() || runGiven() {}
    return difference(future, futureOutcome)
  }

  private func difference(_ future: ExploredLogs, _ futureOutcome: Future.Outcome?) -> String? {
    if outcome != futureOutcome { return "the future is \(describe(futureOutcome)), the model \(describe(outcome))" }
    if future == logs { return nil }
    return "the future did (\(future)), the model (\(logs))"
  }

  /// Runs what is first on the private queue, up to something that is seen there; false if nothing is.
  private mutating func runSerial() -> Bool {
    let seen = logs.serial.count
    while !serial.isEmpty {
      switch serial.removeFirst() {
      case .decide(let new): take(new)
      case .handler(let handler): run(handler, .serial)
      case .block(let id, let inside): run(id, inside)
      }
      if logs.serial.count > seen { return true }
    }
    return false
  }

  private mutating func runGiven() -> Bool {
    let seen = logs.given.count
    while !given.isEmpty, logs.given.count == seen { run(given.removeFirst(), .given) }
    return logs.given.count > seen
  }

  private mutating func run(_ handler: Handler, _ place: ExploredCall.Place) {
    if removed.contains(handler.id), fault != .removedHandlerRuns { return }
    started.insert(handler.id)
    logs[place].append("handler \(handler.id)\(isInBlock ? " inside of a block" : "")")
    if fault == .handlerRunsTwice { logs[place].append("handler \(handler.id)") }
  }

  private mutating func run(_ id: String, _ inside: ExploredCall.Inside) {
    isInBlock = true
    logs.serial.append("block \(id) \(describe(outcome))")
    switch inside {
    case .nothing: break
    case .completes: hold(.completed)
    case .cancels: hold(.cancelled)
    case .adds: add("\(id)+", nil, .serial)
    }
    // What a block adds after its own decision still waits for its end.
    if inside == .completes { add("\(id)+", nil, .inline) }
    logs.serial.append("end \(id)")
    isInBlock = false
    if isHeld { release() }
  }

  private mutating func hold(_ new: Future.Outcome) {
    guard outcome == nil, fault != .blockDecisionIgnored else { return }
    if fault == .callInBlockIsQueued { return serial.append(.decide(new)) }
    outcome = new
    isHeld = true
    if fault == .blockDecisionReleasesAtOnce { release() }
  }

  private func describe(_ outcome: Future.Outcome?) -> String { outcome.map { "\($0)" } ?? "pending" }
}
