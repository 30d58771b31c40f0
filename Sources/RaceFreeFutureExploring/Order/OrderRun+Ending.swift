// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

// MARK: - The end of an order

extension OrderRun {
  /// Ends the order, for this reason.
  func end(with failure: OrderFailure) {
    self.failure = failure
    hasEnded = true
  }

  /// Ends the order because nothing can continue.
  ///
  /// Only now it is certain that no code of the scenario resumes the suspended tasks.
  func end() {
    hasEnded = true
    failure = lastFailure
  }

  var lastFailure: OrderFailure? {
    if let taskScenario { return end(of: taskScenario) }
    let waiting = actorLines.filter { !isOver[$0 - actorLines.lowerBound] }
    let stuck = stuckThreads.map(\.line).filter { !waiting.contains($0) }
    if !(waiting + stuck).isEmpty { return .deadlock((waiting + stuck).map(whatWaits)) }
    if let misuse = misuseOfSources { return misuse }
    for check in scenario.endings {
      if let text = check() { return .ending(text) }
    }
    return thrown
  }

  private func end(of scenario: TaskScenario) -> OrderFailure? {
    let unfinished = unfinished
    var waiting = unfinished.map { "\"\(title(of: $0.line))\" \($0.text)" }
    for line in stuckThreads.map(\.line) where !unfinished.contains(where: { $0.line == line }) {
      waiting.append(whatWaits(line))
    }
    if let thrown { return thrown }
    if isOver.contains(false) { return .deadlock(waiting.isEmpty ? ["\"body\" is suspended"] : waiting) }
    if !waiting.isEmpty { return .outlived(waiting) }
    if let misuse = misuseOfSources { return misuse }
    for check in scenario.checks.endings {
      if let text = check() { return .ending(text) }
    }
    return thrown
  }

  private var misuseOfSources: OrderFailure? {
    driven.sources.values.compactMap(\.misuse).min().map(OrderFailure.misuse)
  }

  /// Fails the order because its code has recorded an issue, such as an expectation that failed.
  ///
  /// A task or thread ends there, so that it records no more of them.
  func fails(byIssue text: String) {
    guard isOwnThread, failure == nil, !hasEnded else { return }
    if let thread = ExploredPlace.current?.thread { thread.fail(text) }
    thrown = thrown ?? .misuse(text)
  }

  /// Ends an order, perhaps before everything in it has ended.
  ///
  /// A task that is still suspended can't be ended from outside. It is kept as it is, with everything that it may need,
  /// because the holder of its continuation would otherwise seem to have lost it. Scenario and lines are released
  /// otherwise: they keep futures, and these keep their scheduler.
  func abandon() {
    let tracked = failure == nil && departure == nil ? taskScenario?.tracked ?? [] : []
    defer { failure = failure ?? .leak(of: tracked) }
    if threads.all.contains(where: { !$0.isOver }) { endServices() }
    defer { letGoOfDriven() }
    if !tasks.isEmpty && (isOver.contains(false) || hasUnfinished) || !stuckThreads.isEmpty {
      isAbandoned = true
      Self.abandoned.withLock { $0.append(self) }
    } else {
      // Released after the lock.
      lines.release { $0.letGo() }
      scenario = Scenario()
      taskScenario = nil
      (driver, threads) = (nil, Threads())
      letGoOfTasks()
    }
    tasks = []
  }

  /// The rules by which something was left out.
  var rules: Set<SearchRule> {
    var rules = leftOut
    if fairness.hasInterfered { rules.insert(.yields) }
    let makesTasks = jobs.addresses.count > tasks.count || !jobs.actors.isEmpty
    if taskScenario == nil, !tasks.isEmpty, makesTasks { rules.insert(.suspensions) }
    return rules
  }

  private static let abandoned = Locked<[OrderRun]>([])

  var failureSoFar: OrderFailure? {
    if let thrown { return thrown }
    if let taskScenario {
      if let failure = taskScenario.failure { return .ending(failure) }
      if threads.all.contains(where: { $0.pending?.mayHoldLocks == true }) { return nil }
      for check in taskScenario.checks.invariants {
        if let text = check() { return .invariant(text) }
      }
      return nil
    }
    switch others.intrusion.withLock({ $0 }) {
    case .work(let line, _): return .intrusion(title(of: line), isActor: actorLines.contains(line))
    case .wait(let future): return .foreignWait(future.name)
    // A departure. If it comes back, that is reported.
    case .leaves, .starts: break
    case nil: break
    }
    if isInCriticalSection { return nil }
    for check in scenario.invariants {
      if let text = check() { return .invariant(text) }
    }
    return nil
  }

  private func whatWaits(_ line: Int) -> String {
    let name = "\"\(title(of: line))\""
    if let operation = threads.byLine[line]?.pending { return "\(name) \(operation.waits())" }
    let after = recorder.lastSteps[line].map { " after its step \"\($0)\"" } ?? ""
    if let future = others.waits.withLock({ $0.futures.values.first { $0.line == line }?.future }) {
      return "\(name) awaits \(future.name)\(after)"
    }
    if let next = lines.withLock({ lines in lines.waiting.first { $0.line == line }?.item }) {
      return "\(name) may not take its step \"\(next.label())\"\(after)"
    }
    return "\(name) left the explorer's control\(after.isEmpty ? " before its first step" : after): it waits for "
      + "something that nobody in the scenario resumed, or that wasn't made in it"
  }
}
