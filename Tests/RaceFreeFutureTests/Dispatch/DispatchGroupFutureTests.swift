// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct DispatchGroupFutureTests {
  /// Whether everybody has left.
  private func isEmpty(_ group: DispatchGroup) -> Bool { group.wait(timeout: .now()) == .success }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `a group is left at the outcome, before the resolving call returns`(_ outcome: Future.Outcome) {
    let group = DispatchGroup()
    let future = Future()
    group.enter(until: future)
    #expect(!isEmpty(group))
    future.resolve(outcome)
    #expect(isEmpty(group))
    // Leaving once too often would stop the program.
    future.complete()
    future.cancel()
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `a resolved future leaves at once`(_ outcome: Future.Outcome) {
    let group = DispatchGroup()
    let future = Future()
    future.resolve(outcome)
    group.enter(until: future)
    #expect(isEmpty(group))
  }

  @Test func `a token stands for its future`() {
    let group = DispatchGroup()
    let future = Future()
    group.enter(until: future.cancelToken)
    #expect(!isEmpty(group))
    future.cancel()
    #expect(isEmpty(group))
    group.enter(until: CancelToken.never)
    #expect(isEmpty(group))
  }

  @Test func `the group is left by a future that goes while it is pending`() {
    let group = DispatchGroup()
    func drop() {
      let future = Future()
      group.enter(until: future)
      #expect(!isEmpty(group))
    }
    drop()
    #expect(isEmpty(group))
  }

  @Test func `a group waits for many futures, and for one as often as it was told`() async {
    let group = DispatchGroup()
    let futures = (0..<10).map { _ in Future() }
    for future in futures + futures { group.enter(until: future) }
    for (index, future) in futures.enumerated() {
      #expect(!isEmpty(group))
      future.resolve(index.isMultiple(of: 2) ? .completed : .cancelled)
    }
    #expect(isEmpty(group))
    let notified = Gate("notified")
    group.notify(queue: .global()) { notified.open() }
    await notified.passed()
  }

  @Test func `a queued decision leaves the group in its turn`() async {
    let group = DispatchGroup()
    let future = Future()
    let gate = Gate("line")
    group.enter(until: future)
    future.standStill(until: gate)
    future.cancel()
    #expect(!isEmpty(group))
    gate.open()
    #expect(await future.handlersFinished == .cancelled)
    #expect(isEmpty(group))
  }

  @Test func `a group may be left while it is waited for`() async {
    let group = DispatchGroup()
    let futures = (0..<4).map { _ in Future() }
    for future in futures { group.enter(until: future) }
    let bodies = futures.flatMap { future -> [@Sendable () -> Void] in [{ future.cancel() }, { future.complete() }] }
    await onThreads(bodies + [{ group.wait() }])
    #expect(isEmpty(group))
  }
}
