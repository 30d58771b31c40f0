// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch
internal import Synchronization

/// An object that decides between the completion and the cancellation of a piece of asynchronous work.
///
/// A future is pending until the first call of ``complete()`` or ``CancellableWork/cancel(throwing:fileID:line:)``
/// decides it; then it is completed or cancelled forever, and every handler that belongs to the outcome runs exactly
/// once.
///
/// ```swift
/// func download(_ url: URL, to file: URL, in session: URLSession) -> CancelToken {
///   let future = Future(label: "download")
///   future.attach {
///     let task = session.dataTask(with: url) { data, response, error in
///       future.unlessCancelled {
///         do {
///           let isOK = (response as? HTTPURLResponse)?.statusCode == 200
///           guard let data, isOK else { throw error ?? URLError(.badServerResponse) }
///           try data.write(to: file)
///           future.complete()
///         } catch {
///           future.cancel(throwing: error)
///         }
///       }
///     }
///     task.resume()
///     return task
///   } stop: { task in
///     task.cancel()
///   }
///   return future.cancelToken
/// }
/// ```
///
/// ## Threads and queues
///
/// Each future has a private serial queue, created when first needed. Handlers (unless they ask for another
/// ``HandlerContext``) and ``CancellableWork/perform(_:)`` blocks run there, never two of one future at once. `complete`
/// and `cancel` take their turns on the same queue: at once, on the caller's thread, if no `perform` block waits or runs;
/// otherwise after those blocks, without blocking the caller. A call of the block itself has the block's turn.
///
/// ## Limits
///
/// A future stops *handlers and callers*, not work: to stop the work check ``CancellableWork/isCancelled``, add a
/// handler with ``CancellableWork/onCancel(on:_:)-(_,()->Void)`` or use ``CancellableWork/attach(_:stop:)``. And a
/// handler that has started before a cancellation continues: see ``Registration/unregisterAndWait()``.
///
/// A future that is released while it is pending releases its handlers without running them; ``Completer`` turns a
/// release into a cancellation.
///
/// ## Methods
///
/// A future adds completing to the methods of all ``CancellableWork``: cancelling, observing, inspecting, waiting,
/// linking.
///
/// The semantics are those of RXFuture (Objective-C, 2011), with removal, contexts and links added.
public class Future: @unchecked Sendable {
  /// The way in which a future was resolved.
  public enum Outcome: Hashable, Sendable {
    /// The work is done.
    case completed
    /// The work was stopped.
    case cancelled
  }

  // `@unchecked Sendable` because it has subclasses, in this module alone; its own fields are constants that are `Sendable`.

  final let site: CreationSite
  /// The outcome, for polling.
  ///
  /// Written inside the lock of `machine` and after the machine has decided; stored with release and loaded with
  /// acquire, so that a thread that polls sees everything the deciding thread did before (law L8).
  private final let polledOutcome = Atomic(PolledOutcome.pending)
  /// Guards the machine, for one event at a time, and the store of `polledOutcome`; the effects are performed outside,
  /// but for late handlers, which are given to their queues inside (`dispatchLate`).
  private final let machine: Locked<FutureMachine>
  /// Nil until it is needed, for its label or as a queue; then never changed.
  private final let privateQueue = LazyReference<PrivateQueue>()

  private enum PolledOutcome: UInt8, AtomicRepresentable {
    case pending, completed, cancelled, unresolvable
  }

  /// Creates a pending future.
  ///
  /// The private queue is created when needed; creating a future takes one allocation if neither label nor target is
  /// given.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions, errors and the private queue; without one the future is named after the place
  ///     where it was created.
  ///   - target: The queue on which the blocks of the private queue finally run, which also has its quality of service.
  ///     If it is serial, don't call a method of this future that waits (`…AndWait`, `wait`, `try…`) from a block of that
  ///     queue: Dispatch then stops the program.
  public convenience init(
    label: String? = nil,
    target: DispatchQueue? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(label: label, target: target, site: CreationSite(fileID, line))
  }

