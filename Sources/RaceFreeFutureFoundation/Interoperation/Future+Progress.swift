// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture
internal import Synchronization

extension Future {
  /// Ties a progress to this future: cancelling either cancels the other, and completing the future finishes the
  /// progress.
  ///
  /// When the future completes, the progress is set to its total (1 if it has none), unless it was cancelled. A progress
  /// that is cancelled already cancels the future at once; otherwise Foundation reports its cancellation a little later,
  /// on a thread of its choice, and the futures of one progress are cancelled in the order in which they were attached.
  /// The future keeps the progress until the outcome; the progress doesn't keep the future.
  ///
  /// The first future that is attached takes the place of the progress' `cancellationHandler`. The previous handler is
  /// called once, before the futures are cancelled. No other code may change the handler meanwhile or later: replacing
  /// it disconnects the futures that are attached by then. If the progress is cancelled while the first future is being
  /// attached, the previous handler is called at most once, perhaps after the future is cancelled: Foundation doesn't
  /// tell which handler it has called.
  ///
  /// - Parameter progress: The progress of the work.
  public func attach(_ progress: Progress) {
    attach(ProgressBox(progress)) { true }
  }
}

extension CancellableWork {
  fileprivate func attach(_ box: ProgressBox, finishes: @escaping @Sendable () -> Bool) {
    // Its handler remains unchanged.
    if box.progress.isCancelled { return cancel() }
    let attachment = ProgressAttachments.add(to: box) { [weakToken = cancelToken.weak] in weakToken()?.cancel() }
    // Released with the future or at its outcome, and with it the attachment.
    onCleanUp(on: .inline) { outcome in
      switch outcome {
      case .cancelled: attachment.cancel(box)
      case .completed: if finishes() { box.finish() }
      }
    }
  }
}

extension CancellableWork {
  /// Ties a progress to this future: cancelling either cancels the other; see `attach(_:)` of `Future`.
  ///
  /// The code that does the work finishes the progress.
  ///
  /// - Parameter progress: The progress of the work. It is kept until the outcome, and keeps the work.
  public func attachCancellation(of progress: Progress) {
    if progress.isCancelled { return cancel() }
    let box = ProgressBox(progress)
    let attachment = ProgressAttachments.add(to: box) { self.cancel() }
    onCancel(on: .inline) { attachment.cancel(box) }
  }
}

extension ValueFuture {
  /// Ties a progress to this future: cancelling either cancels the other, and a value finishes the progress.
  ///
  /// Like `attach(_:)` of `Future`, but a failure leaves the progress unchanged. It doesn't count as receiving the
  /// value, and starts a lazy future.
  ///
  /// - Parameter progress: The progress of the work.
  public func attach(_ progress: Progress) {
    let failed = Flag()
    // Registered first, so it runs first.
    onFailure(on: .inline) { _ in failed.value.store(true, ordering: .relaxed) }
    attach(ProgressBox(progress)) { !failed.value.load(ordering: .relaxed) }
  }
}

private final class Flag: Sendable {
  /// Relaxed: nothing is read behind it, and the future orders its handlers.
  let value = Atomic(false)
}
