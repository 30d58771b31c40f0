// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct DeadlineTests {
  // MARK: An instant

  @Test func `at the instant, and not before, the future is cancelled`() throws {
    try withManualControl { control in
      let future = Future(label: "work")
      let instant = Deadline.now + .seconds(3)
      let deadline = future.cancel(at: instant)
      #expect(deadline.instant == instant && future.deadline == instant)
      control.clock.advance(by: .milliseconds(2_999))
      #expect(future.isPending)
      control.clock.advance(by: .milliseconds(1))
      #expect(future.isCancelled && Deadline.now == instant)
      let error = future.cancellationReason as? TimeoutError
      #expect(error == TimeoutError(interval: .seconds(3), label: "work"))
      #expect(error?.deadline == instant)
      #expect(future.deadline == nil && !deadline.unregister() && !deadline.move(to: instant + .seconds(1)))
    }
  }

  @Test func `a part of a nanosecond isn't too early`() throws {
    try withManualControl { control in
      let future = Future()
      future.cancel(at: Deadline.now + .nanoseconds(1) + Duration(secondsComponent: 0, attosecondsComponent: 1))
      control.clock.advance(by: .nanoseconds(1))
      #expect(future.isPending)
      control.clock.advance(by: .nanoseconds(1))
      #expect(future.isCancelled)
    }
  }

  @Test func `an instant that has passed cancels at once, on the calling thread`() {
    let future = Future(label: "late")
    let instant = ContinuousClock.now - .seconds(1)
    let deadline = future.cancel(at: instant)
    #expect(future.isCancelled)
    #expect(future.cancellationReason as? TimeoutError == TimeoutError(interval: .zero, label: "late"))
    #expect((future.cancellationReason as? TimeoutError)?.deadline == instant)
    #expect(deadline.instant == instant && !deadline.unregister() && !deadline.extend(by: .seconds(10)))
  }

  @Test func `it comes in real time, and not early`() async {
    let future = Future()
    let instant = ContinuousClock.now + .milliseconds(10)
    future.cancel(at: instant)
    _ = await future.outcome
    #expect(ContinuousClock.now >= instant)
  }

  @Test func `an explicit reason is the reason`() throws {
    try withManualControl { control in
      let future = Future()
      future.cancel(at: Deadline.now + .seconds(1), throwing: Reason("closing time"))
      control.clock.advance(by: .seconds(1))
      #expect(reason(future.cancellationReason) == Reason("closing time"))
    }
  }

  @Test func `on a future that is resolved, or never is, none is set`() {
    let completed = Future()
    completed.complete()
    for token in [completed.cancelToken, .never] {
      let deadline = token.cancel(at: .now + .seconds(1_000))
      #expect(!deadline.unregister() && !deadline.move(to: .now) && token.deadline == nil)
    }
  }

  @Test func `unregistered it cancels nothing, and isn't known any more`() throws {
    try withManualControl { control in
      let future = Future()
      let late = future.cancel(after: .seconds(5))
      let early = future.cancel(after: .seconds(1))
      #expect(future.deadline == early.instant)
      #expect(early.unregister() && !early.unregister())
      #expect(future.deadline == late.instant && control.clock.timers.count == 1)
      #expect(late.unregister())
      #expect(future.deadline == nil && control.clock.timers.isEmpty)
      control.clock.advance(by: .seconds(10))
      #expect(future.isPending)
    }
  }

  @Test func `at the outcome it is over, its timer stopped and its reason released`() throws {
    try withManualControl { control in
      let future = Future()
      let live = LiveCount()
      let deadline = future.cancel(after: .seconds(1), throwing: Held(live))
      #expect(live.value == 1)
      future.complete()
      #expect(control.clock.timers.isEmpty && live.value == 0 && future.deadline == nil)
      #expect(!deadline.move(to: Deadline.now + .seconds(1)) && !deadline.extend(by: .seconds(1)))
    }
  }

  // MARK: Moving

  @Test func `moved to a later instant it doesn't cancel at the former one`() throws {
    try withManualControl { control in
      let future = Future(label: "work")
      let deadline = future.cancel(after: .seconds(1))
      #expect(deadline.extend(by: .seconds(2)) && deadline.extend(by: .seconds(-1)))
      #expect(control.clock.timers == ["2.0 seconds pass: for \"work\""])
      control.clock.advance(by: .seconds(1))
      #expect(future.isPending)
      control.clock.advance(by: .seconds(1))
      #expect(future.cancellationReason as? TimeoutError == TimeoutError(interval: .seconds(2), label: "work"))
    }
  }

  @Test func `moved to an earlier instant it cancels there`() throws {
    try withManualControl { control in
      let future = Future()
      let deadline = future.cancel(after: .seconds(100))
      #expect(deadline.move(to: Deadline.now + .seconds(1)))
      control.clock.advance(by: .seconds(1))
      #expect(future.isCancelled)
    }
  }

  @Test func `moved into the past it cancels when time goes on`() throws {
    try withManualControl { control in
      let future = Future()
      #expect(future.cancel(after: .seconds(100)).move(to: Deadline.now - .seconds(1)))
      #expect(control.clock.advance(by: .zero) == 1 && future.isCancelled)
    }
  }

  @Test func `a watchdog cancels so long after it was fed for the last time`() throws {
    try withManualControl { control in
      let future = Future()
      let watchdog = future.cancel(after: .seconds(3))
      for _ in 0..<100 {
        control.clock.advance(by: .seconds(2))
        #expect(watchdog.extend(fromNow: .seconds(3)))
      }
      #expect(watchdog.extend(fromNow: .seconds(1)), "there is more time than that")
      control.clock.advance(by: .milliseconds(2_999))
      #expect(future.isPending)
      control.clock.advance(by: .milliseconds(1))
      #expect(future.isCancelled && !watchdog.extend(fromNow: .seconds(3)))
    }
  }

  @Test func `in real time, too, one that is moved comes at the new instant and not before`() async {
    let future = Future()
    let deadline = future.cancel(after: .milliseconds(5))
    var end = deadline.instant
    // The timer fires at former instants, and is set anew. On a machine so busy that it came first, the move says so.
    for _ in 0..<10 where deadline.extend(by: .milliseconds(3)) { end += .milliseconds(3) }
    _ = await future.outcome
    #expect(ContinuousClock.now >= end && deadline.instant == end)
    let soon = Future()
    #expect(soon.cancel(after: .seconds(3_600)).move(to: .now + .milliseconds(1)))
    #expect(await soon.outcome == .cancelled)
    let atOnce = Future()
    #expect(atOnce.cancel(after: .seconds(3_600)).move(to: .now - .seconds(1)))
    #expect(await atOnce.outcome == .cancelled)
  }

  @Test func `no length of time is too long`() throws {
    try withManualControl { control in
      let future = Future()
      let deadline = future.cancel(after: .seconds(1))
      for _ in 0..<5 { #expect(deadline.extend(by: .seconds(Int64.max))) }
      #expect(deadline.extend(fromNow: .seconds(Int64.max)))
      for _ in 0..<10 { #expect(deadline.extend(by: .seconds(Int64.min))) }
      control.clock.advance(by: .zero)
      #expect(future.isCancelled)
    }
  }

  @Test(arguments: [false, true])
  func `one that is set too far to come isn't shown, and can be moved like any other`(isInstant: Bool) throws {
    try withManualControl { control in
      let future = Future()
      let child = Future(linkedTo: future)
      let deadline =
        isInstant ? future.cancel(at: Deadline.now + .seconds(1 << 40)) : future.cancel(after: .seconds(Int64.max))
      #expect(future.deadline == nil && child.deadline == nil && control.clock.timers.isEmpty)
      // However little it is moved, and however much time passes meanwhile.
      control.clock.advance(by: .seconds(1))
      #expect(deadline.extend(by: .zero) && deadline.extend(fromNow: .seconds(1)) && future.deadline == nil)
      let instant = Deadline.now + .seconds(2)
      #expect(deadline.move(to: instant) && future.deadline == instant && child.deadline == instant)
      #expect(control.clock.timers.count == 1)
      // And there again: the former instant cancels nothing, and no timer is left.
      #expect(deadline.extend(by: .seconds(Int64.max)) && future.deadline == nil && control.clock.timers.isEmpty)
      control.clock.advance(by: .seconds(10))
      #expect(future.isPending && deadline.move(to: Deadline.now + .seconds(3)))
      control.clock.advance(by: .seconds(3))
      #expect(child.isCancelled && (child.cancellationReason as? TimeoutError)?.deadline == deadline.instant)
      let other = Future().cancel(after: .seconds(Int64.max))
      #expect(other.unregister() && !other.move(to: .now))
    }
  }

  @Test func `in real time, too, one that is set too far to come can be moved`() async {
    let future = Future()
    let deadline = future.cancel(after: .seconds(Int64.max))
    #expect(future.deadline == nil && deadline.move(to: .now + .milliseconds(1)))
    #expect(await future.outcome == .cancelled)
  }

  @Test func `no instant is too far away, in either direction`() throws {
    let (first, last) = (Duration(attoseconds: .min), Duration(attoseconds: .max) - .seconds(1 << 40))
    let past = Future()
    #expect(!past.cancel(at: .now + first).unregister() && past.isCancelled)
    #expect((past.cancellationReason as? TimeoutError)?.interval == .zero)
    let never = Future()
    let deadline = never.cancel(at: .now + last)
    #expect(never.isPending && never.deadline == nil && deadline.extend(by: last) && deadline.extend(fromNow: first))
    #expect(deadline.unregister())
    try withManualControl { control in
      let future = Future(label: "work")
      let deadline = future.cancel(after: last)
      #expect(deadline.move(to: .now + first) && deadline.extend(by: first) && !"\(deadline)".isEmpty)
      control.clock.advance(by: .zero)
      #expect(
        "\(future.cancellationReason ?? CancellationError())"
          == "timed out 0.0 seconds after the deadline was last moved: work"
      )
    }
    let passed = Future(label: "work")
    #expect(!passed.cancel(after: first).unregister() && passed.isCancelled && "\(passed)".contains("work"))
  }

  @Test func `the error says which limit wasn't kept: that of the last move, and when it began`() throws {
    try withManualControl { control in
      let (fed, moved, kept) = (Future(label: "fed"), Future(label: "moved"), Future(label: "kept"))
      let watchdog = fed.cancel(after: .seconds(15))
      let other = moved.cancel(after: .seconds(3_600))
      kept.cancel(after: .seconds(20)).extend(fromNow: .seconds(5))  // It is later already.
      for _ in 0..<100 {
        control.clock.advance(by: .seconds(12))
        if fed.isPending { watchdog.extend(fromNow: .seconds(15)) }
      }
      let last = Deadline.now
      other.move(to: last + .seconds(2))
      control.clock.advance(by: .seconds(15))
      let errors = [fed, moved, kept].map { $0.cancellationReason as? TimeoutError }
      #expect(errors.map { $0?.interval } == [.seconds(15), .seconds(2), .seconds(20)])
      for error in errors.prefix(2) { #expect(error?.deadline.map { $0 - (error?.interval ?? .zero) } == last) }
      #expect(
        errors.map { $0?.description } == [
          "timed out 15.0 seconds after the deadline was last moved: fed",
          "timed out 2.0 seconds after the deadline was last moved: moved",
          "timed out after 20.0 seconds: kept",
        ]
      )
    }
  }

  // MARK: Several

  @Test func `whichever timer fires first, the earliest deadline that has passed is the reason`() throws {
    try withManualControl { control in
      let future = Future()
      let early = future.cancel(after: .seconds(100), throwing: Reason("early"))
      let late = future.cancel(after: .seconds(100), throwing: Reason("late"))
      let removed = future.cancel(after: .seconds(100), throwing: Reason("removed"))
      let ahead = future.cancel(after: .seconds(100), throwing: Reason("ahead"))
      control.clock.advance(by: .seconds(10))
      late.move(to: Deadline.now - .seconds(1))
      early.move(to: Deadline.now - .seconds(2))
      removed.move(to: Deadline.now - .seconds(3))
      #expect(removed.unregister() && ahead.instant > Deadline.now)
      control.clock.advance(by: .zero)
      #expect(reason(future.cancellationReason) == Reason("early"))
      #expect(!early.unregister() && !late.unregister() && control.clock.timers.isEmpty)
    }
  }

  @Test func `of deadlines at the same instant the one that was set first is the reason`() throws {
    try withManualControl { control in
      let future = Future()
      let first = future.cancel(after: .seconds(2), throwing: Reason("first"))
      future.cancel(after: .seconds(1), throwing: Reason("second")).extend(by: .seconds(1))
      first.extend(by: .seconds(1))
      first.extend(by: .seconds(-1))
      control.clock.advance(by: .seconds(2))
      #expect(reason(future.cancellationReason) == Reason("first"))
    }
  }

  @Test(arguments: [false, true])
  func `an ancestor's deadline that has passed earlier is the reason, also if the timer of the own one fires first`(
    isInLine: Bool
  ) throws {
    try withManualControl { control in
      let root = Future(label: "root")
      let request = Future(linkedTo: Future(linkedTo: root, label: "session"))
      let other = Future(linkedTo: root)
      let own = request.cancel(after: .seconds(100), throwing: Reason("own"))
      let inherited = root.cancel(after: .seconds(100), throwing: Reason("root"))
      control.clock.advance(by: .seconds(10))
      own.move(to: Deadline.now - .seconds(1))
      inherited.move(to: Deadline.now - .seconds(2))
      // A decision that is queued comes too late for what can be cancelled at once.
      if isInLine { root.perform {} }
      control.clock.advance(by: .zero)
      #expect(reason(request.cancellationReason) == Reason(isInLine ? "own" : "root"))
      control.runAll()
      #expect(reason(root.cancellationReason) == Reason("root") && other.isCancelled)
    }
  }

  @Test func `one whose cancellation is queued has come, and is still the deadline`() async throws {
    let future = Future()
    let (entered, leave) = (Gate("block entered"), Gate("block may go"))
    future.perform {
      entered.open()
      leave.wait()
    }
    await entered.passed()
    let deadline = future.cancel(after: .milliseconds(1))
    // It has come as soon as it can't be moved any more.
    try await eventually("the deadline has come") { !deadline.extend(by: .zero) }
    #expect(future.isPending && future.deadline == deadline.instant && !deadline.unregister())
    leave.open()
    #expect(await future.outcome == .cancelled)
    #expect(future.deadline == nil)
  }

  // MARK: Along links

  @Test func `the deadline is the earliest of its own and of those from which a cancellation comes`() throws {
    try withManualControl { _ in
      let now = Deadline.now
      let (shutdown, session) = (Future(label: "shutdown"), Future(label: "session"))
      let request = Future(linkedTo: session, shutdown)
      let part = Future(linkedTo: request)
      #expect(part.deadline == nil)
      shutdown.cancel(at: now + .seconds(9))
      #expect(part.deadline == now + .seconds(9))
      let limit = session.cancel(at: now + .seconds(5))
      #expect(part.deadline == now + .seconds(5) && shutdown.deadline == now + .seconds(9))
      part.cancel(at: now + .seconds(7))
      #expect(part.deadline == now + .seconds(5) && request.deadline == now + .seconds(5))
      limit.extend(by: .seconds(3))
      #expect(part.deadline == now + .seconds(7) && request.deadline == now + .seconds(8))
      session.complete()
      #expect(request.deadline == now + .seconds(9), "a completion takes the link off")
      #expect(CancelToken.never.deadline == nil)
    }
  }

  @Test func `of what depends on a future no deadline comes back, but for that of a timeout`() throws {
    try withManualControl { _ in
      let now = Deadline.now
      let work = ValueFuture<Int>(label: "work")
      let mapped = work.map { $0 + 1 }
      mapped.cancel(at: now + .seconds(1))
      #expect(work.deadline == nil && mapped.deadline == now + .seconds(1))
      let timed = work.timeout(after: .seconds(2))
      #expect(work.deadline == now + .seconds(2) && timed.deadline == now + .seconds(2))
      // The parent isn't cancelled with the child.
      let parent = Future()
      Future(linkedTo: parent).cancel(after: .seconds(1))
      #expect(parent.deadline == nil)
    }
  }

  @Test func `what needs several takes the deadlines of all over, and what needs one of them none`() throws {
    try withManualControl { _ in
      let now = Deadline.now
      let (a, b) = (Future(), Future())
      a.cancel(at: now + .seconds(1))
      b.cancel(at: now + .seconds(2))
      #expect(Future.all([a, b]).deadline == now + .seconds(1))
      #expect(Future.any([a, b]).deadline == nil)
    }
  }

  @Test func `a cycle of links, and a line of 100,000, have an earliest one`() throws {
    let now = ContinuousClock.now
    let (a, b) = (Future(), Future())
    a.cascadeCancellation(to: b)
    b.cascadeCancellation(to: a)
    a.cancel(at: now + .seconds(1_000))
    #expect(b.deadline == now + .seconds(1_000) && a.deadline == now + .seconds(1_000))
    a.cancel()
    let root = Future()
    var last = root
    for _ in 0..<100_000 { last = Future(linkedTo: last) }
    root.cancel(at: now + .seconds(1_000))
    #expect(last.deadline == now + .seconds(1_000))
    root.cancel()
    #expect(last.isCancelled)
  }

  // MARK: In every order

  @Test func `in every order a deadline that was moved comes at the new instant, and one that has come can't be moved`()
    async throws
  {
    let seen = Variable<Set<String>>([])
    await explore("moving against firing") { scenario in
      let future = Future(label: "work")
      let deadline = future.cancel(after: .seconds(1))
      let log = Variable<[String]>([])
      future.onCancel(on: .inline) { log.value.append("cancelled") }
      let start = Deadline.now
      scenario.actor(
        "feeds",
        .init("feed") { log.value.append("\(deadline.extend(by: .seconds(1)))") },
        .init("feed again") { log.value.append("\(deadline.extend(by: .seconds(1)))") }
      )
      scenario.atEnd {
        let text = log.value.joined(separator: " ")
        seen.value.insert(text)
        let moves = log.value.count { $0 == "true" }
        guard deadline.instant == start + .seconds(1 + moves), future.isCancelled else { return "moved to nowhere" }
        return Deadline.now >= deadline.instant ? nil : "cancelled early"
      }
    }
    #expect(seen.value == ["true true cancelled", "true cancelled false", "cancelled false false"])
  }

  private struct Held: Error {
    private let instance: LiveCount.Instance
    init(_ live: LiveCount) { instance = live.make() }
  }
}
