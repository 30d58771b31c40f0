// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture
internal import Synchronization

/// An operation whose work continues after `main()` has returned, until it is finished or cancelled.
///
/// Override `main()`: it starts the work and returns. Call ``finish()`` when the work is done. A subclass needs no
/// lock, no state and no notifications.
///
/// ```swift
/// final class Download: AsynchronousOperation, @unchecked Sendable {
///   let url: URL
///   init(_ url: URL) {
///     self.url = url
///     super.init()
///   }
///
///   override func main() {
///     attach {
///       let task = URLSession.shared.dataTask(with: url) { [self] _, _, _ in finish() }
///       task.resume()
///       return task
///     } stop: { task in
///       task.cancel()
///     }
///   }
/// }
/// ```
///
/// ## Its life is a future
///
/// It is `CancellableWork`: handlers, timeouts, links and `attach(_:stop:)` are available. ``finish()`` completes its
/// future and ``cancel()`` cancels it; the first of them decides, and `isCancelled` is that of the future. While a
/// `perform` block of the future waits or runs, both calls are queued behind it, unless the block makes them.
///
/// ## When it is finished
///
/// `isFinished` becomes true, once, when the future is resolved *and* the operation was started *and* `main()` has
/// returned, and with it the task of ``FutureOperation/task(label:priority:fileID:line:_:)``. By then the future's
/// inline handlers have returned, among them the `stop` of `attach(_:stop:)`. Handlers elsewhere may still run.
///
/// | | `main()` | the future | `isFinished` |
/// | --- | --- | --- | --- |
/// | cancelled in a queue, before its start | never runs | cancelled at once | when the queue starts it |
/// | cancelled and never put on a queue | never runs | cancelled at once | never, or when it is started |
/// | cancelled while it runs | continues, if it hasn't returned | cancelled at once | at once, or when `main()` returns |
/// | finished before its start | never runs | completed at once | when it is started |
/// | dropped before its end | | cancelled with `AbandonedError` | |
///
/// Dependencies, widths, priorities, `completionBlock` and `waitUntilFinished()` are those of `Operation`. `start()` is
/// for queues; called directly, it ignores dependencies. Only its first call counts.
///
/// Observers are notified in order: `isExecuting` and `isFinished` are never true at the same time, and each becomes
/// true at most once. Observers of `isCancelled` are notified once, and always find it true.
///
/// On Linux an operation that has ended loses its dependencies: Foundation would crash when the dependency of an
/// operation ends that was cancelled and released.
//
// @unchecked Sendable: `Operation` is; what this class adds is `let`, and either Sendable or atomic. A subclass is
// responsible for its own properties.
open class AsynchronousOperation: Operation, CancellableWork, @unchecked Sendable {
  /// The token of the operation's life: completed when it is finished, cancelled when it is cancelled.
  public final let cancelToken: CancelToken

  /// Completes the future, and cancels it if the operation is released while it is pending; nil if a subclass does
  /// that.
  private let completer: Completer<Future>?
  /// The context in which `main()` runs: the one in which the operation was made.
  private let context = Context.captured()
  /// Each change publishes what was done before it to the thread that makes the next one.
  private let phase = Atomic(OperationPhase.waiting)
  /// The number of parts of `main()` that haven't ended: itself, and a task that it has started.
  ///
  /// Relaxed: it orders nothing; the change of the phase by the last one does.
  private let parts = Atomic(1)

  /// Creates an operation; its future is named after its class.
  public override init() {
    let completer = Future.makeCompleter(label: "\(Self.self)")
    cancelToken = completer.cancelToken
    self.completer = completer
    super.init()
    follow()
  }

  /// Creates an operation.
  ///
  /// - Parameter label: A name for descriptions and errors; the `name` of the operation is its own. Nil: it is named
  ///   after the place where it is made.
  public init(label: String?, fileID: StaticString = #fileID, line: UInt = #line) {
    let completer = Future.makeCompleter(label: label, fileID: fileID, line: line)
    cancelToken = completer.cancelToken
    self.completer = completer
    super.init()
    follow()
  }

  /// Creates an operation whose future brings a value; it overrides `finish()`.
  init(_ cancelToken: CancelToken) {
    self.cancelToken = cancelToken
    completer = nil
    super.init()
    follow()
  }

  deinit {
    // Dropped while it executed: the completer cancels the future, and nothing else can end.
    if isExecuting { letGo() }
    #if !canImport(ObjectiveC)
      // Dropped while it was waiting for something.
      guard !isFinished, !dependencies.isEmpty else { return }
      cancelBase()
      leaveDependencies()
    #endif
  }

  /// Starts the work and returns; to be overridden, without calling `super`.
  ///
  /// Called once by `start()`, on a thread that the queue chooses, unless the operation was cancelled or finished
  /// before. The operation isn't finished before this has returned, even if ``finish()`` is called in it; so it may
  /// also do the work itself, polling `isCancelled`. This implementation finishes the operation.
  open override func main() {
    finish()
  }

  /// Ends the operation, unless it has been cancelled.
  ///
  /// Completes its future. Callable from any thread, any number of times, also before the start. Never blocks; inline
  /// handlers, and observers of the operation, run on the calling thread before this returns. It need not be called
  /// after a cancellation.
  public func finish() {
    completer?.complete()
  }

