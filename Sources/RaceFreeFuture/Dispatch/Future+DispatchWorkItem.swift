// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

extension Future {
  /// Submits a work item, completes when it has run, and stops it when this future is cancelled.
  ///
  /// Cancelled before the item starts, its body is skipped; while it runs, the item learns it from `isCancelled`. If
  /// the future is cancelled already the item is cancelled and not submitted: its own notifications are then never
  /// sent, as Dispatch has it, but this future's handlers run. A completed future neither submits the item nor cancels
  /// it. If somebody else has cancelled the item by the time at which it ends, or is skipped, the future is cancelled as
  /// well. Make the item outside of the main actor: a closure that is written there is isolated to it, and stops the
  /// program when another queue runs it.
  ///
  /// - Parameters:
  ///   - workItem: An item that has not been submitted. Handlers with the context `.inline` run on `queue`.
  ///   - queue: Where it runs.
  public func attach(_ workItem: DispatchWorkItem, on queue: DispatchQueue) {
    // `DispatchWorkItem` is thread-safe; only Dispatch hasn't said so to the compiler.
    nonisolated(unsafe) let workItem = workItem
    // Hooked before it is submitted, so that no cancellation falls between the two. A late handler has run when this
    // returns.
    onCancel(on: .inline) { unsafe workItem.cancel() }
    guard isPending else { return }
    // Dispatch notifies also if it skips the body. If that was this future's cancellation, this does nothing.
    unsafe workItem.notify(queue: queue) { unsafe workItem.isCancelled ? self.cancel() : self.complete() }
    unsafe queue.async(execute: workItem)
  }
}
