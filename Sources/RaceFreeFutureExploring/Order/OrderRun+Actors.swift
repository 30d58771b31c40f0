// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools
internal import Synchronization

// MARK: - The subject

extension OrderRun {
  /// Sets up the subject: up to the first step of each actor, or to the beginning of the body.
  func begin(_ subject: Subject) {
    failure =
      switch subject {
      case .steps(let fill): begin(fill)
      case .body(let body): begin(body)
      }
  }

  private func begin(_ body: @escaping @Sendable @concurrent (TaskScenario) async throws -> Void) -> OrderFailure? {
    let scenario = TaskScenario(self)
    taskScenario = scenario
    actorLines = 0..<1
    isOver = [false]
    jobs.nextLine = lines.withLock { $0.addLine("body") }
    if recorder.isOn {
      recorder.begin(nil)
      recorder.bodyFunction = TaskLayout.known == nil ? nil : TaskLayout.function(of: TaskLayout.Body(run: body))?.path
    }
    tasks = [
      Task(executorPreference: executor) { [self] in
        do {
          try await body(scenario)
        } catch {
          // A requirement that fails is an issue, and throws.
          thrown = thrown ?? .thrown("the body", "\(error)")
        }
        isOver = [true]
      }
    ]
    return failureSoFar
  }

  private func begin(_ fill: (Scenario) throws -> Void) -> OrderFailure? {
    do {
      try fill(scenario)
    } catch {
      return .thrown("the scenario", "\(error)")
    }
    if scenario.actors.isEmpty { return .noActors }
    let names = scenario.actors.map(\.name)
    let last = lines.withLock { lines in names.map { lines.addLine($0) } }.last ?? 0
    actorLines = (last + 1 - names.count)..<(last + 1)
    isOver = names.map { _ in false }
    for (index, actor) in scenario.actors.enumerated() {
      switch actor.script {
      case .steps(let steps): lineUp(steps, index)
      case .tasks(let body): start(body, index)
      case .thread(let body): start(body, index)
      }
    }
    if recorder.isOn { recorder.begin(state) }
    return failureSoFar
  }

  // MARK: Actors

  func lineUp(_ steps: [Scenario.Step], _ actor: Int) {
    let line = actorLines.lowerBound + actor
    isOver[actor] = steps.isEmpty
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      let (label, body) = (step.label, OneThread(step.body))
      let take: @Sendable () -> Void = { [unowned self] in
        do {
          note(try body.value())
        } catch {
          thrown = .thrown("the step \"\(label)\" of \"\(title(of: line))\"", "\(error)")
        }
        isOver[actor] = isLast
      }
      let item = WorkLines.Item(
        label: { label },
        isReady: Self.isReady(step.condition),
        touches: step.touches,
        run: take
      )
      lines.withLock { $0.append(item, to: line) }
    }
  }

  func start(_ body: @escaping @concurrent (Scenario.Actor) async throws -> Void, _ actor: Int) {
    let body = OneThread(body)
    let line = actorLines.lowerBound + actor
    latest = nil
    jobs.nextLine = line
    tasks.append(
      Task(executorPreference: executor) { [self] in
        do {
          try await body.value(Scenario.Actor(run: self, line: line))
        } catch {
          thrown = .thrown("\"\(title(of: line))\"", "\(error)")
        }
        isOver[actor] = true
      }
    )
    runLatest()
  }

  func start(_ body: @escaping () throws -> Void, _ actor: Int) {
    let body = OneThread(body)
    let line = actorLines.lowerBound + actor
    startThread(on: line) { [unowned self] in
      do {
        try body.value()
      } catch {
        thrown = .thrown("\"\(title(of: line))\"", "\(error)")
      }
      isOver[actor] = true
    }
  }

  /// Suspends the running task in a line until its turn comes: in its own, if it is a child of the actor's task.
  func park(on line: Int, _ label: String, _ touches: Set<String>?, _ condition: (() -> Bool)?) async {
    let isReady = Self.isReady(condition)
    let line = (isOwnThread ? currentTask.flatMap { jobs.tasks[$0]?.line } : nil) ?? line
    await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      // An item is removed from its line once, and run once.
      let goOn: @Sendable () -> Void = { [unowned self] in
        latest = nil
        unsafe continuation.resume()
        runLatest()
      }
      add(WorkLines.Item(label: { label }, isReady: isReady, touches: touches, run: goOn), to: line)
    }
  }

  private static func isReady(_ condition: (() -> Bool)?) -> (@Sendable () -> Bool)? {
    guard let condition else { return nil }
    let shared = OneThread(condition)
    return { shared.value() }
  }

  /// Keeps the result of a step for the diagram.
  func note(_ answer: Any) {
    guard isOwnThread, recorder.isOn, !(answer is Void) else { return }
    // Code of the user's, which may come back here.
    let text = "\(answer)"
    recorder.answer = text
  }

  /// Runs the part of a task that has just been queued, if there is any.
  func runLatest() {
    guard isOwnThread, let line = latest, let item = lines.withLock({ $0.popLast(line) }) else { return }
    let previous = running
    running = line
    defer { running = previous }
    item.run()
  }

  /// Queues work, and notes if it came from another thread.
  func add(_ item: WorkLines.Item, to line: Int) {
    var item = item
    if isOwnThread { item.maker = trail.count - 1 }
    lines.withLock { $0.append(item, to: line) }
    notesSharing()
    if isOwnThread { latest = line } else { others.note(.work(line: line)) }
  }

  var isOwnThread: Bool { turns.isOwn }
}
