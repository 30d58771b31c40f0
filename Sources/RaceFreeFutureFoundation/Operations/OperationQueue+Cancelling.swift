// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
internal import RaceFreeFuture

extension OperationQueue {
  /// Cancels all operations in the queue; none begins because another one was cancelled.
  ///
  /// Use it instead of `cancelAllOperations()`. That cancels one operation after the other, and each that it has
  /// cancelled lets those begin that waited for it: they may run before they are cancelled as well.
  ///
  /// Each ``AsynchronousOperation`` is marked as cancelled before any handler starts, and so before any of them is
  /// finished; an operation that has a `perform` block queued is marked at its turn. Then the operations of other
  /// classes are cancelled, in the reverse of the order in which they were added, so that as a rule each comes before
  /// those that it waits for. Operations that are added meanwhile aren't cancelled. For work of several queues, or a
  /// part of one, use a `Scope`.
  ///
  /// Callable from any thread, also in an operation of the queue; never blocks. Inline handlers run on the calling
  /// thread.
  ///
  /// - Parameter reason: The reason of each cancellation; see `cancel(throwing:)` of `CancellableWork`.
  public func cancelAll(
    throwing reason: any Error = CancellationError(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let operations = operations
    let all = Future(label: "all operations of \(name ?? "a queue")", fileID: fileID, line: line)
    for case let operation as AsynchronousOperation in operations { all.cascadeCancellation(to: operation) }
    // Behind the marking, and before the handlers of the operations, which finish them. Those that are marked learn
    // that their results aren't needed any more.
    all.onCancel(on: .inline) { for operation in operations.reversed() { operation.cancel() } }
    all.cancel(throwing: reason, fileID: fileID, line: line)
  }
}
