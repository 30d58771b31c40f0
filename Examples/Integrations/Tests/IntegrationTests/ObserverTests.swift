// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import ObserversRecipe
import RaceFreeFuture
import Testing
import Tracing

extension IntegrationTests {
  @Suite struct ObserverTests {
    private struct NoFile: Error {}

    let entries = InMemoryLogHandler()
    let tracer = InMemoryTracer()
    let metrics = TestMetrics()

    var logger: Logger { Logger(label: "futures") { _ in entries } }

    /// Observes with all three while a closure runs.
    private func observing(_ body: () async throws -> Void) async rethrows {
      Future.observer = combined(metricsObserver(of: metrics), loggingObserver(to: logger), tracingObserver(of: tracer))
      defer { Future.observer = nil }
      try await body()
    }

    @Test func `combined observers all hear of an event`() async throws {
      await observing {
        var released: Future? = Future(label: "released")
        #expect(released?.isPending == true)
        released = nil
      }
      #expect(metrics.counterTotal(label: "future_outcomes", dimensions: [("outcome", "abandoned")]) == 1)
      #expect(entries.entries.map(\.message) == ["Future(\"released\") released while pending"])
      #expect(tracer.finishedSpans.map(\.operationName) == ["released"])
    }

    @Test func `abandoned work and late failures are logged, and nothing else`() async throws {
      await observing {
        Future(label: "finished").complete()
        Future(label: "halted").cancel()

        var completer: Completer<Future>? = Future.makeCompleter(label: "dropped")
        let dependent = Future(linkedTo: completer?.future ?? Future(), label: "dependent")
        completer = nil
        #expect(completer == nil && dependent.isCancelled)

        let late = ValueFuture<Int>(label: "late")
        late.cancel()
        late.complete(throwing: NoFile())
      }
      let lines = entries.entries.map { "\($0.message)" }
      #expect(lines.count == 2 && lines.allSatisfy { !$0.contains("finished") && !$0.contains("halted") }, "\(lines)")
      for text in ["\"dropped\"", "\"late\") failed too late (NoFile())"] {
        #expect(lines.filter { $0.contains(text) }.count == 1, "\(text) in \(lines)")
      }
      #expect(entries.entries.allSatisfy { $0.level == .warning && $0.metadata["future.created"] != nil })
    }

    @Test func `a future with a label is a span from its creation to its outcome`() async throws {
      await observing {
        tracer.withSpan("request") { _ in
          let failed = ValueFuture<Int>(label: "download")
          failed.complete(throwing: NoFile())
          Future(label: "upload").cancel(throwing: NoFile())
          Future().complete()
        }
      }
      let request = try #require(tracer.finishedSpans.first { $0.operationName == "request" })
      let download = try #require(tracer.finishedSpans.first { $0.operationName == "download" })
      let upload = try #require(tracer.finishedSpans.first { $0.operationName == "upload" })
      #expect(tracer.finishedSpans.count == 3 && tracer.activeSpans.isEmpty)
      #expect(download.parentSpanID == request.spanID && upload.parentSpanID == request.spanID)
      #expect(download.errors.count == 1 && upload.errors.isEmpty)
      #expect(upload.attributes.get("future.cancelled") == "NoFile()")
    }
  }
}
