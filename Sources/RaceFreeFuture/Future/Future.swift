// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch
internal import Synchronization

/// The one object in which the completion and the cancellation of a piece of asynchronous work meet.
///
/// A future is pending until the first call of ``complete()`` or ``CancellableWork/cancel(throwing:fileID:line:)`` decides it; then it is completed
/// or cancelled for ever, and every handler that belongs to the outcome runs exactly once.
///
/// ```swift
/// func download(_ url: URL, into file: FileHandle) -> CancelToken {
///   let future = Future(label: "download")
///   let task = session.dataTask(with: url) { data, _, _ in
///     future.unlessCancelled { file.write(data ?? Data()) }
///     future.complete()
///   }
///   future.onCancel { task.cancel() }
///   task.resume()
///   return future.cancelToken
/// }
/// ```
///
/// ## What runs where
///
/// Each future has a private serial queue, made when first needed. Handlers (unless they ask for another
/// ``HandlerContext``) and ``perform(_:)`` blocks run there, never two at once. `complete` and `cancel` take their
/// turns on the same queue: at once, on the caller's thread, if no `perform` block waits or runs; else behind those
/// blocks, without blocking the caller.
///
/// ## What is not promised
///
/// A future stops *handlers and callers*, not work: whoever does the work asks
/// ``CancellableWork/isCancelled``, hooks ``CancellableWork/onCancel(on:_:)-(_,()->Void)`` or uses
/// ``CancellableWork/attach(_:stop:)``. And a handler that has started when somebody cancels goes on: see
/// ``Registration/unregisterAndWait()``.
///
/// A future that is released while it is pending releases its handlers without running them; ``Completer`` turns that
/// into a cancellation.
///
/// ## Where its methods are
///
/// A future adds completing to what all ``CancellableWork`` has: cancelling, observing, inspecting, waiting, linking.
///
/// The semantics are those of RXFuture (Objective-C, 2011), with removal, contexts and links added.
public final class Future: Sendable {
  /// How a future ended.
  public enum Outcome: Hashable, Sendable {
    /// The work is done.
    case completed
    /// The work was stopped.
    case cancelled
  }

  let site: CreationSite
  /// The outcome for those who only poll.
  ///
  /// Written inside the lock of `machine` and after the machine has decided; stored with release and loaded with
  /// acquire, so that a poller sees what the deciding thread did before (law L8).
  private let polledOutcome = Atomic(PolledOutcome.pending)
  /// Guards the machine, and nothing else.
  private let machine: Locked<FutureMachine>
  /// Nil until it is needed, for its label or as a queue; then the same for ever.
  private let privateQueue = LazyReference<PrivateQueue>()

  private enum PolledOutcome: UInt8, AtomicRepresentable {
    case pending, completed, cancelled, unresolvable
  }

  /// Makes a pending future.
  ///
  /// The private queue isn't made before it is needed; making a future costs one allocation if neither label, quality
  /// of service nor target is given.
  ///
  /// - Parameters:
  ///   - label: A name for descriptions, errors and the private queue; without one the future is called by the place
  ///     where it was made.
  ///   - qos: The quality of service of the private queue.
  ///   - target: The queue on which the private queue's blocks are run in the end. If it is serial, don't call a method
  ///     of this future that waits (`…AndWait`, `wait`, `try…`) from a block of that queue: Dispatch stops the program
  ///     there.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  public convenience init(
    label: String? = nil,
    qos: DispatchQoS = .unspecified,
    target: DispatchQueue? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(label: label, qos: qos, target: target, site: CreationSite(fileID, line))
  }

  init(
    label: String?,
    qos: DispatchQoS = .unspecified,
    target: DispatchQueue? = nil,
    site: CreationSite,
    isResolvable: Bool = true
  ) {
    machine = Locked(FutureMachine(isResolvable: isResolvable))
    self.site = site
    if !isResolvable { polledOutcome.store(.unresolvable, ordering: .releasing) }
    // One that everybody shares belongs to nobody's scope.
    let scheduler = isResolvable ? Scheduling.current : nil
    if label == nil, target == nil, qos == .unspecified, scheduler == nil, !Observation.isOn { return }
    equip(label: label, qos: qos, target: target, scheduler: scheduler)
  }

  /// What most futures don't need, out of the way of their making.
  @inline(never)
  private func equip(label: String?, qos: DispatchQoS, target: DispatchQueue?, scheduler: (any Scheduler)?) {
    let scheduled = scheduler.map { ScheduledQueue($0, label: label, site: site) }
    _ = privateQueue.fill(with: PrivateQueue(label: label, qos: qos, target: target, scheduled: scheduled))
    if Observation.isOn, !isUnresolvable { Observation.tell(self, .created) }
  }

  deinit {
    // A resolved future holds nothing any more (law L7).
    if isPending { tearDown() }
  }

  /// The label, if it was given one.
  var label: String? { privateQueue.object?.label }
}

// MARK: - What the rest of the module builds on

extension Future {
  /// Runs an event through the machine.
  ///
  /// What the event returns is carried out by the caller, after this has returned.
  func process<Result: ~Copyable>(_ event: (inout FutureMachine) -> sending Result) -> sending Result {
    machine.withLock { machine in
      let result = event(&machine)
      // Under the lock, so that the two never contradict each other for someone who holds it.
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

  /// Whether it can't be resolved; it keeps nothing then, and nothing about it needs a turn.
  ///
  /// Relaxed: it was so, or wasn't, before anybody else had the future.
  var isUnresolvable: Bool { polledOutcome.load(ordering: .relaxed) == .unresolvable }

  /// The resolution so far.
  var resolution: Resolution? {
    decidedOutcome == nil ? nil : machine.withLock { $0.resolution }
  }

  /// The private queue, if it was needed so far.
  var queueObject: PrivateQueue? { privateQueue.object }

  /// What keeps it open and who waits for its end, if there ever was anything of that.
  var openWork: OpenWork? { privateQueue.object?.openWork.object }

  /// The same, made if need be.
  func neededOpenWork(_ make: () -> OpenWork = { OpenWork() }) -> OpenWork {
    let queue = neededQueue
    return queue.openWork.object ?? queue.openWork.fill(with: make())
  }

  /// Whether the calling thread is inside a block of the private queue.
  var holdsTurn: Bool { privateQueue.object?.isHeldByCaller == true }

  /// Runs the block in its turn on the private queue.
  func enqueue(_ kind: ScheduledWork.Kind, _ block: @escaping @Sendable () -> Void) {
    neededQueue.async(kind, block)
  }

  /// Runs the block in its turn on the private queue and waits for it.
  ///
  /// The caller must not hold the turn.
  func enqueueAndWait(_ block: () -> Void) {
    WorkFrame.runDeferred()
    neededQueue.sync(block)
  }

  private var neededQueue: PrivateQueue {
    privateQueue.object ?? privateQueue.fill(with: PrivateQueue())
  }
}
