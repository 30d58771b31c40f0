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
  /// Pairs that used real locks in one step each, with the places, the one that came first in some order before the other;
  /// and those of which that one did so more than once.
  private var (pairs, pairsOfTwice): (Set<String>, Set<String>) = ([], [])
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

  /// Returns those that used real locks, where another one could have acted between two uses: that is no point.
  ///
  /// - Parameters:
  ///   - twice: True if only those count of which either did so more than once when it came first.
  ///   - isComplete: True if all orders were run: then either comes first in one, unless it waits for the other.
  /// - Returns: Their titles, with the places.
  func untried(twice: Bool, isComplete: Bool) -> [String] {
    let pairs = twice ? pairsOfTwice : pairs
    let lists = pairs.map { $0.split(separator: "\n").map(String.init) }
    let both = lists.filter { !twice && !isComplete || pairs.contains("\($0[1])\n\($0[0])") }
    return Set(both.flatMap(\.self)).sorted()
  }

  mutating func addLocking(_ first: String, _ second: String, twice: Bool) {
    pairs.insert("\(first)\n\(second)")
    if twice { pairsOfTwice.insert("\(first)\n\(second)") }
  }

  mutating func concern(threads: Bool) { limit = threads ? 1 : 2 }

  mutating func add(_ other: Points) {
    whole.formUnion(other.whole)
    interrupted.formUnion(other.interrupted)
    pairs.formUnion(other.pairs)
    pairsOfTwice.formUnion(other.pairsOfTwice)
    if other.areOfFutures { areOfFutures = true }
    limit = other.limit
  }

  mutating func pass(through archive: inout Archive) {
    var lists = [Array(whole), Array(pairs), Array(pairsOfTwice), Array(interrupted)]
    archive.pass(&lists, of: []) { archive, list in archive.pass(&list, of: "") { $0.pass(&$1) } }
    if lists.count == 4 {
      (whole, pairs, pairsOfTwice, interrupted) = (Set(lists[0]), Set(lists[1]), Set(lists[2]), Set(lists[3]))
    }
    archive.pass(&limit)
    archive.pass(&areOfFutures)
  }
}

extension OrderRun {
  private func words(for user: (line: Int, place: String)) -> String {
    "\"\(title(of: user.line).onOneLine)\"\(user.place)"
  }

  /// The tasks and threads of the order, to be read at its end, before it lets go of its scenario.
  ///
  /// Those that ran in one step, but in the turn of an actor, were alone there. Tasks that use futures need no points,
  /// because their operations are whole.
  var points: Points {
    var points = Points()
    points.concern(threads: taskScenario == nil)
    // Of orders that differ only in what is declared to be independent one is run.
    let eitherWay = taskScenario?.isAllExplored ?? true
    let ownThreads = Set(threads.all.filter { $0.carrier == nil }.map(\.line))
    for pair in real.untried(in: trail, threads: ownThreads) {
      let (first, second) = (words(for: pair.first), words(for: pair.second))
      points.addLocking(first, second, twice: pair.areTwice.0)
      if eitherWay { points.addLocking(second, first, twice: pair.areTwice.1) }
    }
    guard taskScenario != nil else {
      if scenario.actors.count < 2 { return points }
      for (line, actor) in zip(actorLines, scenario.actors) {
        guard case .thread = actor.script else { continue }
        points.add(actor.name, isInterrupted: threads.acted.contains(line))
      }
      return points
    }
    if jobs.usesFutures { points.concernFutures() }
    // The body makes the others, and awaits them.
    for task in jobs.tasks.values where !task.isHelper && !actorLines.contains(task.line) && task.parts > 0 {
      points.add(title(of: task.line), isInterrupted: task.parts > 1 || task.wasServed)
    }
    return points
  }
}
