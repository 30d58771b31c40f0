// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

extension Notification.Name {
  fileprivate static let test = Notification.Name("NotificationCenterFutureTests")
  fileprivate static let other = Notification.Name("NotificationCenterFutureTests.other")
}

@Suite struct NotificationCenterFutureTests {
  private let center = NotificationCenter()

  @Test func `the first fitting notification is the value`() {
    let sender = NSObject()
    let future = center.future(forName: .test, object: sender) { $0.userInfo?["number"] as? Int }
    center.post(name: .other, object: sender, userInfo: ["number": 1])
    center.post(name: .test, object: NSObject(), userInfo: ["number": 2])
    center.post(name: .test, object: sender, userInfo: ["text": "no number: it is waited on"])
    #expect(future.isPending)
    center.post(name: .test, object: sender, userInfo: ["number": 3])
    center.post(name: .test, object: sender, userInfo: ["number": 4])
    #expect((try? future.result?.get()) == 3)
  }

  @Test func `one without a value completes as well`() {
    let future = center.future(forName: .test)
    #expect(future.isPending)
    center.post(name: .test, object: nil)
    #expect(future.isCompleted)
  }

  @Test func `without a label it is named after the notification`() {
    #expect(center.future(forName: .test).origin.label == "NotificationCenterFutureTests")
    #expect(center.future(forName: .test, label: "mine").origin.label == "mine")
    #expect(center.future(forName: nil).origin.label == nil)
  }

  @Test func `what the closure throws is the failure`() {
    let future: ValueFuture<Int> = center.future(forName: .test) { _ in throw Reason("no good") }
    center.post(name: .test, object: nil)
    #expect(throws: Reason("no good")) { try future.result?.get() }
  }

  @Test func `CancellationError that the closure throws cancels it`() {
    let future: ValueFuture<Int> = center.future(forName: .test) { _ in throw CancellationError() }
    center.post(name: .test, object: nil)
    #expect(future.cancellationReason is CancellationError)
  }

  @Test func `the observer is removed at the outcome, whichever it is`() {
    for outcome in [0, 1, 2] {
      let calls = EventLog<Int>()
      let live = LiveCount()
      let future: ValueFuture<Int>
      do {
        let instance = live.make()
        future = center.future(forName: .test) { _ in
          instance.touch()
          calls.add(outcome)
          return outcome
        }
      }
      switch outcome {
      case 0: center.post(name: .test, object: nil)
      case 1: future.cancel()
      default: future.complete(throwing: Reason("over"))
      }
      center.post(name: .test, object: nil)
      #expect(calls.events.count == (outcome == 0 ? 1 : 0))
      #expect(live.value == 0)
    }
  }

  @Test func `dropping the future doesn't stop it`() {
    let values = EventLog<Int>()
    center.future(forName: .test) { _ in 5 }.onValue(on: .inline) { values.add($0) }
    center.post(name: .test, object: nil)
    #expect(values.events == [5])
  }

  @Test func `a center that goes cancels the future`() {
    let future: ValueFuture<Void>
    do {
      let short = NotificationCenter()
      future = short.future(forName: .test)
      #expect(future.isPending)
    }
    #expect(future.cancellationReason is AbandonedError)
  }

  @Test func `posts and a cancellation at once: one outcome, no observer left`() async {
    let center = center
    await stress(
      rounds: iterations(1_000),
      make: { center.future(forName: .test) { _ in 1 } },
      actors: [
        { _ in center.post(name: .test, object: nil) },
        { $0.cancel() },
      ],
      verify: { #expect(!$0.isPending) }
    )
  }
}
