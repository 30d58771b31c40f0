// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - The things that steps of tasks use

extension OrderRun {
  /// Notes that the running step uses something.
  func uses(_ thing: Footprint.Thing, _ use: Footprint.Use = .write) {
    if reduction == .ofTasks, isOwnThread { trail.use(Footprint(thing, use)) }
  }

  /// Notes that the running step uses a future, of which nothing more is known.
  func usesAnything() {
    if isOwnThread { jobs.usesFutures = true }
    if reduction == .ofTasks, isOwnThread { trail.use(.anything) }
  }

  /// Notes that a task comes to the queue of an actor, or continues somewhere.
  func usesQueue(of task: SeenTask?, _ destination: TaskLayout.Destination?) {
    guard reduction == .ofTasks else { return }
    if let task { uses(.task(task.line)) }
    if case .defaultActor(let actor) = destination { uses(.line(line(of: actor))) }
  }

  /// Notes the tasks that the last step has cancelled, and the children of groups that have ended in it; and if it has
  /// read the time, which depends on all steps before.
  func noteTasks() {
    if reduction != .none, time.virtual?.wasRead == true { trail.use(.anything) }
    guard reduction == .ofTasks || recorder.isOn, TaskLayout.known != nil else { return }
    for address in jobs.addresses {
      guard let task = jobs.tasks[address], !task.wasComplete else { continue }
      if !task.wasCancelled, TaskLayout.isCancelled(address) {
        task.wasCancelled = true
        if recorder.isOn, !TaskLayout.isComplete(address) { jobs.cancelled.append(task.line) }
        uses(.task(task.line))
      }
      if TaskLayout.isComplete(address) {
        task.wasComplete = true
        if let group = task.group { uses(.task(group)) }
      }
    }
  }
}
