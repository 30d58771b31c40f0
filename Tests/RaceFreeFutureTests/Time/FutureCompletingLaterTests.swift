// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureCompletingLaterTests {
  @Test func `it completes at its instant, and not before`() throws {
    try withManualControl { control in
      let after = Future.completing(after: .seconds(2))
      let value = ValueFuture.completing(with: 7, after: .seconds(2))
      control.clock.advance(by: .nanoseconds(1_999_999_999))
      #expect(after.isPending && value.isPending)
      control.clock.advance(by: .nanoseconds(1))
      #expect(after.isCompleted)
      #expect((try? value.result?.get()) == 7)
    }
  }

  @Test func `cancelled before, it stays cancelled, and its timer is gone`() throws {
    try withManualControl { control in
      let future = ValueFuture.completing(with: 7, after: .seconds(1))
      future.cancel(throwing: Reason("not needed"))
      control.clock.advance(by: .seconds(1))
      #expect(future.isCancelled && future.cancellationReason as? Reason == Reason("not needed"))
      #expect(control.clock.timers.isEmpty)
    }
  }

  @Test func `an interval that has passed completes at once, and one that is too long never`() {
    #expect(Future.completing(after: .zero).isCompleted)
    #expect(Future.completing(after: .seconds(-1)).isCompleted)
    let never = Future.completing(after: .seconds(Int64.max))
    #expect(never.isPending)
    never.complete()
  }

  @Test func `an interval as long as there is completes at once, or never`() {
    let (past, future) = (Duration(attoseconds: .min), Duration(attoseconds: .max))
    #expect(Future.completing(after: past).isCompleted)
    #expect(ValueFuture.completing(with: 7, after: past).isCompleted)
    #expect(Future.completing(after: future).isPending)
    #expect(ValueFuture.completing(with: 7, after: future).isPending)
  }

  @Test func `what nobody keeps still completes`() async {
    let isCompleted = Gate("completed")
    Future.completing(after: .milliseconds(1)).onComplete(on: .inline) { isCompleted.open() }
    await isCompleted.passed()
  }

  @Test func `its value is released at another outcome`() throws {
    let count = LiveCount()
    try withManualControl { _ in
      let value = ValueFuture.completing(with: count.make(), after: .seconds(1))
      #expect(count.value == 1)
      value.cancel()
      #expect(count.value == 0)
    }
  }
}
