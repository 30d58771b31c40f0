// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite(.exitTests) struct PlacesTests {
  private let log = EventLog<String>()

  /// A member that ends when it is told to, also if it is cancelled.
  private func add(_ name: String, to scope: Scope, until end: Future) -> ValueFuture<Void> {
    scope.addTask(name: name) { [log] in
      log.add("\(name) begins")
      _ = await end.outcome
      log.add("\(name) ends")
    }
  }

  @Test func `those that wait begin in order, when one before has ended and not when it was cancelled`() async throws {
    let (scope, ends) = (Scope(limit: 1), (0..<4).map { _ in Future() })
    let members = ends.enumerated().map { add("\($0)", to: scope, until: $1) }
    try await log.wait(for: 1)
    members[0].cancel()
    members[2].cancel()
    #expect(members[0].isCancelled && log.events == ["0 begins"])
    for end in ends { end.complete() }
    await scope.drain()
    #expect(log.events == ["0 begins", "0 ends", "1 begins", "1 ends", "3 begins", "3 ends"])
    #expect(scope.places?.waitCount == 0)
  }

  @Test func `a drain names those that wait as waiting`() async throws {
    let (scope, end) = (Scope(limit: 1, label: "scope"), Future())
    let running = add("first", to: scope, until: end)
    let waiting = add("second", to: scope, until: end)
    let error = try await #require(throws: DrainError.self) { try await scope.drain(within: .zero) }
    #expect(error.remaining.map(\.kind) == [.pending, .waiting])
    #expect(error.remaining[1].description.hasPrefix("second waits for a place after "))
    end.complete()
    _ = try await (running.value, waiting.value)
  }

  @Test func `a scope that is cancelled begins nothing that waits, and one that was cancelled nothing at all`()
    async throws
  {
    let (scope, end) = (Scope(limit: 1), Future())
    let running = add("first", to: scope, until: end)
    try await log.wait(for: 1)
    let waiting = scope.start { [log] in
      log.add("started")
      return ValueFuture<Int>()
    }
    scope.cancel(throwing: Reason("closed"))
    #expect(reason(waiting.cancellationReason) == Reason("closed") && running.isCancelled)
    _ = await waiting.handlersFinished
    end.complete()
    let late = add("late", to: scope, until: end)
    await scope.drain()
    #expect(late.isCancelled && log.events == ["first begins", "first ends"])
  }

  @Test func `work that isn't a task keeps its place until it has ended`() async throws {
    let scope = Scope(limit: 1)
    let (first, second) = (ValueFuture<Int>(label: "first"), ValueFuture<Int>(label: "second"))
    let activity = first.beginActivity("hanging up")
    let members = [first, second].map { work in
      scope.start { [log] in
        log.add("\(work.origin.label ?? "?") begins")
        return work
      }
    }
    try await log.wait(for: 1)
    members[0].cancel(throwing: Reason("no"))
    #expect(await first.outcome == .cancelled)
    #expect(reason(first.cancellationReason) == Reason("no") && log.events == ["first begins"])
    activity.end()
    try await log.wait(for: 2)
    second.complete(with: 7)
    #expect(try await members[1].value == 7)
    await scope.drain()
    #expect(log.events == ["first begins", "second begins"])
  }

  @Test func `what start gets is passed on: lazy work is started, errors are thrown, and no value is lost`()
    async throws
  {
    for scope in [Scope(), Scope(limit: 2)] {
      #expect(try await scope.start { .lazy { _ in 7 } }.value == 7)
      await #expect(throws: Reason("broken")) {
        try await scope.start { () throws -> ValueFuture<Int> in throw Reason("broken") }.value
      }
      await #expect(throws: Reason("failed")) {
        try await scope.start { ValueFuture<Int>.completed(throwing: Reason("failed")) }.value
      }
      #expect(scope.start { () throws -> ValueFuture<Int> in throw CancellationError() }.cancelToken != .never)
      do {
        let work = ValueFuture<Int>(onUndelivered: { [log] in log.add("given back: \($0)") })
        let member = scope.start { work }
        work.complete(with: 8)
        #expect(await member.outcome == .completed)
      }
      await scope.drain()
    }
    try await log.wait(for: 2)
    #expect(log.events == ["given back: 8", "given back: 8"])
  }

  @Test func `a member has the task-local values of its caller, no matter who frees the place`() async throws {
    let (scope, caller, end) = (Scope(limit: 1), Future(), Future())
    let first = add("first", to: scope, until: end)
    let waiting = try await caller.run { scope.addTask { CancelToken.current } }
    end.complete()
    #expect(try await waiting.value == caller.cancelToken)
    try await first.value
  }

  @Test func `a member that is completed while it waits leaves, and frees no place that it didn't have`() async throws {
    let (scope, end) = (Scope(limit: 1), Future())
    let first = add("first", to: scope, until: end)
    try await log.wait(for: 1)
    add("second", to: scope, until: end).complete()
    let third = add("third", to: scope, until: end)
    try await eventually("the second one has left") { scope.count == 2 }
    #expect(log.events == ["first begins"])
    end.complete()
    _ = try await (first.value, third.value)
    #expect(log.events == ["first begins", "first ends", "third begins", "third ends"])
  }

  @Test func `L7 L10 thirty thousand wait, begin one after the other, or are cancelled, and leave nothing`()
    async throws
  {
    let count = 30_000
    let (scope, end, begun) = (Scope(limit: 1), Future(), EventLog<Int>())
    _ = add("first", to: scope, until: end)
    try await log.wait(for: 1)
    let waiting = (0..<count).map { number in
      scope.addTask {
        begun.add(number)
      }
    }
    #expect(scope.places?.waitCount == count)
    for number in stride(from: 1, to: count, by: 2) { waiting[number].cancel() }
    // The last one leaves the scope first, and then the line.
    try await eventually("the cancelled ones have left the scope") { scope.count == count / 2 + 1 }
    try await eventually("the cancelled ones have left the line") { scope.places?.waitCount == count / 2 }
    end.complete()
    await scope.drain()
    #expect(begun.events == Array(stride(from: 0, to: count, by: 2)) && scope.places?.waitCount == 0)
  }

  @Test func `a limit below 1 stops the program, with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Scope(limit: 0, label: "downloads")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("in a scope with a limit of 0 nothing would ever begin: downloads"))
  }

  // MARK: All orders, and threads

  @Test func `no more than the limit run, and who waits begins in its turn or never, no matter who is cancelled when`()
    async
  {
    let begun = Variable<Set<[Int]>>([])
    await exploreTasks("one place for three") { scenario in
      let scope = Scope(limit: 1, label: "scope")
      let (running, order) = (Variable(0), Variable<[Int]>([]))
      let members = (0..<3).map { number in
        scope.addTask {
          running.value += 1
          scenario.check(running.value == 1, "two run")
          order.value.append(number)
          await Task.yield()
          running.value -= 1
        }
      }
      let canceller = Task { members[1].cancel() }
      await scope.drain()
      await canceller.value
      scenario.check(members[1].isCancelled || order.value == [0, 1, 2], "\(order.value) have begun")
      begun.value.insert(order.value)
    }
    #expect(begun.value == [[0, 1, 2], [0, 2]])
  }

  private final class Subject: Sendable {
    let scope = Scope(limit: 2, label: "scope")
    let running = Atomic(0)
    let most = Atomic(0)
    let ends = Atomic(0)

    func add() -> ValueFuture<Void> {
      scope.addTask { [self] in
        most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        await Task.yield()
        running.subtract(1, ordering: .relaxed)
      }
    }

    func act(cancelling: Int) {
      let members = (0..<6).map { _ in add() }
      // Each is answered once.
      for member in members { member.onEnd(on: .inline) { _ in self.ends.add(1, ordering: .relaxed) } }
      for member in members.suffix(cancelling) { member.cancel() }
    }
  }

  @Test func `under stress the limit holds, and everything ends once`() async {
    await stress(
      rounds: iterations(500),
      make: { Subject() },
      actors: [{ $0.act(cancelling: 0) }, { $0.act(cancelling: 4) }, { $0.act(cancelling: 6) }],
      verify: { subject in
        let drained = Gate("drained")
        Task {
          await subject.scope.drain()
          // A member's end is told to the scope first, then to the line and to the others.
          try? await eventually("the end of each is told") {
            subject.ends.load(ordering: .relaxed) == 18 && subject.scope.places?.waitCount == 0
          }
          drained.open()
        }
        drained.wait()
        #expect(subject.most.load(ordering: .relaxed) <= 2 && subject.running.load(ordering: .relaxed) == 0)
        #expect(subject.ends.load(ordering: .relaxed) == 18)
        #expect(subject.scope.places?.waitCount == 0)
      }
    )
  }
}
