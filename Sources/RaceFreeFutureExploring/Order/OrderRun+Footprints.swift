// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - The things that steps of tasks use

extension OrderRun {
  /// Notes that the running step uses something.
  func uses(_ thing: Footprint.Thing, _ use: Footprint.Use = .write) {
    if let ignored, "\(thing)".hasPrefix("\(ignored)(") { return }
    if reduction == .ofTasks, isOwnThread { trail.use(Footprint(thing, use)) }
  }

  /// Notes that the running step uses a future, of which nothing more is known.
  func usesAnything() {
    if isOwnThread { jobs.usesFutures = true }
    if reduction == .ofTasks, isOwnThread { trail.use(.anything) }
  }

  /// Notes that the running step comes after another one in any case.
  func comes(after step: Int) {
    if reduction == .ofTasks, isOwnThread { trail.comes(after: step) }
  }

  /// Notes that the running step is in the turn of an actor: after the one before there, because who is served first is
  /// decided where calls arrive, unless one may overtake another.
  func isInTurn(of line: Int) {
    uses(.turn(line))
    let last = jobs.lastInTurn.updateValue(trail.count - 1, forKey: line)
    if let last, jobs.priorities.count == 1 { comes(after: last) }
  }

  /// Notes that a task comes to the queue of an actor, or continues somewhere.
  func usesQueue(of job: UnownedJob, _ destination: TaskLayout.Destination?) {
    guard reduction == .ofTasks else { return }
    jobs.queued[job.address] = trail.count - 1
    jobs.priorities.insert(job.priority.rawValue)
    // A wait may as well begin after the end, so that doesn't use the task that it continues.
    if jobs.joined.take() != job.address, let task = jobs.tasks[job.address] { uses(.task(task.line)) }
    guard case .defaultActor(let actor) = destination else { return }
    uses(.line(line(of: actor)))
    // It may overtake others, if they aren't served before.
    if jobs.priorities.count > 1 { uses(.turn(line(of: actor))) }
  }

  /// Notes that the running task has cancelled another one or awaits one that has ended, or that its own end continues one
  /// that awaits it.
  func touches(_ job: UnownedJob) {
    guard let task = jobs.tasks[job.address] else { return }
    if !task.wasCancelled, TaskLayout.isCancelled(job.address) { return usesCancelled(task) }
    guard TaskLayout.isComplete(job.address) else {
      // Unless it begins at once, within the step that makes it.
      return task.hasBegun ? jobs.joined = job.address : begins(job, task)
    }
    if let end = task.end { comes(after: end) }
    if let current = currentTask.flatMap({ jobs.tasks[$0] }) { awaits(task.awaited, current) }
  }

  /// Notes that the running step comes to a wait.
  ///
  /// If it has used nothing before, it makes no difference whether the wait begins before or after the end that it is for:
  /// what follows it comes after both.
  private func awaits(_ thing: Footprint.Thing, _ task: SeenTask) {
    if trail.footprints.last?.isNothing(but: .task(task.line)) == false { uses(thing, .read) }
  }

  /// Notes the tasks that the last step has cancelled, that have ended or begun to wait in it; and if it has read the time,
  /// which depends on all steps before.
  func noteTasks() {
    if reduction != .none, time.virtual?.wasRead == true { trail.use(.anything) }
    guard reduction == .ofTasks || recorder.isOn, TaskLayout.known != nil else { return }
    for address in jobs.addresses {
      guard let task = jobs.tasks[address], task.end == nil || task.kind != .asyncLet else { continue }
      // Also if it has ended: that could have come later.
      if !task.wasCancelled, TaskLayout.isCancelled(address) {
        task.wasCancelled = true
        if recorder.isOn, !TaskLayout.isComplete(address) { jobs.cancelled.append(task.line) }
        usesCancelled(task)
      }
      if task.end != nil { continue }
      if TaskLayout.isComplete(address) {
        task.end = trail.count - 1
        if task.kind != .inGroup || !isDraining(task.parent) { uses(task.awaited) }
      } else if !task.wasWaiting {
        noteWait(of: task, TaskLayout.wait(of: address))
      }
    }
  }

  /// Returns true if a task has come to the end of its group, and awaits the children that are left: in whatever order.
  private func isDraining(_ line: Int?) -> Bool {
    guard let owner = jobs.addresses.first(where: { jobs.tasks[$0]?.line == line }) else { return false }
    // While it runs, nobody knows where it is.
    let isSuspended = TaskLayout.wait(of: owner) == .group || TaskLayout.isEnqueued(owner)
    return isSuspended && PointProbe.draining.contains(TaskLayout.callerOfNext(in: owner))
  }

  /// Notes that the running step has cancelled a task, and with it its children, also those that have ended.
  private func usesCancelled(_ task: SeenTask) {
    uses(.task(task.line))
    for child in jobs.tasks.values where child.parent == task.line { usesCancelled(child) }
  }

  private func noteWait(of task: SeenTask, _ wait: TaskLayout.Wait) {
    switch wait {
    case .task(let other):
      if let other = jobs.tasks[other] { awaits(other.awaited, task) }
    case .group: awaits(.results(task.line), task)
    case .continuation, .unknown: return
    }
    task.wasWaiting = true
  }
}

extension SeenTask {
  /// What its end changes.
  fileprivate var awaited: Footprint.Thing {
    switch kind {
    case .alone, .asyncLet: .end(line)
    case .inGroup: .results(parent ?? 0)
    case .discarded: .task(parent ?? 0)
    }
  }
}

extension SeenTask.Kind {
  /// Reads the kind of a task from the flags of its job.
  init(of job: UnownedJob) {
    let (hasResult, isInGroup, isAsyncLet): (UInt32, UInt32, UInt32) = (0x0200_0000, 0x0400_0000, 0x1000_0000)
    self =
      if job.flags & isInGroup != 0 {
        job.flags & hasResult != 0 ? .inGroup : .discarded
      } else {
        job.flags & isAsyncLet != 0 ? .asyncLet : .alone
      }
  }
}
