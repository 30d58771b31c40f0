// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

internal import Instrumentation
internal import Logging
public import RaceFreeFuture

extension Future {
  /// Carries the logger of swift-log and the context of swift-distributed-tracing to where handlers run.
  ///
  /// What `Logger.current` and `ServiceContext.current` are where a handler, a `perform` block, background work, a `map`
  /// or an operation is registered, they are where it runs. Call it once, at the start of the program; it replaces
  /// ``Future/contextPropagation``. Callable from any thread; never blocks.
  public static func carryLoggerAndTracingContext() {
    contextPropagation = {
      let logger = Logger.current
      let context = ServiceContext.current
      return { body in
        withLogger(logger) { _ in ServiceContext.withValue(context, operation: body) }
      }
    }
  }
}
