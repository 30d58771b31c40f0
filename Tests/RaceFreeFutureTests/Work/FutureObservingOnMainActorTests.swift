// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import TestSupport
import Testing

@Suite struct FutureObservingOnMainActorTests {
  /// Something that only the main actor may touch.
  @MainActor private final class View {
    private(set) var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
  }

  @MainActor private func addAll(to future: Future, _ view: View) {
    future.onComplete(on: MainActor.shared) { view.show("complete") }
    future.onCancel(on: MainActor.shared) { view.show("cancel") }
    future.onCancel(on: MainActor.shared) { error in view.show("cancel: \(reason(error)?.text ?? "?")") }
  }

  @MainActor private func addAll(to token: CancelToken, _ view: View) {
    token.onComplete(on: MainActor.shared) { view.show("complete") }
    token.onCancel(on: MainActor.shared) { view.show("cancel") }
    token.onCancel(on: MainActor.shared) { error in view.show("cancel: \(reason(error)?.text ?? "?")") }
  }

  @MainActor @Test(arguments: [false, true])
  func `handlers for the main actor run isolated to it`(_ late: Bool) async {
    let completed = Future()
    let view = View()
    if late { completed.complete() }
    addAll(to: completed, view)
    completed.complete()
    // Never in the middle of what the main actor is doing.
    #expect(view.shown == [])
    #expect(await completed.handlersFinished == .completed)
    #expect(view.shown == ["complete"])

    let cancelled = Future()
    let second = View()
    if late { cancelled.cancel(throwing: Reason("why")) }
    addAll(to: cancelled, second)
    cancelled.cancel(throwing: Reason("why"))
    #expect(await cancelled.handlersFinished == .cancelled)
    #expect(second.shown == ["cancel", "cancel: why"])
  }

  @MainActor @Test func `a token's handlers for the main actor run isolated to it`() async {
    let completed = Future()
    let view = View()
    addAll(to: completed.cancelToken, view)
    completed.complete()
    #expect(await completed.handlersFinished == .completed)
    #expect(view.shown == ["complete"])

    let cancelled = Future()
    let second = View()
    addAll(to: cancelled.cancelToken, second)
    cancelled.cancel(throwing: Reason("why"))
    #expect(await cancelled.handlersFinished == .cancelled)
    #expect(second.shown == ["cancel", "cancel: why"])
  }

  @MainActor @Test func `a handler that was removed on the main actor before it started doesn't run`() async {
    let future = Future()
    let view = View()
    let registration = future.onComplete(on: MainActor.shared) { view.show("late") }
    future.onComplete(on: MainActor.shared) { view.show("next") }
    future.complete()
    // The handler has been sent to the main queue, which is busy with this very test.
    #expect(registration.unregister())
    #expect(await future.handlersFinished == .completed)
    #expect(view.shown == ["next"])
  }
}
