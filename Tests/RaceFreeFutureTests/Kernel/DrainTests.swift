// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Waits for the end of everything, step by step: none of these tests waits for a task.
@Suite struct DrainTests {
  // MARK: Each way to the end wakes (L12)

  /// What a future still has when it is decided, or what ends after that.
  enum Last: CaseIterable, Sendable {
    case decision, decisionInBlock, inlineHandler, twoInlineHandlers, waiter, serialHandler, queueHandler
    case lateInlineHandler, lateSerialHandler, activity, linked, linkedLate, linkedWithHandler, stage, lateStage,
      stageOnQueue
    case lateStageOnQueue, deadline

    /// Prepares it, and returns what brings the end about before it returns.
    func end(of future: Future) -> () async -> Void {
      let queue = DispatchQueue(label: "given")
      let value = ValueFuture<Int>(future, onUndelivered: nil)
      switch self {
      case .decision, .deadline, .linked, .linkedLate, .decisionInBlock:
        break
      case .inlineHandler:
        future.onComplete(on: .inline) {}
      case .twoInlineHandlers:
        for _ in 0..<2 { future.onComplete(on: .inline) {} }
      case .waiter:
        _ = future.process { $0.awaitFinish(HandlerNode(role: .awaitsHandlers) { _ in }) }
      case .serialHandler, .linkedWithHandler:
        future.onCleanUp {}
      case .queueHandler:
        future.onComplete(on: queue.handlerPlace) {}
      case .lateInlineHandler:
        return {
          // The first one keeps the future open until the second one is to.
          future.onComplete(on: .inline) { future.keepOpen() }
          future.complete()
          future.onComplete(on: .inline) { future.letGo() }
        }
      case .lateSerialHandler:
        future.keepOpen()
        return {
          future.complete()
          future.onComplete { future.letGo() }
          await future.withTurn {}
        }
      case .activity:
        let activity = future.beginActivity("last")
        return {
          future.complete()
          activity.end()
        }
      case .stage:
        _ = value.map { $0 + 1 }
      case .stageOnQueue:
        let next = value.map(on: queue.handlerPlace) { $0 + 1 }
        return {
          value.complete(with: 1)
          queue.sync {}
          #expect(next.isCompleted)
        }
      case .lateStage, .lateStageOnQueue:
        future.keepOpen()
        let place = self == .lateStage ? HandlerPlace.inline : queue.handlerPlace
        return {
          value.complete(with: 1)
          let next = value.map(on: place) { number in
            future.letGo()
            return number
          }
          queue.sync {}
          #expect(next.isCompleted)
        }
      }
      switch self {
      case .linked, .linkedWithHandler:
        let root = Future()
        root.cascadeCancellation(to: future)
        return {
          root.cancel()
          await future.withTurn {}
        }
      case .linkedLate:
        return {
          let root = Future()
          root.cancel()
          root.cascadeCancellation(to: future)
        }
      case .decisionInBlock:
        return { await onThread { future.performAndWait { future.complete() } } }
      case .deadline:
        return { future.cancel(after: .zero) }
      case .stage:
        return { value.complete(with: 1) }
      default:
        return {
          future.complete()
          queue.sync {}
          await future.withTurn {}
        }
      }
    }
  }

  @Test(arguments: Last.allCases)
  func `L12 a drain that began before is over after the last thing, whatever that is`(last: Last) async throws {
    let future = Future()
    let end = last.end(of: future)
    let drain = try #require(future.beginDrain())
    #expect(drain.end.isPending && future.openWork?.hasDrains == true)
    await end()
    #expect(drain.end.isCompleted && future.openWork?.hasDrains == false)
    #expect(future.beginDrain() == nil)
  }

  @Test func `a drain that is abandoned is nowhere, and isn't completed`() throws {
    let scope = Scope()
    let activity = scope.beginActivity("open")
    let drain = try #require(scope.future.beginDrain())
    drain.abandon()
    #expect(scope.future.openWork?.hasDrains == false)
    activity.end()
    #expect(drain.end.isPending)
  }

