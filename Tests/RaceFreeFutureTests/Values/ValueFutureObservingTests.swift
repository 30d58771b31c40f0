// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ValueFutureObservingTests {
  /// The contexts, in a form that a test can have as its argument.
  enum Place: CaseIterable, Sendable {
    case serialQueue, inline, queue, main
  }

  private let target = MarkedQueue("target")
  private let other = MarkedQueue("other")

  private func context(_ place: Place) -> HandlerPlace {
    switch place {
    case .serialQueue: .serialQueue
    case .inline: .inline
    case .queue: other.queue.handlerPlace
    case .main: .main
    }
  }

  private func addAll(to future: ValueFuture<Int>, on context: HandlerPlace, _ log: EventLog<String>) {
    future.onResult(on: context) { result in
      log.add("result: \(result.value.map(String.init) ?? reason(result.error)?.text ?? "?")")
    }
    future.onValue(on: context) { log.add("value: \($0)") }
    future.onFailure(on: context) { log.add("failure: \(reason($0)?.text ?? "?")") }
    future.onCancel(on: context) { log.add("cancel") }
    future.onCancel(on: context) { error in log.add("cancel: \(reason(error)?.text ?? "?")") }
    future.onCleanUp(on: context) { log.add("clean up") }
    future.onCleanUp(on: context) { outcome in log.add("clean up: \(outcome)") }
  }

  // MARK: Outcomes

  @Test(arguments: Place.allCases, [false, true])
  func `a value goes to handlers of results and values, in order`(_ place: Place, _ late: Bool) async {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    if late { future.complete(with: 7) }
    addAll(to: future, on: context(place), log)
    if !late {
      #expect(log.events == [])
      future.complete(with: 7)
    }
    future.complete(with: 8)
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["result: 7", "value: 7", "clean up", "clean up: completed"])
  }

  @Test(arguments: Place.allCases, [false, true])
  func `an error goes to handlers of results and failures, in order`(_ place: Place, _ late: Bool) async {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    if late { future.complete(throwing: Reason("broken")) }
    addAll(to: future, on: context(place), log)
    if !late {
      #expect(log.events == [])
      future.complete(throwing: Reason("broken"))
    }
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == ["result: broken", "failure: broken", "clean up", "clean up: completed"])
  }

  @Test(arguments: Place.allCases, [false, true])
  func `a cancellation goes to no handler of results`(_ place: Place, _ late: Bool) async {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    if late { future.cancel(throwing: Reason("why")) }
    addAll(to: future, on: context(place), log)
    if !late {
      #expect(log.events == [])
      future.cancel(throwing: Reason("why"))
    }
    #expect(await future.handlersFinished == .cancelled)
    #expect(log.events == ["cancel", "cancel: why", "clean up", "clean up: cancelled"])
  }

  @Test(arguments: Place.allCases, [false, true])
  func `each end goes to onEnd once, the reason of a cancellation as the error`(_ place: Place, _ late: Bool) async {
    let log = EventLog<String>()
    for end in End.allCases {
      let future = ValueFuture<Int>()
      if late { end.end(future) }
      future.onEnd(on: context(place)) { log.add($0.value.map(String.init) ?? reason($0.error)?.text ?? "?") }
      end.end(future)
      future.cancel()
      _ = await future.handlersFinished
    }
    #expect(log.events == ["7", "broken", "why"])
  }

  @Test func `onEnd starts lazy work, gets the reason of a parent, and abandonment`() async {
    let log = EventLog<String>()
    let lazy = ValueFuture.lazy { _ in 7 }
    lazy.onEnd { log.add("\($0.value ?? 0)") }
    _ = await lazy.handlersFinished
    let parent = Future()
    let child = ValueFuture<Int>(linkedTo: parent)
    child.onEnd(on: .inline) { log.add(reason($0.error)?.text ?? "?") }
    parent.cancel(throwing: Reason("parent"))
    do {
      let completer = ValueFuture<Int>.makeCompleter()
      completer.future.onEnd(on: .inline) { log.add("abandoned: \($0.error is AbandonedError)") }
    }
    #expect(log.events == ["7", "parent", "abandoned: true"])
  }

  @Test func `completing with CancellationError runs handlers of failures`() {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    future.onFailure(on: .inline) { log.add("failure: \($0 is CancellationError)") }
    future.onCancel(on: .inline) { log.add("cancel") }
    future.complete(throwing: CancellationError())
    #expect(log.events == ["failure: true"])
  }

  @Test func `the same handler added twice runs twice`() {
    let future = ValueFuture<Int>()
    let log = EventLog<Int>()
    let handler: @Sendable (Int) -> Void = { log.add($0) }
    future.onValue(on: .inline, handler)
    future.onValue(on: .inline, handler)
    future.complete(with: 7)
    #expect(log.events == [7, 7])
  }

  // MARK: Contexts

  @Test(arguments: [false, true])
  func `by default handlers run on the private queue`(_ late: Bool) async {
    let (completed, failed) = (ValueFuture<Int>(target: target.queue), ValueFuture<Int>(target: target.queue))
    let cancelled = ValueFuture<Int>(target: target.queue)
    let log = EventLog<Bool>()
    func resolve() {
      completed.complete(with: 7)
      failed.complete(throwing: Reason("broken"))
      cancelled.cancel()
    }
    if late { resolve() }
    completed.onResult { [target] _ in log.add(target.isCurrent) }
    completed.onValue { [target] _ in log.add(target.isCurrent) }
    failed.onFailure { [target] _ in log.add(target.isCurrent) }
    cancelled.onCancel { [target] in log.add(target.isCurrent) }
    cancelled.onCancel { [target] _ in log.add(target.isCurrent) }
    cancelled.onCleanUp { [target] in log.add(target.isCurrent) }
    cancelled.onCleanUp { [target] _ in log.add(target.isCurrent) }
    resolve()
    for future in [completed, failed, cancelled] { _ = await future.handlersFinished }
    #expect(log.events == Array(repeating: true, count: 7))
  }

  @Test(arguments: [false, true])
  func `handlers for a given queue run there`(_ late: Bool) async {
    let future = ValueFuture<Int>(target: target.queue)
    let log = EventLog<Bool>()
    if late { future.complete(with: 7) }
    future.onValue(on: other.queue) { [target, other] _ in log.add(other.isCurrent && !target.isCurrent) }
    future.onResult(on: other.queue) { [target, other] _ in log.add(other.isCurrent && !target.isCurrent) }
    future.complete(with: 7)
    _ = await future.handlersFinished
    #expect(log.events == [true, true])
  }

  @Test(arguments: [false, true])
  func `inline handlers have run when the call returns`(_ late: Bool) async {
    await onThread {
      let future = ValueFuture<Int>()
      let log = EventLog<Bool>()
      let thread = ObjectIdentifier(Thread.current)
      if late { future.complete(with: 7) }
      future.onValue(on: .inline) { _ in log.add(ObjectIdentifier(Thread.current) == thread) }
      #expect(log.events == (late ? [true] : []))
      future.complete(with: 7)
      #expect(log.events == [true])
    }
  }

  @Test func `adding a handler doesn't wait for a block that runs on the private queue`() async {
    let future = ValueFuture<Int>()
    let gate = Gate("block")
    future.standStill(until: gate)
    let log = EventLog<Int>()
    future.onValue { log.add($0) }
    future.complete(with: 7)
    #expect(log.events == [])
    gate.open()
    _ = await future.handlersFinished
    #expect(log.events == [7])
  }

  @Test func `a handler may add another, which runs as well`() async {
    let future = ValueFuture<Int>()
    let log = EventLog<Int>()
    future.onValue { value in
      log.add(value)
      future.onResult { log.add(($0.value ?? 0) + 1) }
    }
    future.complete(with: 7)
    _ = await future.handlersFinished
    #expect(log.events == [7, 8])
  }

  // MARK: Lazy

  @Test func `handlers of results, values and failures start lazy work, the others don't`() async {
    let log = EventLog<String>()
    func makeLazy(_ name: String) -> ValueFuture<Int> {
      .lazy { _ in
        log.add(name)
        return 7
      }
    }
    let (first, second, third) = (makeLazy("result"), makeLazy("value"), makeLazy("failure"))
    let others = makeLazy("others")
    others.onCancel {}
    others.onCancel { _ in }
    others.onCleanUp {}
    others.onCleanUp { _ in }
    first.onResult { _ in }
    second.onValue { _ in }
    third.onFailure { _ in }
    for future in [first, second, third] { _ = await future.handlersFinished }
    #expect(log.events.sorted() == ["failure", "result", "value"])
    #expect(others.tryCancel())
  }

  // MARK: Taking back

  @Test func `a handler that was removed doesn't run and is released`() {
    let future = ValueFuture<Int>(label: "f")
    let live = LiveCount()
    let registrations = [
      future.onResult { [instance = live.make()] _ in instance.touch() },
      future.onValue { [instance = live.make()] _ in instance.touch() },
      future.onFailure { [instance = live.make()] _ in instance.touch() },
      future.onCancel { [instance = live.make()] in instance.touch() },
      future.onCancel { [instance = live.make()] _ in instance.touch() },
      future.onCleanUp { [instance = live.make()] in instance.touch() },
      future.onCleanUp { [instance = live.make()] _ in instance.touch() },
    ]
    #expect(live.value == 7)
    for registration in registrations {
      #expect(registration.unregister())
      #expect(!registration.unregister())
    }
    #expect(live.value == 0)
    #expect(future.description == "ValueFuture<Int>(\"f\", pending)")
  }

  @Test func `a handler on its way can be unregistered`() async {
    let future = ValueFuture<Int>()
    let log = EventLog<String>()
    other.queue.suspend()
    let registration = future.onValue(on: other.queue) { _ in log.add("removed") }
    future.onValue(on: other.queue) { _ in log.add("stays") }
    future.complete(with: 7)
    #expect(registration.unregister())
    other.queue.resume()
    _ = await future.handlersFinished
    #expect(log.events == ["stays"])
    #expect(!registration.unregister())
  }

  @Test func `dropping a registration changes nothing`() {
    let future = ValueFuture<Int>()
    let log = EventLog<Int>()
    _ = future.onValue(on: .inline) { log.add($0) }
    future.complete(with: 7)
    #expect(log.events == [7])
  }

  // MARK: Release

  /// How a value future may end.
  enum End: CaseIterable, Sendable {
    case value, failure, cancellation

    func end(_ future: ValueFuture<Int>) {
      switch self {
      case .value: future.complete(with: 7)
      case .failure: future.complete(throwing: Reason("broken"))
      case .cancellation: future.cancel(throwing: Reason("why"))
      }
    }
  }

  @Test(arguments: End.allCases, [false, true])
  func `at the outcome every handler is released`(_ end: End, _ late: Bool) async {
    let future = ValueFuture<Int>()
    let live = LiveCount()
    var registrations: [Registration] = []
    if late { end.end(future) }
    for place in Place.allCases {
      let context = context(place)
      registrations.append(future.onResult(on: context) { [instance = live.make()] _ in instance.touch() })
      registrations.append(future.onValue(on: context) { [instance = live.make()] _ in instance.touch() })
      registrations.append(future.onEnd(on: context) { [instance = live.make()] _ in instance.touch() })
      registrations.append(future.onFailure(on: context) { [instance = live.make()] _ in instance.touch() })
      registrations.append(future.onCancel(on: context) { [instance = live.make()] in instance.touch() })
      registrations.append(future.onCleanUp(on: context) { [instance = live.make()] in instance.touch() })
    }
    if !late { #expect(live.value == 6 * Place.allCases.count) }
    end.end(future)
    _ = await future.handlersFinished
    #expect(live.value == 0)
    #expect(registrations.allSatisfy { !$0.unregister() })
  }

  @Test func `handlers of results that don't belong to the outcome are released at once`() {
    let (future, live) = (ValueFuture<Int>(), LiveCount())
    future.onResult { [instance = live.make()] _ in instance.touch() }
    future.onValue { [instance = live.make()] _ in instance.touch() }
    future.onFailure { [instance = live.make()] _ in instance.touch() }
    future.cancel()
    #expect(live.value == 0)
    future.onResult { [instance = live.make()] _ in instance.touch() }
    #expect(live.value == 0)
  }

  @Test func `dropped while it is pending it releases its handlers and runs none`() {
    let live = LiveCount()
    func drop() {
      let future = ValueFuture<Int>()
      addFailing(to: future, live)
      #expect(live.value == 3)
    }
    drop()
    #expect(live.value == 0)
  }

  private func addFailing(to future: ValueFuture<Int>, _ live: LiveCount) {
    future.onResult(on: .inline) { [instance = live.make()] _ in
      instance.touch()
      Issue.record("a handler of a dropped future ran")
    }
    future.onCancel(on: .inline) { [instance = live.make()] in
      instance.touch()
      Issue.record("a handler of a dropped future ran")
    }
    future.onCleanUp(on: .inline) { [instance = live.make()] in
      instance.touch()
      Issue.record("a handler of a dropped future ran")
    }
  }

  // MARK: Main actor

  /// Something that only the main actor may touch.
  @MainActor private final class View {
    private(set) var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
  }

  @MainActor private func addAll(to future: ValueFuture<Int>, _ view: View) {
    future.onResult(on: MainActor.shared) { result in
      view.show("result: \(result.value.map(String.init) ?? reason(result.error)?.text ?? "?")")
    }
    future.onValue(on: MainActor.shared) { view.show("value: \($0)") }
    future.onEnd(on: MainActor.shared) { view.show("end: \($0.value ?? 0)") }
  }

  @MainActor @Test(arguments: End.allCases, [false, true])
  func `handlers for the main actor run isolated to it`(_ end: End, _ late: Bool) async {
    let future = ValueFuture<Int>()
    let view = View()
    if late { end.end(future) }
    addAll(to: future, view)
    end.end(future)
    // Never in the middle of what the main actor is doing.
    #expect(view.shown == [])
    _ = await future.handlersFinished
    switch end {
    case .value: #expect(view.shown == ["result: 7", "value: 7", "end: 7"])
    case .failure: #expect(view.shown == ["result: broken", "end: 0"])
    case .cancellation: #expect(view.shown == ["end: 0"])
    }
  }

  @MainActor @Test func `a handler for the main actor that was removed before it started doesn't run`() async {
    let future = ValueFuture<Int>()
    let view = View()
    let registrations = [
      future.onValue(on: MainActor.shared) { _ in view.show("value") },
      future.onResult(on: MainActor.shared) { _ in view.show("result") },
    ]
    future.complete(with: 7)
    #expect(registrations[0].unregister())
    #expect(registrations[1].unregister())
    _ = await future.handlersFinished
    #expect(view.shown == [])
  }
}
