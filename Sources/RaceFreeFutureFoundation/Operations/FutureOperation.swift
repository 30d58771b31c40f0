// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
public import RaceFreeFuture

/// An operation that brings a result.
///
/// Made from a closure, which runs on the thread that the queue chooses:
///
/// ```swift
/// let search = FutureOperation(label: "search") { token in try find(text, unless: token) }
/// search.onResult { result in show(result) }  // on the main queue, and never after a cancel
/// queue.add(search)
/// ```
///
/// Or as a subclass: override `main()`, call ``setResult(_:)`` whenever there is a better result, and `finish()` at the
/// end, from any thread. The last result before the end counts. Without any, the operation fails with
/// ``FutureOperationError/resultNotSet``.
///
/// It is an ``AsynchronousOperation`` in every respect. Its life is ``valueFuture``, so `map`, `zip`, `value` and
/// timeouts are available; completing it directly bypasses `setResult` and `finish`.
//
// @unchecked Sendable: as its superclass. What it adds is `let` and Sendable.
open class FutureOperation<Value: Sendable>: AsynchronousOperation, @unchecked Sendable {
  /// The future of the operation, with its result.
  public final let valueFuture: ValueFuture<Value>
  let slot: ResultSlot<Value>
  /// Cancels the future if the operation is released while it is pending.
  private let completer: Completer<ValueFuture<Value>>

  /// Creates an operation that a subclass fills with work; its future is named after its class.
  public override init() {
    let completer = ValueFuture<Value>.makeCompleter(label: "\(Self.self)")
    self.completer = completer
    valueFuture = completer.future
    slot = ResultSlot()
    super.init(completer.cancelToken)
  }

  /// Creates an operation that a subclass fills with work.
  ///
  /// - Parameter label: A name for descriptions and errors; nil: it is named after the place where it is made.
  public override init(label: String?, fileID: StaticString = #fileID, line: UInt = #line) {
    let completer = ValueFuture<Value>.makeCompleter(label: label, fileID: fileID, line: line)
    self.completer = completer
    valueFuture = completer.future
    slot = ResultSlot()
    super.init(completer.cancelToken)
  }

  /// Creates an operation from a closure.
  ///
  /// The operation isn't finished before the closure has returned, even if it is cancelled meanwhile; but a thread that
  /// waits for its result then continues at once.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors; without one it is called by the place where it is made.
  ///   - work: Runs at most once, and is released at the end. It gets the token of the operation's future, to poll or
  ///     to attach something to. Throwing makes the result a failure, or a cancellation if it is `CancellationError`.
  public convenience init(
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable (CancelToken) throws -> Value
  ) {
    self.init(label: label, fileID: fileID, line: line)
    slot.put { operation in operation.perform(work) }
  }

  /// Creates an operation from an asynchronous closure, which runs in a task of its own.
  ///
  /// Cancelling the operation cancels the task. The future is cancelled at once, and a value that the task still returns is
  /// too late; but the operation isn't finished before the task has returned, so it keeps its place in a queue.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions and errors; without one it is called by the place where it is made.
  ///   - priority: The priority of the task.
  ///   - work: Runs at most once. Throwing makes the result a failure, or a cancellation if it is `CancellationError`.
  /// - Returns: The operation, which starts the task when it is started.
  public static func task(
    label: String? = nil,
    priority: TaskPriority? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Value
  ) -> FutureOperation {
    let operation = FutureOperation(label: label, fileID: fileID, line: line)
    operation.slot.put { operation in operation.performInTask(priority, work) }
    return operation
  }

  /// Runs the closure that the operation was made from; to be overridden in subclasses, without calling `super`.
  ///
  /// See also ``AsynchronousOperation/main()``.
  open override func main() {
    if let work = slot.takeWork() { work(self) } else { finish() }
  }

  /// Sets the result, or replaces it with a better one.
  ///
  /// Callable from any thread, any number of times; the last before the end counts, and later ones are dropped. It
  /// doesn't end the operation. Never blocks.
  ///
  /// - Parameter value: The value.
  public final func setResult(_ value: Value) {
    slot.put(.success(value))
  }

  /// Sets an error as the result.
  ///
  /// Like ``setResult(_:)``.
  ///
  /// - Parameter error: The error. Every error is a failure here, also `CancellationError`, which cancels if a closure
  ///   throws it.
  public final func setResult(throwing error: any Error) {
    slot.put(.failure(error))
  }

  /// Ends the operation with the last result that was set, unless it has been cancelled.
  ///
  /// Completes ``valueFuture``; with ``FutureOperationError/resultNotSet`` if no result was set. See also
  /// ``AsynchronousOperation/finish()``.
  public final override func finish() {
    guard let held = slot.close() else { return }
    valueFuture.complete(with: held.result ?? .failure(FutureOperationError.resultNotSet))
  }

  override func didResolve() {
    _ = slot.close()
  }

  override func willCancel() {
    slot.dismiss()
  }
}

extension FutureOperation {
  private func perform(_ work: @Sendable (CancelToken) throws -> Value) {
    do {
      valueFuture.complete(with: try work(cancelToken))
    } catch {
      valueFuture.end(throwing: error)
    }
  }

  private func performInTask(_ priority: TaskPriority?, _ work: @escaping @Sendable () async throws -> Value) {
    attach {
      beginPart()
      return Task(priority: priority) { [self] in
        do {
          valueFuture.complete(with: try await work())
        } catch {
          valueFuture.end(throwing: error)
        }
        endPart()
      }
    } stop: { task in
      task.cancel()
    }
  }
}