  @Test func `a drain that would wait at a scope which is quiet by now goes on`() throws {
    let scope = Scope()
    let activity = scope.beginActivity("open")
    var examination = Examination(of: scope.future)
    let next = examination.next()
    let busy = try #require(next)
    activity.end()
    let drain = Drain(examination, label: "end")
    #expect(drain.proceed(at: busy) && scope.future.openWork?.hasDrains == false)
  }

  @Test func `a drain that is abandoned while it goes on stays nowhere`() throws {
    let scope = Scope()
    let activity = scope.beginActivity("open")
    var examination = Examination(of: scope.future)
    let next = examination.next()
    let busy = try #require(next)
    let drain = Drain(examination, label: "end")
    drain.abandon()
    #expect(!drain.proceed(at: busy) && scope.future.openWork?.hasDrains == false)
    activity.end()
  }

  // MARK: The names are gone when it is over (O1)

  @Test func `an activity counts before it has a name, and loses its name before it no longer counts`() throws {
    let scope = Scope()
    func entry() -> OpenWork.Entry {
      #expect(scope.future.beginDrain() != nil && scope.count == 0)
      return OpenWork.Entry(label: "open", site: scope.future.site, of: scope.future)
    }
    let activity = Activity(scope.future, label: "open", entry())
    let drain = try #require(scope.future.beginDrain())
    let log = EventLog<Int>()
    drain.end.onComplete(on: .inline) { log.add(scope.count) }
    activity.end()
    #expect(log.events == [0])
  }

  @Test func `a nested scope that is released is no longer in the one around it`() {
    let outer = Scope()
    do {
      let inner = Scope(in: outer)
      #expect(outer.future.openWork?.inside.count == 1 && inner.count == 0)
    }
    #expect(outer.future.openWork?.inside.isEmpty == true)
  }

  // MARK: All at one moment (O2)

  /// What happens between the two rounds of an examination, and is over before the second one.
  enum Meanwhile: CaseIterable, Sendable {
    case nothing, work, decision, nestedScope

    func happen(in inner: Scope) {
      switch self {
      case .nothing: break
      case .work: inner.beginActivity("short").end()
      case .decision: inner.cancel()
      case .nestedScope: _ = Scope(in: inner)
      }
    }
  }

