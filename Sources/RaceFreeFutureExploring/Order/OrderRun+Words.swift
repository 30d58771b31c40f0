// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

// MARK: - In words

extension OrderRun {
  var state: String? {
    // Guarded data can't be read while a thread holds its lock.
    let mayBeLocked = threads.all.contains { $0.pending?.mayHoldLocks == true }
    if isInCriticalSection || mayBeLocked { return hasState ? "" : nil }
    return taskScenario.map { $0.checks.state?() } ?? scenario.state?()
  }

  private var hasState: Bool { taskScenario.map { $0.checks.state != nil } ?? (scenario.state != nil) }

  var titles: [String] { lines.withLock { $0.titles } }

  /// The running step, for another thread that reports that it doesn't end.
  var currentStep: String {
    guard let (line, item) = current.withLock({ $0 }) else { return "the scenario's own code" }
    return "the step \"\(item.label())\" of \"\(title(of: line))\""
  }

  /// What the running step waits for outside of the order, for another thread.
  var currentWait: String? {
    waiting.withLock { $0 }.map { "\($0.words)\(SymbolTable.place(of: $0.callers))" }
  }

  func title(of line: Int) -> String { lines.withLock { $0.title(of: line) } }

  /// Adds the row of a step, or of its first part, to the diagram.
  func record(_ line: Int, _ label: String, isOperation: Bool) {
    noteTasks()
    let isJob = taskScenario != nil && !jobs.begun.isEmpty && !isOperation
    let text = isJob ? stepText(of: line) : label
    let notes = (taskScenario?.takeNotes() ?? []).map { ": \($0)" }.joined()
    // The text of a task says how its step ended.
    let isLast = isJob && !isActor(line)
    var row = OrderDiagram.Row(line: line, text: withCancellations(text, isLast: isLast) + notes)
    (row.answer, row.state, row.isForced, row.end) = (recorder.answer, state, trail.hasForced, trail.count)
    row.isOnTheWay = isLast && jobs.cancelled.isEmpty && notes.isEmpty && recorder.answer == nil
    row.cancelled = jobs.cancelled
    row.address = address(ofStepOn: line)
    row.locks = threads.locks.mapValues { $0.map(\.name) }
    jobs.cancelled = []
    recorder.rows.append(row)
  }

  /// Returns the address of the user's code from which the running step was taken, in an order that is drawn: the call of
  /// an operation, or the place where its task continues; of a task that has ended, where it began or continued last.
  private func address(ofStepOn line: Int) -> UInt? {
    if !recorder.callers.isEmpty { return TaskLayout.ofUser(recorder.callers.map { $0 - 1 }) }
    guard TaskLayout.known != nil else { return nil }
    return jobs.begun.last { jobs.tasks[$0]?.line == line }.flatMap { task in
      // In the middle of a step a task has only the frames of an earlier suspension, which may be gone.
      let hasFrames = threads.ofSteps[line]?.pending == nil && !TaskLayout.isComplete(task)
      return TaskLayout.ofUser(hasFrames ? TaskLayout.frames(of: task) : recorder.entry.map { [$0] } ?? [])
    }
  }

  /// Returns the diagram of the steps so far, with one that is taken next: for a process that dies in it.
  func drawing(before choice: Int) -> String {
    let last = OrderDiagram.Row(line: actor(of: choice), text: "crashes")
    let diagram = OrderDiagram(titles: titles, actors: actorLines, rows: recorder.rows + [last], style: .current)
    return "\n\(diagram.lines(marksLast: true).joined(separator: "\n"))\n\n"
  }

  /// Returns the text of a step with the tasks that it has cancelled.
  private func withCancellations(_ text: String, isLast: Bool) -> String {
    let titles = jobs.cancelled.map { title(of: $0) }
    if titles.isEmpty { return text }
    if titles.count == 1, text == "awaits \(titles[0])" { return "cancels and \(text)" }
    let words = "cancels \(titles.count > 2 ? "\(titles.count) tasks" : titles.joined(separator: " and "))"
    return isLast ? "\(words), \(text)" : "\(text), \(words)"
  }

  private func isActor(_ line: Int) -> Bool { jobs.actors.values.contains { $0.line == line } }

  /// Returns the description of a task's job, for the diagram.
  func stepText(of line: Int) -> String {
    guard TaskLayout.known != nil else { return "continues" }
    let served = jobs.begun.compactMap { jobs.tasks[$0] }
    if isActor(line) { return "runs \(served.map { title(of: $0.line) }.joined(separator: ", "))".trimmedAtEnd }
    // The line's own task, if it has acted: others may have continued in its step.
    let own = jobs.begun.last { jobs.tasks[$0]?.line == line }
    guard let address = own ?? jobs.begun.last, let task = jobs.tasks[address] else { return "continues" }
    let suspends = jobs.settling.contains(line) ? "settles" : "yields"
    if task.line == line { return whatBecame(of: address, task) ?? suspends }
    // The main actor has served its call, and it continues elsewhere.
    guard let end = whatBecame(of: address, task) else { return "runs \(title(of: task.line))" }
    return "\(title(of: task.line)) \(end)"
  }

