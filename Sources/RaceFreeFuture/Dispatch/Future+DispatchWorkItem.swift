// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

extension Future {
  /// Submits a work item, completes this future when the item has run, and cancels the item when the future is
  /// cancelled.
  ///
  /// If the future is cancelled before the item starts, the body of the item is skipped; if while it runs, its
  /// `isCancelled` becomes true. If the future is already cancelled the item is cancelled and not submitted: Dispatch
  /// then never sends its own notifications, but this future's handlers run. A completed future neither submits the
  /// item nor cancels it. If the item has been cancelled otherwise by the time at which it ends, or is skipped, the
  /// future is also cancelled. Create the item outside of the main actor: a closure that is written there is isolated
  /// to it, and stops the program when another queue runs it.
  ///
  /// - Parameters:
  ///   - workItem: An item that has not been submitted. Handlers with the context `.inline` run on `queue`.
  ///   - queue: The queue on which it runs.
  public func attach(_ workItem: DispatchWorkItem, on queue: DispatchQueue) {
    // `DispatchWorkItem` is thread-safe, but not declared so.
    nonisolated(unsafe) let workItem = workItem
    // Registered before the item is submitted, so that no cancellation can come between the two. A late handler has run
    // when this returns.
    onCancel(on: .inline) { unsafe workItem.cancel() }
    guard isPending else { return }
    // Dispatch also notifies if it skips the body. If that was this future's cancellation, this does nothing.
    unsafe workItem.notify(queue: queue) { unsafe workItem.isCancelled ? self.cancel() : self.complete() }
    unsafe queue.async(execute: workItem)
  }
}