  @Test(arguments: Meanwhile.allCases)
  func `what was not quiet between two looks makes a third one necessary`(meanwhile: Meanwhile) {
    let outer = Scope()
    let inner = Scope(in: outer)
    inner.onCancel(on: .inline) {}
    var examination = Examination(of: outer.future)
    // Two visits, and the end of the round.
    for _ in 0..<3 { #expect(name(examination.step()) == "visited") }
    meanwhile.happen(in: inner)
    var steps = 1
    while name(examination.step()) == "visited" { steps += 1 }
    #expect(steps == (meanwhile == .nothing ? 3 : 6))
  }

  @Test func `a scope that was created between two looks isn't taken for one that was released`() {
    // In one of two orders, which are up to chance, the numbers alone look the same.
    for _ in 0..<20 {
      let outer = Scope()
      let first = Scope(in: outer)
      var second: Scope? = Scope(in: outer)
      for scope in [first, second, second] { scope?.beginActivity("short").end() }
      var examination = Examination(of: outer.future)
      for _ in 0..<4 { #expect(name(examination.step()) == "visited") }
      second = nil
      let third = Scope(in: first)
      third.beginActivity("short").end()
      var steps = 1
      while name(examination.step()) == "visited" { steps += 1 }
      #expect(steps == 8)
    }
  }

  @Test func `a nested scope that is released during an examination is passed over`() {
    let outer = Scope()
    var inner: Scope? = Scope(in: outer)
    var examination = Examination(of: outer.future)
    #expect(name(examination.step()) == "visited" && inner?.count == 0)
    inner = nil
    #expect(name(examination.step()) == "visited")
  }

  @Test func `a drain that has waited at one scope waits at the next one that is open`() throws {
    let outer = Scope()
    let inside = (0..<3).map { _ in Scope(in: outer) }
    var activities: [ObjectIdentifier: Activity] = [:]
    for scope in inside { activities[scope.id] = scope.beginActivity("open") }
    let drain = try #require(outer.future.beginDrain())
    for left in [2, 1, 0] {
      let place = try #require(inside.first { $0.future.openWork?.hasDrains == true })
      activities.removeValue(forKey: place.id)?.end()
      #expect(drain.end.isPending == (left > 0))
    }
  }

  private func name(_ step: Examination.Step) -> String {
    switch step {
    case .visited: "visited"
    case .wait: "wait"
    case .over: "over"
    }
  }

  // MARK: Growth

  @Test func `work that comes and goes in other scopes isn't looked at by a drain that waits for one`() throws {
    let outer = Scope()
    let inside = (0..<100).map { _ in Scope(in: outer) }
    let long = inside[50].beginActivity("long")
    let drain = try #require(outer.future.beginDrain())
    for scope in inside {
      scope.beginActivity("short").end()
      // It waits at this one, and no other scope has to do with it.
      #expect(([outer] + inside).filter { $0.future.openWork?.hasDrains == true }.map(\.id) == [inside[50].id])
    }
    long.end()
    #expect(drain.end.isCompleted)
  }

  @Test(arguments: [10, 1_000])
  func `a drain visits each nested scope as often, however many there are, and in whichever order they end`(
    count: Int
  ) {
    let outer = Scope()
    let inside = (0..<count).map { _ in Scope(in: outer) }
    var activities: [ObjectIdentifier: Activity] = [:]
    for scope in inside { activities[ObjectIdentifier(scope.future)] = scope.beginActivity("open") }
    var examination = Examination(of: outer.future)
    var steps = 0
    loop: while true {
      steps += 1
      switch examination.step() {
      case .visited: continue
      case .over: break loop
      case .wait(let future): activities.removeValue(forKey: ObjectIdentifier(future))?.end()
      }
    }
    // Each is found open once, and quiet twice; the outer one and the end of a round come on top, and nothing else.
    #expect(steps == 3 * count + 4)
  }

  @Test func `a drain waits at the innermost scope of a line, and not at those around it`() throws {
    var line = [Scope()]
    for index in 0..<100 { line.append(Scope(in: line[index])) }
    let activity = line[100].beginActivity("open")
    let drain = try #require(line[0].future.beginDrain())
    #expect(line.map { $0.future.openWork?.hasDrains == true } == Array(repeating: false, count: 100) + [true])
    activity.end()
    #expect(drain.end.isCompleted)
  }

  @Test func `waiters for the end of one future stay in its list until the last activity has ended`() {
    let future = Future()
    var activities = (0..<100).map { future.beginActivity("\($0)") }
    let log = EventLog<Int>()
    let waiters = (0..<100).map { number in HandlerNode(role: .awaitsHandlers) { _ in log.add(number) } }
    future.complete()
    for waiter in waiters { _ = future.process { $0.awaitFinish(waiter) } }
    // To take them out and to put them back would mark them again.
    for waiter in waiters { waiter.isListed = false }
    while activities.count > 1 { activities.removeLast().end() }
    #expect(waiters.allSatisfy { !$0.isListed } && log.events.isEmpty)
    for waiter in waiters { waiter.isListed = true }
    activities.removeAll()
    #expect(log.events == Array(0..<100))
  }

  @Test func `L7 the tables of a scope become small again after a peak`() throws {
    let scope = Scope()
    let table = try #require(scope.future.openWork)
    let usual = table.capacity
    var members = (0..<10_000).map { _ in Future() }
    for member in members { scope.add(member) }
    var inside = (0..<10_000).map { _ in Scope(in: scope) }
    var drains = (0..<10_000).compactMap { _ in scope.future.beginDrain() }
    #expect(drains.count == 10_000 && table.capacity >= 30_000)
    for drain in drains { drain.abandon() }
    drains.removeAll()
    members.removeAll()
    inside.removeAll()
    #expect(scope.count == 0 && table.capacity <= usual + 200)
  }

  @Test func `a dictionary gives its space back while what is left stays in it`() {
    var dictionary: [Int: Int] = [:]
    for number in 0..<1_000 { dictionary[number] = -number }
    for number in 10..<1_000 { #expect(dictionary.take(number) == -number) }
    #expect(dictionary.capacity < 100 && dictionary == Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, -$0) }))
    #expect(dictionary.take(1_000) == nil)
  }
}

extension Scope {
  fileprivate var id: ObjectIdentifier { ObjectIdentifier(self) }
}
