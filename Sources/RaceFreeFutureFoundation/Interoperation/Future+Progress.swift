// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture
internal import Synchronization

extension Future {
  /// Ties a progress to this future: cancelling either cancels the other, and completing the future finishes the
  /// progress.
  ///
  /// A progress that is cancelled already cancels the future at once. Else Foundation tells of its cancellation a little
  /// later, on a thread of its choice. The `cancellationHandler` that the progress has is kept, and called once, before
  /// the future is cancelled; don't set another one later. When the future completes, the progress is set to its total,
  /// unless it was cancelled; one without a total gets the total 1. That, and cancelling the progress, is done on the
  /// thread that resolves the future. The progress doesn't keep the future; the future keeps the progress until the
  /// outcome.
  ///
  /// Callable from any thread; never blocks.
  ///
  /// - Parameter progress: The progress of the work.
  public func attach(_ progress: Progress) {
    attach(ProgressBox(progress)) { true }
  }

  fileprivate func attach(_ box: ProgressBox, finishes: @escaping @Sendable () -> Bool) {
    // Before the handler is changed: a cancelled progress would call the new one, and the user's a second time.
    if box.progress.isCancelled { return cancel() }
    box.onCancel { [weak self] in self?.cancel() }
    onCleanUp(on: .inline) { outcome in
      switch outcome {
      case .cancelled: box.cancel()
      case .completed: if finishes() { box.finish() }
      }
    }
  }
}

extension CancelToken {
  /// Lets a progress and this token's future cancel each other; see `attach(_:)` of `Future`.
  ///
  /// Whoever does the work finishes the progress.
  ///
  /// - Parameter progress: The progress of the work. It is kept until the outcome, and keeps the token.
  public func attachCancellation(of progress: Progress) {
    let box = ProgressBox(progress)
    if progress.isCancelled { return cancel() }
    box.onCancel { self.cancel() }
    onCancel(on: .inline) { box.cancel() }
  }
}

extension ValueFuture {
  /// Ties a progress to this future: cancelling either cancels the other, and a value finishes the progress.
  ///
  /// Like `attach(_:)` of `Future`, but a failure leaves the progress where it is. It doesn't count as receiving the
  /// value, and starts a lazy future.
  ///
  /// - Parameter progress: The progress of the work.
  public func attach(_ progress: Progress) {
    let failed = Flag()
    // Registered first, so it runs first.
    onFailure(on: .inline) { _ in failed.value.store(true, ordering: .releasing) }
    future.attach(ProgressBox(progress)) { !failed.value.load(ordering: .acquiring) }
  }
}

private final class Flag: Sendable {
  let value = Atomic(false)
}

/// `@unchecked Sendable`: a progress is thread-safe; not every Foundation says so to the compiler.
private final class ProgressBox: @unchecked Sendable {
  let progress: Progress

  init(_ progress: Progress) {
    self.progress = progress
  }

  /// Adds a handler to the one that is there.
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let previous = progress.cancellationHandler
    let isCalled = Flag()
    progress.cancellationHandler = {
      // Foundation may call it for each of several who cancel.
      if !isCalled.value.exchange(true, ordering: .acquiringAndReleasing) { previous?() }
      handler()
    }
    // Cancelled in between it may have called the old handler, or none.
    if progress.isCancelled { handler() }
  }

  func cancel() {
    if !progress.isCancelled { progress.cancel() }
  }

  func finish() {
    guard !progress.isCancelled, !progress.isFinished else { return }
    if progress.totalUnitCount <= 0 { progress.totalUnitCount = 1 }
    progress.completedUnitCount = progress.totalUnitCount
  }
}
