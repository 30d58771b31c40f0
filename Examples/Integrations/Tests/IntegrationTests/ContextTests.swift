// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ContextRecipe
import InMemoryLogging
import InMemoryTracing
import Logging
import RaceFreeFuture
import Testing
import Tracing

extension IntegrationTests {
  @Suite struct ContextTests {
    let entries = InMemoryLogHandler()
    let tracer = InMemoryTracer()
    let future = Future(label: "file")

    /// Registers a handler in a request, which ends before the handler runs.
    private func handleRequest() async {
      let logger = Logger(label: "server") { _ in entries }
      withLogger(logger) { _ in
        withLogger(mergingMetadata: ["request": "7"]) { _ in
          tracer.withSpan("request") { _ in
            _ = future.onComplete { [tracer] in
              Logger.current.info("saved")
              tracer.withSpan("save") { _ in }
            }
          }
        }
      }
      future.complete()
      _ = await future.handlersFinished
    }

    @Test func `a handler has the logger and the span of the code that registered it`() async throws {
      Future.carryLoggerAndTracingContext()
      defer { Future.contextPropagation = nil }
      await handleRequest()

      let entry = try #require(entries.entries.first)
      #expect(entry.message == "saved" && entry.metadata["request"] == "7")
      let request = try #require(tracer.finishedSpans.first { $0.operationName == "request" })
      let save = try #require(tracer.finishedSpans.first { $0.operationName == "save" })
      #expect(save.parentSpanID == request.spanID && save.traceID == request.traceID)
    }

    @Test func `without it, a handler has neither`() async throws {
      await handleRequest()
      #expect(entries.entries.isEmpty)
      let save = try #require(tracer.finishedSpans.first { $0.operationName == "save" })
      #expect(save.parentSpanID == nil)
    }
  }
}
