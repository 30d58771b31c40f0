// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

/// The tasks and threads of an exploration, by their titles: those that others interrupted, or could have.
struct Points {
  /// Those that ran from their beginning to their end in one step, in some order.
  private(set) var whole: Set<String> = []
  /// Those that had a point, in some order.
  private(set) var interrupted: Set<String> = []
  /// Those that took a mutex of the system which another one took as well: that is no point.
  private(set) var locking: Set<String> = []
  /// True if code of some order used futures: operations of these are whole, so that their tasks need no points.
  private(set) var areOfFutures = false
  /// The number of tasks or threads without a point from which on nothing is concluded: two tasks that nobody could
  /// interrupt may have met; a thread of a scenario runs before all steps then.
  private(set) var limit = 2

  /// Those that ran in one step in each order.
  var uninterrupted: [String] { whole.subtracting(interrupted).sorted() }

  /// True if others could act between the beginning and the end of each task or thread, or of all but one.
  var areEnough: Bool { areOfFutures || uninterrupted.count < limit }

  mutating func concernFutures() { areOfFutures = true }

  mutating func add(_ title: String, isInterrupted: Bool) {
    if isInterrupted { interrupted.insert(title) } else { whole.insert(title) }
  }

  mutating func addLocking(_ titles: some Sequence<String>) { locking.formUnion(titles) }

  mutating func concern(threads: Bool) { limit = threads ? 1 : 2 }

  mutating func add(_ other: Points) {
    whole.formUnion(other.whole)
    interrupted.formUnion(other.interrupted)
    locking.formUnion(other.locking)
    if other.areOfFutures { areOfFutures = true }
    limit = other.limit
  }

  mutating func pass(through archive: inout Archive) {
    var lists = [Array(whole), Array(locking), Array(interrupted)]
    archive.pass(&lists, of: []) { archive, list in archive.pass(&list, of: "") { $0.pass(&$1) } }
    if lists.count == 3 { (whole, locking, interrupted) = (Set(lists[0]), Set(lists[1]), Set(lists[2])) }
    archive.pass(&limit)
    archive.pass(&areOfFutures)
  }
}

extension OrderRun {
  /// The tasks and threads of the order, to be read at its end, before it lets go of its scenario.
  ///
  /// Those that ran in one step, but in the turn of an actor, were alone there. Tasks that use futures need no points,
  /// because their operations are whole.
  var points: Points {
    var points = Points()
    points.concern(threads: taskScenario == nil)
    guard taskScenario != nil else {
      if scenario.actors.count < 2 { return points }
      for (line, actor) in zip(actorLines, scenario.actors) {
        guard case .thread = actor.script else { continue }
        points.add(actor.name, isInterrupted: threads.acted.contains(line))
      }
      return points
    }
    for users in jobs.realLocks.values where users.count > 1 { points.addLocking(users.map { title(of: $0) }) }
    if jobs.usesFutures { points.concernFutures() }
    // The body makes the others, and awaits them.
    for task in jobs.tasks.values where !task.isHelper && !actorLines.contains(task.line) && task.parts > 0 {
      points.add(title(of: task.line), isInterrupted: task.parts > 1 || task.wasServed)
    }
    return points
  }
}
