// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The numbered guarantees about deadlines and context.
@Suite struct DeadlineLawTests {
  // MARK: L14 Deadlines

  @Test func `L14 the deadline is the earliest of its own and its ancestors'`() throws {
    try withManualControl { _ in
      let now = Deadline.now
      let root = Future()
      var line = [root]
      for _ in 0..<5 { line.append(Future(linkedTo: line[line.count - 1])) }
      let leaf = line[5]
      #expect(leaf.deadline == nil)
      for (index, seconds) in [(4, 10), (0, 7), (2, 8), (5, 9), (3, 6)] {
        line[index].cancel(at: now + .seconds(seconds))
      }
      #expect(line.map(\.deadline) == [7, 7, 7, 6, 6, 6].map { now + .seconds($0) })
    }
  }

  @Test func `L14 at that instant it is cancelled if it is pending, with the error that says whose deadline it was`()
    throws
  {
    try withManualControl { control in
      let session = Future(label: "session")
      let request = Future(linkedTo: session, label: "request")
      let done = Future(linkedTo: session)
      session.cancel(at: Deadline.now + .seconds(2))
      request.cancel(at: Deadline.now + .seconds(3))
      let deadline = request.deadline
      done.complete()
      control.clock.advance(by: .nanoseconds(1_999_999_999))
      #expect(request.isPending)
      control.clock.advance(by: .nanoseconds(1))
      #expect(request.isCancelled && done.isCompleted)
      let error = request.cancellationReason as? TimeoutError
      #expect(error?.label == "session" && error?.deadline == deadline && error?.interval == .seconds(2))
    }
  }

  @Test func `L14 a deadline that was moved holds from then on, and the former one doesn't`() throws {
    try withManualControl { control in
      let parent = Future()
      let child = Future(linkedTo: parent)
      let deadline = parent.cancel(at: Deadline.now + .seconds(1))
      #expect(deadline.move(to: Deadline.now + .seconds(5)))
      #expect(child.deadline == Deadline.now + .seconds(5))
      control.clock.advance(by: .seconds(4))
      #expect(child.isPending)
      #expect(deadline.move(to: Deadline.now + .milliseconds(1)))
      control.clock.advance(by: .milliseconds(1))
      #expect(child.isCancelled && !deadline.move(to: Deadline.now + .seconds(1)))
    }
  }

  @Test func `L14 of several deadlines that have passed the earliest is the reason, whichever timer fires first`()
    throws
  {
    try withManualControl { control in
      let parent = Future()
      let child = Future(linkedTo: parent)
      let deadlines = [3, 1, 2].map { seconds in
        ([1, 3].contains(seconds) ? child : parent).cancel(after: .seconds(100), throwing: Reason("\(seconds)"))
      }
      control.clock.advance(by: .seconds(10))
      // Their timers fire in this order.
      for (deadline, seconds) in zip(deadlines, [3, 1, 2]) { deadline.move(to: Deadline.now - .seconds(10 - seconds)) }
      control.clock.advance(by: .zero)
      #expect(reason(child.cancellationReason) == Reason("1") && reason(parent.cancellationReason) == Reason("2"))
    }
  }

  @Test(arguments: [(0, 20), (1_000, 50), (20_000, 500), (100_000, 5_000)])
  func `L14 the earliest is the reason, however far above it is set`(_ depth: Int, _ microseconds: Int) async {
    // The cancellation of the future above is still on its way through the others when the later deadline comes.
    for _ in 0..<iterations(depth > 10_000 ? 5 : 100) {
      let root = Future(label: "root")
      var last = root
      for _ in 0..<depth { last = Future(linkedTo: last) }
      let child = Future(linkedTo: last, label: "child")
      let instant = Deadline.now + .milliseconds(2)
      root.cancel(at: instant)
      child.cancel(at: instant + .microseconds(microseconds))
      _ = await child.outcome
      #expect((child.cancellationReason as? TimeoutError)?.label == "root")
    }
  }

  @Test func `L14 a deadline that has passed when it is set follows the cancellation that is on its way`() async {
    for _ in 0..<iterations(10) {
      let root = Future(label: "root")
      // The last one that the walk comes to.
      let children = (0..<50_000).map { _ in Future(linkedTo: root) }
      let child = Future(linkedTo: root, label: "child")
      let passed = Deadline.now
      await onThreads([
        { root.cancel(at: passed - .seconds(2)) },
        {
          while root.isPending {}
          child.cancel(at: passed - .seconds(1))
        },
      ])
      #expect((child.cancellationReason as? TimeoutError)?.label == "root")
      withExtendedLifetime(children) {}
    }
  }

  @Test func `L14 a deadline that has passed when it is set isn't the reason if an earlier one has passed as well`()
    throws
  {
    try withManualControl { control in
      let parent = Future()
      let child = Future(linkedTo: parent)
      let deadline = parent.cancel(after: .seconds(100), throwing: Reason("earlier"))
      control.clock.advance(by: .seconds(10))
      deadline.move(to: Deadline.now - .seconds(2))  // Its timer is late.
      child.cancel(at: Deadline.now - .seconds(1), throwing: Reason("later"))
      #expect(reason(child.cancellationReason) == Reason("earlier") && parent.isCancelled)
    }
  }

  @Test func `L14 a deadline that is over a century away doesn't come, isn't shown, and can be moved`() throws {
    try withManualControl { control in
      let future = Future()
      let deadline = future.cancel(after: .seconds(Int64.max))
      #expect(future.deadline == nil && control.clock.timers.isEmpty)
      #expect(deadline.move(to: Deadline.now + .seconds(1)) && future.deadline == deadline.instant)
      control.clock.advance(by: .seconds(1))
      #expect(future.isCancelled)
    }
  }

  // MARK: L15 Context

  @Test(.exitTests)
  func `L15 what was captured when a handler was registered is in force while it runs, and nowhere else`() async {
    // For the whole program, so it has one of its own.
    await #expect(processExitsWith: .success) { await DeadlineLawTests.context() }
  }

  @TaskLocal private static var name = "nobody"

  fileprivate static func context() async {
    Future.contextPropagation = {
      let captured = name
      return { body in $name.withValue(captured, operation: body) }
    }
    let future = Future()
    let log = EventLog<String>()
    for name in ["a", "b", "c"] {
      $name.withValue(name) {
        future.onComplete { log.add("\(name)\(Self.name)") }
        future.onComplete(on: .inline) { log.add("\(name)\(Self.name)") }
        future.perform { log.add("\(name)\(Self.name)") }
      }
    }
    future.onComplete { log.add(Self.name) }
    $name.withValue("d") { future.complete() }
    _ = await future.handlersFinished
    #expect(log.events.sorted() == ["aa", "aa", "aa", "bb", "bb", "bb", "cc", "cc", "cc", "nobody"])
  }
}
