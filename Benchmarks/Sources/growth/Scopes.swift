// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CMeasuring
import RaceFreeFuture

/// Runs the body while a task drains the scope, which the member of a nested one keeps open until then.
private func whileDrained(_ scope: Scope, _ body: () -> Void) {
  let (nested, long) = (Scope(in: scope), Future())
  nested.add(long)
  runTask { await scope.drain() }
  body()
  long.complete()
  run_tasks()
  keep_tasks(false)
}

/// Completes all members, and counts a hundred of them at most, when as many have been completed.
private func countEnds(of members: [Future], _ size: Int, _ counter: Counter) {
  let pieces = min(size / 2, 100)
  let complete = { (members: ArraySlice<Future>) in for member in members { member.complete() } }
  counter.count(size, pieces: pieces, after: { complete(members[..<pieces]) }) {
    complete(members[pieces..<(2 * pieces)])
  }
  complete(members[(2 * pieces)...])
}

private func comeAndGo(_ scope: Scope) {
  let member = Future()
  scope.add(member)
  member.complete()
}

let scopeRows: [Row] = [
  Row("a member that comes and goes, beside n") { size, counter in
    let scope = Scope()
    let members = (0..<size).map { _ in Future() }
    for member in members { scope.add(member) }
    counter.countEach(size) { comeAndGo(scope) }
    scope.cancelToken.cancel()
  },
  Row("… while the scope is drained") { size, counter in
    let scope = Scope()
    let members = (0..<size).map { _ in Future() }
    for member in members { scope.add(member) }
    whileDrained(scope) {
      counter.countEach(size) { comeAndGo(scope) }
      for member in members { member.complete() }
    }
  },
  Row("… beside n idle nested scopes") { size, counter in
    let scope = Scope()
    let nested = (0..<size).map { _ in Scope(in: scope) }
    whileDrained(scope) { counter.countEach(size) { comeAndGo(scope) } }
    withExtendedLifetime(nested) {}
  },
  Row("the member of one of n nested scopes ends, while the outer one is drained") { size, counter in
    let scope = Scope()
    let nested = (0..<size).map { _ in Scope(in: scope) }
    let members = nested.map { nested in
      let member = Future()
      nested.add(member)
      return member
    }
    whileDrained(scope) {
      countEnds(of: members, size, counter)
    }
  },
  Row("the member of one of a line of n nested scopes ends, while the first is drained") { size, counter in
    let scope = Scope()
    var line = [scope]
    for index in 0..<size { line.append(Scope(in: line[index])) }
    let members = line.dropFirst().map { nested in
      let member = Future()
      nested.add(member)
      return member
    }
    whileDrained(scope) {
      countEnds(of: members, size, counter)
    }
  },
  Row(
    "work that begins and ends in the innermost of a line of n idle scopes",
    grows: "with n: each of them is opened and closed"
  ) { size, counter in
    var line = [Scope()]
    for index in 0..<size { line.append(Scope(in: line[index])) }
    counter.countEach(size) { line[size].beginActivity("short").end() }
  },
  Row("a nested scope made and released, beside n") { size, counter in
    let scope = Scope()
    let nested = (0..<size).map { _ in Scope(in: scope) }
    counter.countEach(size) { _ = Scope(in: scope) }
    withExtendedLifetime(nested) {}
  },
  Row("one of n members, added and cancelled with the scope") { size, counter in
    counter.countAll(size) {
      let scope = Scope()
      let members = (0..<size).map { _ in Future() }
      for member in members { scope.add(member) }
      scope.cancelToken.cancel()
      precondition(members[size - 1].isCancelled)
    }
  },
  Row("one of n that wait in a scope with a limit, begun and ended") { size, counter in
    counter.count(size, pieces: size) {
      let scope = Scope(limit: 4)
      keep_tasks(true)
      for _ in 0..<size { scope.addTask {} }
      run_tasks()
      precondition(scope.count == 0)
    }
    keep_tasks(false)
  },
  Row("one that waits in a scope with a limit, cancelled beside n others") { size, counter in
    let scope = Scope(limit: 1)
    let first = ValueFuture<Void>()
    keep_tasks(true)
    scope.start { first }
    let others = (0..<size).map { _ in scope.addTask {} }
    run_tasks()
    counter.countEach(size) {
      scope.addTask {}.cancel()
      run_tasks()
    }
    scope.cancelToken.cancel()
    run_tasks()
    keep_tasks(false)
    withExtendedLifetime((first, others)) {}
  },
  Row("a resolved member that is still open leaves a scope, after n others") { size, counter in
    let member = Future()
    let activity = member.beginActivity("still open")
    member.complete()
    for _ in 0..<size { Scope().add(member)?.leave() }
    counter.countEach(size) { Scope().add(member)?.leave() }
    activity.end()
  },
]