  func stepLabel(of job: UnownedJob) -> String {
    jobs.tasks[job.address]?.hasBegun == true ? "continues" : "begins"
  }

  /// Returns how a task's step ended; nil if the task may continue at once.
  private func whatBecame(of address: UInt, _ task: SeenTask) -> String? {
    if TaskLayout.isComplete(address) { return "ends" }
    if task.isSleeping { return "sleeps" }
    if !lines.withLock({ $0.isEmpty(task.line) }) { return nil }
    if let operation = threads.byLine[task.line]?.pending {
      return operation.isCut ? operation.label() : "comes to \(operation.label())"
    }
    return task.isCalling ? call(by: address) : suspension(of: address)
  }

  /// Returns that a task calls an actor, in a run that is drawn with the method in which it continues there, or that it calls
  /// or reads there.
  private func call(by address: UInt) -> String {
    guard let title = (jobs.destination ?? latest).map({ title(of: $0) }) else { return "calls an actor" }
    guard recorder.isOn else { return "calls \(title)" }
    let isOfActor = { (function: FunctionName) in function.path.hasPrefix("\(title).") }
    let function =
      TaskLayout.functions(of: address).first.flatMap { isOfActor($0) ? $0 : nil }
      ?? TaskLayout.nextCall(of: address, where: isOfActor)
    return function.map { "\($0.access ?? "calls") \($0.path)" } ?? "calls \(title)"
  }

  /// Returns the thing that a blocked task waits for, and in a run that is drawn, the function and the time.
  private func wholeSuspension(of address: UInt, _ task: SeenTask) -> String {
    let what = suspension(of: address)
    guard recorder.isOn else { return what }
    // In most tests all tasks are made in the body itself.
    let place = TaskLayout.functions(of: address).first.flatMap {
      $0.path == recorder.bodyFunction ? nil : "in \($0.words)"
    }
    let details = [place, task.lastStep.map { "since step \($0)" }].compactMap(\.self)
    return details.isEmpty ? what : "\(what) (\(details.joined(separator: ", ")))"
  }

  /// Returns the thing that a blocked task waits for.
  func suspension(of address: UInt) -> String {
    if let line = jobs.tasks[address]?.line, let operation = threads.byLine[line]?.pending { return operation.waits() }
    if let task = jobs.tasks[address],
      let future = others.waits.withLock({ $0.futures.values.first { $0.line == task.line }?.future })
    {
      return "awaits \(future.name)"
    }
    return switch TaskLayout.wait(of: address) {
    case .task(let other): "awaits \(jobs.tasks[other].map { title(of: $0.line) } ?? "a task")"
    case .group: "awaits its group"
    case .continuation where jobs.tasks[address]?.isSleeping == true: "sleeps on a clock that stands still"
    case .continuation: "awaits a continuation"
    case .unknown: "is suspended"
    }
  }

  /// The tasks that haven't ended.
  var unfinished: [(line: Int, text: String)] {
    guard TaskLayout.known != nil else { return [] }
    return jobs.addresses.compactMap { address in
      guard let task = jobs.tasks[address], !TaskLayout.isComplete(address) else { return nil }
      return (task.line, wholeSuspension(of: address, task))
    }
  }

  var hasUnfinished: Bool {
    TaskLayout.known != nil && jobs.addresses.contains { jobs.tasks[$0] != nil && !TaskLayout.isComplete($0) }
  }

  /// Returns the title of a task's line: its name, otherwise its kind and, in a run that is drawn, the function that
  /// has its code.
  func title(ofNew job: UnownedJob) -> String {
    guard let layout = TaskLayout.known else { return kind(of: job) }
    if layout.hasNames, let name = TaskLayout.name(of: job.address) { return name }
    guard recorder.isOn, let origin = TaskLayout.origin(of: job.address) else { return kind(of: job) }
    if recorder.bodyFunction == nil || recorder.bodyFunction == origin.path { return kind(of: job) }
    return "\(kind(of: job)) in \(origin.words)"
  }

  /// Returns the kind of a task, and for a child whose it is, unless it is the body's own.
  private func kind(of job: UnownedJob) -> String {
    guard job.flags & 0x0100_0000 != 0 else { return "task" }
    let kind = job.flags & 0x1000_0000 != 0 ? "async let" : "child task"
    guard let parent = currentTask.flatMap({ jobs.tasks[$0]?.line }) else { return kind }
    return taskScenario != nil && actorLines.contains(parent) ? kind : "\(kind) of \(title(of: parent))"
  }
}
