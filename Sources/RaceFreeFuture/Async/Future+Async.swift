// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Await

// Called by `CancellableWork`.
extension Future {
  /// Waits for the completion; throws the reason of a cancellation, also if the task is cancelled.
  @usableFromInline
  var completed: Void {
    get async throws {
      if isCompleted { return }
      switch await awaitResolution() {
      case .completed, .delivered, .failed: return
      case .cancelled(let reason): throw reason
      case .cascaded(let cascade): throw cascade.reason
      case nil: throw CancellationError()
      }
    }
  }

  /// Waits for the outcome, even if the task is cancelled.
  @usableFromInline
  var resolvedOutcome: Outcome {
    get async { await resolved.outcome }
  }

  /// Waits until all handlers have returned.
  @usableFromInline
  var outcomeOfHandlers: Outcome {
    get async {
      await unsafe suspend { continuation in
        awaitEnd(HandlerNode(nil, .inline, role: .awaitsHandlers, unsafe .awaiting(continuation)))
      }.outcome
    }
  }
}

extension Future {
  /// Waits for the resolution, even if the task is cancelled.
  var resolved: Resolution {
    get async {
      if let resolution { return resolution }
      return await unsafe suspend { continuation in
        _ = register(HandlerNode(nil, .inline, role: .waiter, unsafe .awaiting(continuation)))
      }
    }
  }

  /// Waits for the resolution; nil if the awaiting task was cancelled first.
  ///
  /// Inlined, like the function it calls: each call of an asynchronous function takes its own frame.
  @inline(__always)
  func awaitResolution() async -> Resolution? {
    if let resolution { return resolution }
    return await awaitResolution(HandlerNode())
  }

  /// Waits for the resolution; nil if the awaiting task was cancelled or the interval had passed first.
  func awaitResolution(within interval: Duration) async -> Resolution? {
    if let resolution { return resolution }
    let (node, now) = (HandlerNode(), presentInstant)
    let instant = now.advanced(by: interval.clamped)
    let timer = TimedNode(.call { $0.unpark(node) }, from: now, to: instant)
    Timers.shared.set(timer, for: self, at: now) { instant }
    defer { Timers.shared.stop(timer) }
    return await awaitResolution(node)
  }

  @inline(__always)
  private func awaitResolution(_ node: HandlerNode) async -> Resolution? {
    let wait = beginWait()
    defer { endWait(wait) }
    return await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { continuation in
        if unsafe !park(node, continuation) { unsafe continuation.resume(returning: resolution) }
      }
    } onCancel: {
      // This runs under a lock of the runtime, so it must not wait.
      unpark(node)
    }
  }

  /// Resumes a waiting task, unless the outcome is on its way to it.
  fileprivate func unpark(_ node: HandlerNode) {
    // A resolution that exists although the wait could be withdrawn isn't lost.
    let resolution = resolution
    guard case .awaiting(let continuation)? = process({ $0.unpark(node) }) else { return }
    unsafe continuation.resume(returning: resolution)
  }

  /// Suspends the calling task until it is given a resolution.
  ///
  /// For tasks that are resumed by an outcome and by nothing else.
  private func suspend(_ body: (UnsafeContinuation<Resolution?, Never>) -> Void) async -> Resolution {
    let wait = beginWait()
    defer { endWait(wait) }
    guard let resolution = await unsafe withUnsafeContinuation(body) else {
      fatalError("a task that waits for a future was woken without an outcome: \(self)")
    }
    return resolution
  }
}
