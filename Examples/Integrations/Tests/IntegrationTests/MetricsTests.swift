// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Metrics
import MetricsTestKit
import ObserversRecipe
import RaceFreeFuture
import Testing

extension IntegrationTests {
  @Suite struct MetricsTests {
    private struct NoFile: Error {}

    @Test func `every future is counted with its outcome`() throws {
      let metrics = TestMetrics()
      Future.observer = metricsObserver(of: metrics)
      defer { Future.observer = nil }

      let completed = Future()
      completed.complete()
      let failed = ValueFuture<Int>()
      failed.complete(throwing: NoFile())
      let cancelled = ValueFuture<Int>()
      cancelled.cancel()
      cancelled.complete(throwing: NoFile())
      Future().cancel()
      var released: Future? = Future()
      #expect(released?.isPending == true)
      released = nil
      let pending = Future()

      for (outcome, count) in ["completed": 1, "failed": 1, "cancelled": 2, "abandoned": 1] as [String: Int64] {
        let total = metrics.counterTotal(label: "future_outcomes", dimensions: [("outcome", outcome)])
        #expect(total == count, "\(outcome)")
      }
      #expect(metrics.counterTotal(label: "future_late_failures") == 1)
      #expect(try metrics.expectMeter("futures_pending").lastValue == 1)
      pending.complete()
      #expect(try metrics.expectMeter("futures_pending").lastValue == 0)
    }
  }
}
