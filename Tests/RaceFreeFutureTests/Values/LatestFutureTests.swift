// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct LatestFutureTests {
  @Test func `the result handler gets the latest result, and none of work that was replaced before it ran`() async {
    let (latest, screen, shown) = (LatestFuture(), MarkedQueue("screen"), EventLog<String>())
    @Sendable func show(_ result: Result<String, any Error>) { shown.add((try? result.get()) ?? "an error") }
    let (old, new, last) = (ValueFuture<String>(), ValueFuture<String>(), ValueFuture<String>())
    latest.replace(with: old, on: screen.queue) { show($0) }
    screen.queue.suspend()
    old.complete(with: "old")  // on its way to the screen
    latest.replace(with: new, on: screen.queue) { show($0) }
    new.complete(with: "new")
    screen.queue.resume()
    await screen.drained()
    latest.replace(with: last, on: screen.queue) { show($0) }
    last.complete(throwing: Reason("not found"))
    await screen.drained()
    #expect(shown.events == ["new", "an error"])
    #expect(old.isCompleted)
  }

  @Test func `a value of work that was replaced before its handler ran is given back`() async {
    let (latest, screen, log) = (LatestFuture(), MarkedQueue("screen"), EventLog<String>())
    screen.queue.suspend()
    do {
      let lease = ValueFuture<String>(onUndelivered: { log.add("given back: \($0)") })
      latest.replace(with: lease, on: screen.queue) { _ in log.add("received") }
      lease.complete(with: "lease")  // on its way to the screen
    }
    latest.replace(with: Future())
    screen.queue.resume()
    await screen.drained()
    #expect(log.events == ["given back: lease"])
  }

  @Test func `what was replaced stays replaced when the slot goes before its handler runs`() async {
    let (screen, shown) = (MarkedQueue("screen"), EventLog<String>())
    let (first, second) = (ValueFuture<String>(), ValueFuture<String>())
    screen.queue.suspend()
    do {
      let latest = LatestFuture()
      latest.replace(with: first, on: screen.queue) { _ in shown.add("first") }
      first.complete(with: "first")  // on its way to the screen
      latest.replace(with: second, on: screen.queue) { shown.add((try? $0.get()) ?? "an error") }
      second.complete(with: "second")
    }
    screen.queue.resume()
    await screen.drained()
    #expect(shown.events == ["second"])
  }

  @Test func `what was taken out by cancel shows nothing when the slot goes before its handler runs`() async {
    let (screen, shown) = (MarkedQueue("screen"), EventLog<String>())
    let future = ValueFuture<Void>()
    screen.queue.suspend()
    do {
      let latest = LatestFuture()
      latest.replace(with: future, on: screen.queue) { _ in shown.add("shown") }
      future.complete()
      latest.cancel()
    }
    screen.queue.resume()
    await screen.drained()
    #expect(shown.events == [])
  }

  @Test func `putting something in cancels what was in it`() {
    let latest = LatestFuture()
    #expect(latest.current == nil)
    let (first, second) = (Future(), Future())
    latest.replace(with: first)
    #expect(latest.current == first.cancelToken)
    #expect(first.isPending)
    latest.replace(with: second.cancelToken, throwing: Reason("newer"))
    #expect(latest.current == second.cancelToken)
    #expect(reason(first.cancellationReason) == Reason("newer"))
    #expect(second.isPending)
    latest.replace(with: Future())
    #expect(second.cancellationReason is CancellationError)
  }

  @Test func `cancel empties the slot and cancels what was in it`() {
    let latest = LatestFuture()
    latest.cancel()
    let (first, second) = (Future(), Future())
    latest.replace(with: first)
    latest.cancel(throwing: Reason("closed"))
    #expect(latest.current == nil)
    #expect(reason(first.cancellationReason) == Reason("closed"))
    latest.replace(with: second, throwing: Reason("newer"))
    latest.cancel()
    #expect(second.cancellationReason is CancellationError)
  }

  @Test func `putting in what is there already does nothing`() {
    let latest = LatestFuture()
    let future = Future()
    latest.replace(with: future)
    latest.replace(with: future)
    latest.replace(with: future.cancelToken)
    #expect(future.isPending)
    #expect(latest.current == future.cancelToken)
  }

  @Test func `work that is put in again stays the latest, with the handlers of both calls`() {
    let latest = LatestFuture()
    let (work, shown) = (ValueFuture<Void>(), EventLog<String>())
    latest.replace(with: work, on: .inline) { _ in shown.add("first") }
    latest.replace(with: work, on: .inline) { _ in shown.add("second") }
    work.complete()
    #expect(shown.events == ["first", "second"])
  }

  @Test func `completed work stays completed and stays in`() {
    let latest = LatestFuture()
    let future = Future()
    latest.replace(with: future)
    future.complete()
    #expect(latest.current == future.cancelToken)
    latest.replace(with: Future())
    #expect(future.isCompleted)
  }

  @Test func `dropping the slot cancels nothing`() {
    let future = Future()
    do {
      let latest = LatestFuture()
      latest.replace(with: future)
    }
    #expect(future.isPending)
  }

  @Test func `the slot keeps what is in it and lets go of the rest`() {
    let latest = LatestFuture()
    func put() -> Weak<Future> {
      let future = Future()
      latest.replace(with: future)
      return Weak(future)
    }
    let first = put()
    #expect(!first.isGone)
    let second = put()
    #expect(first.isGone)
    latest.cancel()
    #expect(second.isGone)
  }

  @Test func `a handler of what is replaced may use the slot`() {
    let latest = LatestFuture()
    let (first, second, third) = (Future(), Future(), Future())
    latest.replace(with: first)
    first.onCancel(on: .inline) { latest.replace(with: third) }
    latest.replace(with: second)
    #expect(latest.current == third.cancelToken)
    #expect(first.isCancelled && second.isCancelled && third.isPending)
  }

  @Test func `of many that are put in at the same time exactly one is left`() async {
    struct Contest: Sendable {
      let latest = LatestFuture()
      let futures = (0..<6).map { _ in Future() }
    }
    await stress(
      rounds: iterations(1_000),
      make: { Contest() },
      actors: (0..<3).map { actor in
        { contest in
          contest.latest.replace(with: contest.futures[2 * actor])
          contest.latest.replace(with: contest.futures[2 * actor + 1])
        }
      },
      verify: { contest in
        let left = contest.futures.filter { !$0.isCancelled }.map(\.cancelToken)
        #expect(left.count == 1)
        #expect(left.first == contest.latest.current)
      }
    )
  }

  // MARK: With a handler

  @Test func `a handler runs if its work completes as the latest`() async {
    let latest = LatestFuture()
    let screen = MarkedQueue()
    let shown = EventLog<Int>()
    let works = (0..<3).map { _ in ValueFuture<Void>() }
    for (index, work) in works.enumerated() {
      latest.replace(with: work, on: screen.queue) { _ in shown.add(index) }
    }
    for work in works { work.complete() }
    await screen.drained()
    #expect(works.map(\.isCancelled) == [true, true, false])
    #expect(shown.events == [2])
  }

  @Test func `a handler that waits for its queue doesn't run once its completed work was replaced`() async {
    let latest = LatestFuture()
    let screen = MarkedQueue()
    let shown = EventLog<String>()
    let (old, new) = (ValueFuture<Void>(), ValueFuture<Void>())
    let gate = Gate("screen")
    screen.queue.async { gate.wait() }
    latest.replace(with: old, on: screen.queue) { _ in shown.add("old") }
    old.complete()
    latest.replace(with: new, on: screen.queue) { _ in shown.add("new") }
    new.complete()
    gate.open()
    await screen.drained()
    #expect(old.isCompleted)
    #expect(shown.events == ["new"])
  }

  @Test func `a handler runs also when the slot has gone, and doesn't keep it`() async {
    let work = ValueFuture<Void>()
    let shown = EventLog<Int>()
    weak var gone: LatestFuture?
    do {
      let latest = LatestFuture()
      gone = latest
      latest.replace(with: work, on: .inline) { _ in shown.add(1) }
    }
    #expect(gone == nil)
    work.complete()
    #expect(shown.events == [1])
  }

  // MARK: Main actor

  @MainActor private final class View {
    private(set) var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
  }

  @MainActor @Test func `handlers for the main actor run isolated to it, and none of work that was replaced`() async {
    let (latest, view) = (LatestFuture(), View())
    let (old, new) = (ValueFuture<Int>(), ValueFuture<Int>())
    latest.replace(with: old, on: MainActor.shared) { view.show("old: \($0)") }
    old.complete(with: 1)  // on its way to the main queue, which is busy here
    latest.replace(with: new, throwing: Reason("newer"), on: MainActor.shared) { view.show("new: \($0)") }
    new.complete(with: 2)
    #expect(view.shown == [])
    _ = await (old.handlersFinished, new.handlersFinished)
    let (work, token, last) = (ValueFuture<Void>(), ValueFuture<Void>(), ValueFuture<Void>())
    latest.replace(with: work, on: .main) { _ in MainActor.assumeIsolated { view.show("work") } }
    work.complete()
    _ = await work.handlersFinished
    latest.replace(with: token, on: .main) { _ in MainActor.assumeIsolated { view.show("token") } }
    latest.replace(with: last, throwing: Reason("newer"), on: .main) { _ in
      MainActor.assumeIsolated { view.show("last") }
    }
    last.complete()
    _ = await last.handlersFinished
    #expect(view.shown == ["new: success(2)", "work", "last"])
    #expect(reason(token.cancellationReason) == Reason("newer"))
  }

  // MARK: After a pause

  @MainActor @Test func `work begins when nothing was put in for a moment, at once with flush, and never after cancel`()
    throws
  {
    try withManualControl { control in
      let (latest, begun, view) = (LatestFuture(), View(), View())
      func type(_ text: String) {
        latest.replace(after: .milliseconds(300), on: MainActor.shared) {
          begun.show(text)
          return .completed(with: text)
        } onResult: {
          view.show($0.value ?? "?")
        }
      }
      func pass(_ time: Duration) {
        control.clock.advance(by: time)
        control.runAll()
      }
      type("s")
      pass(.milliseconds(299))
      type("sw")
      pass(.milliseconds(299))
      #expect(begun.shown == [] && control.clock.timers.count == 1)
      pass(.milliseconds(1))
      #expect(begun.shown == ["sw"] && view.shown == ["sw"])
      // Return, and once more without effect.
      type("swi")
      latest.flush()
      latest.flush()
      control.runAll()
      #expect(begun.shown == ["sw", "swi"] && view.shown == ["sw", "swi"] && control.clock.timers.isEmpty)
      // Esc, in the pause and when the work is on its way to the main actor.
      type("swif")
      latest.cancel()
      latest.flush()
      type("swift")
      latest.flush()
      latest.cancel()
      pass(.seconds(1))
      #expect(begun.shown == ["sw", "swi"] && view.shown == ["sw", "swi"] && control.clock.timers.isEmpty)
    }
  }

  @Test func `what was in it is cancelled before the pause, and what was put in after it without a trace`() throws {
    try withManualControl { control in
      let (latest, old, log) = (LatestFuture(), Future(), EventLog<String>())
      latest.replace(with: old)
      latest.replace(after: .seconds(1), throwing: Reason("newer")) {
        log.add("begun")
        return ValueFuture<Int>()
      }
      #expect(reason(old.cancellationReason) == Reason("newer") && log.events == [])
      let waiting = latest.current
      latest.replace(with: Future())
      #expect(waiting?.isCancelled == true && control.clock.timers.isEmpty)
      // Nothing waits.
      latest.flush()
      #expect(latest.current?.isPending == true)
    }
  }

  @Test func `without a pause work begins at once, after what was there was cancelled, and its end is its own`() {
    let (latest, works, log) = (LatestFuture(), EventLog<ValueFuture<Int>>(), EventLog<String>())
    for number in 1...2 {
      latest.replace(after: .zero) {
        let work = ValueFuture<Int>()
        works.add(work)
        log.add("\(number) begins")
        work.onCancel(on: .inline) { log.add("\(number) is cancelled") }
        return work
      }
    }
    #expect(log.events == ["1 begins", "1 is cancelled", "2 begins"])
    latest.replace(after: .zero) { () throws -> ValueFuture<Int> in
      throw Reason("broken")
    } onResult: {
      log.add(reason($0.error)?.text ?? "?")
    }
    latest.replace(after: .zero) { () throws -> ValueFuture<Int> in
      throw CancellationError()
    } onResult: { _ in
      log.add("wrong")
    }
    #expect(log.events.dropFirst(3) == ["2 is cancelled", "broken"])
    #expect(latest.current?.isCancelled == true)
  }
}