  init(
    label: String?,
    target: DispatchQueue? = nil,
    site: CreationSite,
    isResolvable: Bool = true,
    sources: consuming SourceList = SourceList()
  ) {
    machine = Locked(FutureMachine(isResolvable: isResolvable, sources: sources))
    self.site = site
    // Relaxed: before any other code has the future.
    if !isResolvable { polledOutcome.store(.unresolvable, ordering: .relaxed) }
    if label == nil, target == nil, !Hooks.isOn([.observer, .scheduler]) { return }
    equip(label: label, target: target)
  }

  /// Sets up the parts that most futures don't need; not inlined into their creation.
  @inline(never)
  private final func equip(label: String?, target: DispatchQueue?) {
    // The shared one belongs to no scope.
    let scheduled = isUnresolvable ? nil : Scheduling.current.map { ScheduledQueue($0, label: label, site: site) }
    if label == nil, target == nil, scheduled == nil, !Hooks.isOn(.observer) { return }
    if scheduled != nil { process { _ = $0.flags.insert(.isScheduled) } }
    _ = privateQueue.fill(with: PrivateQueue(label: label, target: target, scheduled: scheduled))
    if Hooks.isOn(.observer), !isUnresolvable { Observation.tell(self, .created) }
  }

  deinit {
    // A resolved future no longer holds anything (law L7).
    if decidedOutcome == nil { tearDown() }
  }

  /// The label, if it has one.
  final var label: String? { privateQueue.object?.label }

  /// The label, if it has one, and the place where it was created.
  final var origin: Origin { Origin(label: label, site: site) }

  /// The name: the label or, without one, the place where it was created.
  final var name: String { FutureName(self).plain }
}

extension FutureName {
  init(_ future: Future) {
    self.init(label: future.label, site: future.site)
  }
}

// MARK: - Basis for the rest of the module

extension Future {
  /// Runs an event through the machine.
  ///
  /// The caller carries out the result of the event after this has returned. Always inlined: otherwise each reference
  /// that the event captures is retained and released twice.
  @inline(__always)
  func process<Result: ~Copyable>(_ event: (inout FutureMachine) -> sending Result) -> sending Result {
    machine.withLock { machine in
      let result = event(&machine)
      // Under the lock, so that the two never contradict each other for a thread that holds it.
      if machine.phase != .pending, polledOutcome.load(ordering: .relaxed) == .pending {
        let isCancelled = machine.resolution?.outcome == .cancelled
        polledOutcome.store(isCancelled ? .cancelled : .completed, ordering: .releasing)
      }
      return result
    }
  }

  /// The outcome so far: one atomic load.
  @usableFromInline
  var decidedOutcome: Outcome? {
    switch polledOutcome.load(ordering: .acquiring) {
    case .pending, .unresolvable: nil
    case .completed: .completed
    case .cancelled: .cancelled
    }
  }

  /// True if it can't be resolved; it keeps nothing then, and nothing about it needs a turn.
  ///
  /// Relaxed: it is fixed before any other code has the future.
  @inline(__always) var isUnresolvable: Bool { polledOutcome.load(ordering: .relaxed) == .unresolvable }

  /// The resolution so far.
  var resolution: Resolution? {
    decidedOutcome == nil ? nil : machine.withLock { $0.resolution }
  }

  /// The private queue, if it was needed so far.
  var queueObject: PrivateQueue? { privateQueue.object }

  /// The work that keeps it open and the waits for its end, if there ever were any.
  var openWork: OpenWork? { privateQueue.object?.openWork.object }

  /// The same, created if necessary.
  func neededOpenWork(_ make: () -> OpenWork = { OpenWork() }) -> OpenWork {
    let queue = neededQueue
    return queue.openWork.object ?? queue.openWork.fill(with: make())
  }

  /// True if the calling thread is inside a block of the private queue.
  var holdsTurn: Bool { privateQueue.object?.isHeldByCaller == true }

  /// Runs the block in its turn on the private queue.
  func enqueue(_ kind: ScheduledWork.Kind, _ block: @escaping @Sendable () -> Void) {
    neededQueue.async(kind, block)
  }

  /// Runs the block in its turn on the private queue and waits for it.
  ///
  /// The caller must not hold the turn.
  func enqueueAndWait(_ block: () -> Void) {
    Trampoline.runBeforeBlocking()
    neededQueue.sync(block)
  }

  private var neededQueue: PrivateQueue {
    privateQueue.object ?? privateQueue.fill(with: PrivateQueue())
  }
}
