// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Waits for the end of everything, and the counts that they wait for, step by step.
@Suite struct OpenWorkTests {
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
        future.awaitEnd(HandlerNode(role: .awaitsHandlers) { _ in })
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
    #expect(drain.end.isPending && future.hasDrains)
    await end()
    #expect(drain.end.isCompleted && !future.hasDrains)
    #expect(future.beginDrain() == nil)
  }

  @Test func `a drain that is given up is nowhere, and isn't completed`() throws {
    let scope = Scope()
    let activity = scope.beginActivity("open")
    let drain = try #require(scope.future.beginDrain())
    drain.wait.unregister()
    #expect(!scope.future.hasDrains)
    activity.end()
    #expect(drain.end.isPending)
  }

  @Test func `a drain that is given up while handlers run is nowhere either, when they have returned`() throws {
    let scope = Scope()
    let activity = scope.beginActivity("open")
    let drain = try #require(scope.future.beginDrain())
    scope.onCancel(on: .inline) { drain.wait.unregister() }
    scope.cancel()
    #expect(!scope.future.hasDrains && !scope.future.isDrained)
    activity.end()
    #expect(drain.end.isPending && scope.future.isDrained)
  }

  @Test func `a drain that comes when it is over waits for nothing`() {
    let scope = Scope()
    let log = EventLog<Int>()
    scope.future.awaitEnd(HandlerNode(role: .drain) { _ in log.add(1) })
    scope.cancel()
    scope.future.awaitEnd(HandlerNode(role: .awaitsEnd) { _ in log.add(2) })
    #expect(log.events == [1, 2] && !scope.future.hasDrains && CancelToken.never.future.beginDrain() == nil)
  }

  @Test func `a drain that is given up doesn't keep a joiner of shared work, and a member does`() {
    func isKept(_ wait: (Future) -> Void) -> Bool {
      let work = ValueFuture<Int>()
      let shared = SharedFuture(work)
      do {
        if let joiner = shared.join() { wait(joiner.cancelToken.future) }
      }
      return work.isPending
    }
    #expect(!isKept { $0.beginDrain()?.wait.unregister() })
    let scope = Scope()
    #expect(isKept { scope.add($0) })
    scope.cancel()
  }

  // MARK: Names

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

  // MARK: A scope that isn't empty is open in the one around it (O1, O2)

  /// What may be open in a nested scope.
  enum Open: CaseIterable, Sendable {
    case activity, unnamed, member, memberScope, inlineHandler, handler, handlerInBlock, lateHandler, lateInlineHandler
    case deadline, linked, linkedLate, abandoned, nestedScope

    /// Opens it, which calls `isOpen` meanwhile, and returns what ends it.
    func begin(in scope: Scope, _ isOpen: @escaping @Sendable () -> Void) async -> () async -> Void {
      switch self {
      case .activity:
        let activity = scope.beginActivity("open")
        isOpen()
        return { activity.end() }
      case .unnamed:
        scope.keepOpen()
        isOpen()
        return { scope.letGo() }
      case .member:
        let member = Future()
        member.onCleanUp(on: .inline, isOpen)
        scope.add(member)
        return { member.complete() }
      case .memberScope:
        let member = Scope()
        let inside = Scope(in: member).beginActivity("open")
        scope.add(member)
        member.cancel()
        isOpen()
        return { inside.end() }
      case .inlineHandler:
        scope.onCancel(on: .inline, isOpen)
        return { scope.cancel() }
      case .handler:
        scope.onCancel(isOpen)
        return {
          scope.cancel()
          await scope.future.withTurn {}
        }
      case .handlerInBlock:
        scope.onCancel(on: .inline, isOpen)
        return {
          await onThread {
            scope.performAndWait {
              scope.cancel()
              isOpen()
            }
          }
        }
      case .lateHandler, .lateInlineHandler:
        scope.cancel()
        return {
          scope.onCancel(on: self == .lateHandler ? .serialQueue : .inline, isOpen)
          await scope.future.withTurn {}
        }
      case .deadline:
        scope.onCancel(on: .inline, isOpen)
        return { scope.cancel(after: .zero) }
      case .linked, .linkedLate:
        let other = Future()
        scope.onCancel(on: .inline, isOpen)
        if self == .linkedLate { other.cancel() }
        other.cascadeCancellation(to: scope)
        return { other.cancel() }
      case .abandoned:
        scope.onCancel(on: .inline, isOpen)
        return {
          let other = Future()
          scope.future.passControl(to: other)
        }
      case .nestedScope:
        let nested = Scope(in: scope)
        nested.onCancel(on: .inline, isOpen)
        return { nested.cancel() }
      }
    }
  }

  @Test(arguments: Open.allCases)
  func `L12 while anything is open in a nested scope, those around it are, and then none is`(_ open: Open) async {
    let outer = Scope(label: "outer")
    let middle = Scope(in: outer)
    let inner = Scope(in: middle)
    let log = EventLog<Bool>()
    let end = await open.begin(in: inner) { log.add(outer.future.isDrained || middle.future.isDrained) }
    await end()
    #expect(!log.events.isEmpty && !log.events.contains(true), "\(log.events)")
    #expect(outer.future.isDrained && middle.future.isDrained && inner.future.isDrained)
    #expect([outer, middle, inner].map { $0.future.insideCount } == [0, 0, 0])
  }

  @Test func `a nested scope counts once around it, however much is open in it`() {
    let outer = Scope()
    let inner = Scope(in: outer)
    var activities = (0..<10).map { inner.beginActivity("\($0)") }
    inner.onCancel {}
    inner.cancel()
    #expect(outer.future.insideCount == 1)
    while activities.count > 1 { activities.removeLast().end() }
    #expect(outer.future.insideCount == 1)
    activities.removeLast().end()
  }

  @Test func `one who was overtaken while it opened the scopes around closes them once`() {
    let outer = Scope()
    let inner = Scope(in: outer)
    // A thread has found the inner one closed, and has opened the outer one.
    let isClosed = inner.future.process { !$0.open(nested: false) }
    outer.future.keepOpen()
    #expect(isClosed)
    let activity = inner.beginActivity("faster")
    #expect(outer.future.insideCount == 1)
    #expect(inner.future.process { $0.openInside(nested: false) } == false)
    outer.future.letGo()
    activity.end()
    #expect(!outer.future.isDrained && outer.future.insideCount == 1)
    inner.letGo()
    #expect(outer.future.isDrained && inner.future.isDrained)
  }

  @Test func `a scope that is dropped in the middle still counts what is open in it`() throws {
    let outer = Scope()
    let activity = {
      let middle = Scope(in: outer)
      return Scope(in: middle).beginActivity("open")
    }()
    let drain = try #require(outer.future.beginDrain())
    #expect(outer.future.insideCount == 1 && outer.count == 1)
    activity.end()
    #expect(drain.end.isCompleted && outer.count == 0)
  }

  @Test func `a drain of the outer scope waits there alone, and ends with the last thing at any depth`() throws {
    var line = [Scope()]
    for index in 0..<100 { line.append(Scope(in: line[index])) }
    let activities = [line[100], line[50]].map { $0.beginActivity("open") }
    let drain = try #require(line[0].future.beginDrain())
    #expect(line.map(\.future.hasDrains) == [true] + Array(repeating: false, count: 100))
    activities[0].end()
    #expect(drain.end.isPending && line.map(\.future.isDrained).firstIndex(of: true) == 51)
    activities[1].end()
    #expect(drain.end.isCompleted && line.allSatisfy(\.future.isDrained))
  }

  @Test func `who waits for the handlers of a scope doesn't wait for what is inside of it`() {
    let outer = Scope()
    let activity = Scope(in: outer).beginActivity("inside")
    let own = outer.beginActivity("own")
    let log = EventLog<String>()
    outer.future.awaitEnd(HandlerNode(role: .drain) { _ in log.add("drained") })
    outer.future.awaitEnd(HandlerNode(role: .awaitsHandlers) { _ in log.add("handlers") })
    outer.future.awaitEnd(HandlerNode(role: .awaitsEnd) { _ in log.add("end") })
    outer.cancel()
    #expect(log.events.isEmpty)
    own.end()
    #expect(log.events == ["handlers"])
    activity.end()
    #expect(log.events == ["handlers", "drained", "end"])
  }

  @Test func `a member waits for its decision, and a drain of the same scope doesn't`() {
    let scope = Scope()
    let activity = scope.beginActivity("open")
    let log = EventLog<String>()
    scope.future.awaitEnd(HandlerNode(role: .awaitsEnd) { _ in log.add("end") })
    scope.future.awaitEnd(HandlerNode(role: .drain) { _ in log.add("drained") })
    activity.end()
    #expect(log.events == ["drained"])
    scope.beginActivity("more").end()
    scope.cancel()
    #expect(log.events == ["drained", "end"])
  }

  // MARK: Trees

  @Test func `L11 a wait for one future of a tree ends when all of them are resolved`() async throws {
    let root = Future()
    let first = Future(linkedTo: root)
    let others = (0..<iterations(20_000)).map { _ in Future(linkedTo: root) }
    let waiter = Task {
      await first.drain()
      return others.allSatisfy(\.isCancelled)
    }
    try await eventually("the task waits") { first.hasDrains }
    await onThread { root.cancel() }
    #expect(await waiter.value)
  }

  // MARK: Growth

  @Test func `what ends elsewhere doesn't touch a drain that waits for something else`() throws {
    let outer = Scope()
    let inside = (0..<100).map { _ in Scope(in: outer) }
    let long = inside[50].beginActivity("long")
    let drain = try #require(outer.future.beginDrain())
    for scope in inside { scope.beginActivity("short").end() }
    #expect(drain.end.isPending)
    long.end()
    #expect(drain.end.isCompleted)
  }

  @Test func `a drain waits in its place while a hundred thousand members come and go`() throws {
    let outer = Scope()
    let scope = Scope(in: outer)
    let long = scope.beginActivity("long")
    let drains = try (0..<3).map { _ in try #require(outer.future.beginDrain()) }
    for number in 0..<iterations(100_000) {
      let member = Future()
      let membership = (number % 2 == 0 ? scope : outer).add(member)
      if number % 3 == 0 { membership?.leave() } else { member.complete() }
    }
    #expect(drains.allSatisfy { $0.end.isPending } && outer.count == 1)
    #expect(outer.future.waitCount == 3 && outer.future.insideCount == 1)
    long.end()
    #expect(drains.allSatisfy { $0.end.isCompleted } && outer.future.isDrained)
  }

  @Test func `L10 a line of 100,000 scopes opens and closes from the inside, on a small stack`() async {
    let isDrained = await onThread(stackSize: 128 << 10) {
      var line = [Scope()]
      for index in 0..<iterations(100_000) { line.append(Scope(in: line[index])) }
      let activity = line[line.count - 1].beginActivity("last")
      let before = line[0].future.isDrained
      activity.end()
      defer { while line.popLast() != nil {} }
      return [before, line[0].future.isDrained]
    }
    #expect(isDrained == [false, true])
  }

  @Test func `L10 many scopes that are dropped from the inside don't tell those around each time`() async {
    await onThread(stackSize: 128 << 10) {
      var line = [Scope()]
      for index in 0..<iterations(100_000) {
        line.append(Scope(in: line[index]))
        // It won't run at the end of the scope.
        line[index + 1].onCancel(on: .inline) {}
      }
      while line.popLast() != nil {}
    }
  }

  @Test func `waiters for the end of one future stay in its list until the last activity has ended`() {
    let future = Future()
    var activities = (0..<100).map { future.beginActivity("\($0)") }
    let log = EventLog<Int>()
    let waiters = (0..<100).map { number in HandlerNode(role: .awaitsHandlers) { _ in log.add(number) } }
    future.complete()
    for waiter in waiters { future.awaitEnd(waiter) }
    // To take them out and to put them back would mark them again.
    for waiter in waiters { waiter.standing = .free }
    while activities.count > 1 { activities.removeLast().end() }
    #expect(waiters.allSatisfy { !$0.isListed } && log.events.isEmpty)
    for waiter in waiters { waiter.standing = .listed }
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
    #expect(drains.count == 10_000 && table.capacity >= 20_000)
    for drain in drains { drain.wait.unregister() }
    #expect(!scope.future.hasDrains)
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

extension Future {
  /// True if a drain waits in its list.
  var hasDrains: Bool { process { $0.handlers.aside.roles.contains(.drain) } }

  /// The number of nested scopes that are open in it.
  fileprivate var insideCount: Int32 { process { $0.nesting.count } }

  /// The number of entries that wait for some end, and of timers.
  var waitCount: Int {
    process { machine in
      var count = 0
      machine.handlers.aside.forEach { _ in count += 1 }
      return count
    }
  }
}