  /// Called once, after the inline handlers of the future.
  func didResolve() {}

  /// Called with each call of `cancel()`, in time or not.
  func willCancel() {}

  /// Tells observers, on Linux only the queue, that something is about to change.
  func willChange(_ key: String) { willChangeValue(forKey: key) }

  /// Tells observers, on Linux only the queue, that something has changed.
  func didChange(_ key: String) { didChangeValue(forKey: key) }

  /// True if the operation was cancelled, according to its future.
  ///
  /// One atomic load. Never true for an operation that was finished first.
  public final override var isCancelled: Bool { cancelToken.isCancelled }

  /// True if it has been started and isn't finished.
  ///
  /// One atomic load.
  public final override var isExecuting: Bool { phase.load(ordering: .acquiring).isExecuting }

  /// True if it has been started, its future is resolved, and `main()` has returned.
  ///
  /// One atomic load. Once true, it never changes.
  public final override var isFinished: Bool { phase.load(ordering: .acquiring).isFinished }

  /// True if its dependencies are finished, or it was cancelled, or it has been started.
  public final override var isReady: Bool { phase.load(ordering: .acquiring).isStarted || super.isReady }

  /// True: its work may continue after `start()` has returned.
  public final override var isAsynchronous: Bool { true }

  /// Cancels the operation, unless it has been finished.
  ///
  /// Cancels its future with `CancellationError`. Callable from any thread, any number of times, also before the start:
  /// then the operation no longer waits for its dependencies. Never blocks; inline handlers run on the calling thread.
  public final override func cancel() {
    cancel(throwing: CancellationError())
  }

  /// Cancels the operation for a reason, unless it has been finished.
  ///
  /// Like `cancel()`.
  ///
  /// - Parameter reason: The reason of the cancellation; see `cancel(throwing:)` of `CancellableWork`.
  public final func cancel(throwing reason: any Error, fileID: StaticString = #fileID, line: UInt = #line) {
    willCancel()
    cancelToken.cancel(throwing: reason, fileID: fileID, line: line)
  }

  private func cancelBase() {
    super.cancel()
  }

  /// Starts the operation; for queues.
  ///
  /// Runs `main()` on the calling thread, unless the future is resolved. Only the first call has an effect. It ignores
  /// dependencies.
  public final override func start() {
    switch advance({ $0.start() }) {
    case .nothing:
      return
    case .finish:
      announceEnd(ofExecuting: false)
    case .begin:
      // Cancelled while it executes, its future is open until it is finished.
      keepOpen()
      willChange("isExecuting")
      advance { $0.begin() }
      didChange("isExecuting")
      // The future may be resolved although its handlers haven't run yet.
      if isPending { Context.run(in: context) { main() } }
      endPart()
    }
  }

  /// Begins a part of `main()` that continues after that has returned.
  final func beginPart() { parts.add(1, ordering: .relaxed) }

  /// Ends `main()`, or a part of it that has continued.
  final func endPart() {
    guard parts.subtract(1, ordering: .relaxed).newValue == 0 else { return }
    if advance({ $0.mainReturned() }) == .finish { announceEnd(ofExecuting: true) }
  }
}

extension AsynchronousOperation {
  fileprivate func follow() {
    // Weak, as the future belongs to the operation. One that has been released has no observers to notify.
    onCancel(on: .inline) { [weak self] in self?.noteCancellation() }
    // After the last inline handler, whenever that was added.
    onDelivered { [weak self] in self?.noteResolution() }
  }

  /// Notifies `Operation`, so that it no longer waits for its dependencies.
  ///
  /// The first of the future's handlers.
  private func noteCancellation() {
    #if canImport(ObjectiveC)
      cancelBase()
    #else
      willChange("isCancelled")
      cancelBase()
      didChange("isCancelled")
    #endif
  }

  private func noteResolution() {
    didResolve()
    if advance({ $0.resolve() }) == .finish { announceEnd(ofExecuting: true) }
  }

  /// Notifies observers of `Operation`, above all its queue, of the end.
  private func announceEnd(ofExecuting wasExecuting: Bool) {
    if wasExecuting { willChange("isExecuting") }
    willChange("isFinished")
    advance { $0.finish() }
    if wasExecuting { didChange("isExecuting") }
    didChange("isFinished")
    #if !canImport(ObjectiveC)
      leaveDependencies()
    #endif
    if wasExecuting { letGo() }
  }

  #if !canImport(ObjectiveC)
    /// Removes the operation from its dependencies.
    ///
    /// In Foundation on Linux a dependency refers to those that wait for it without keeping them, and forgets them only
    /// when it is finished. An operation that was cancelled or dropped may have been released by then, and the program
    /// crashes.
    private func leaveDependencies() {
      for dependency in dependencies { removeDependency(dependency) }
    }
  #endif

  /// Advances the operation's phase by one event.
  @discardableResult
  private func advance(_ event: (inout OperationPhase) -> OperationPhase.Duty) -> OperationPhase.Duty {
    // Relaxed: the exchange acquires.
    var old = phase.load(ordering: .relaxed)
    while true {
      var new = old
      let duty = event(&new)
      let (isExchanged, current) = phase.compareExchange(
        expected: old,
        desired: new,
        ordering: .acquiringAndReleasing
      )
      if isExchanged { return duty }
      old = current
    }
  }
}
