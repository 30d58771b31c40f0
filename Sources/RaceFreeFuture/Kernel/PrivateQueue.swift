// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CRaceFreeFuture
internal import Dispatch
internal import Synchronization

/// A future's private serial queue: the Dispatch queue is created when first needed. (The only others that this module
/// creates are those on which timers fire.)
///
/// It also records the thread that has it, to detect calls from inside its own blocks. A future without a label and the
/// like has none before the first use: only a single word.
final class PrivateQueue: Sendable {
  let label: String?
  private let target: DispatchQueue?
  /// The replacement of the queue, if the future was created in the scope of a scheduler.
  private let scheduled: ScheduledQueue?
  /// The queue; if two threads create it at the same time, one queue is used, and the other is released unused.
  private let queue = LazyReference<DispatchQueue>()
  /// The work that keeps the future open: here, because a future with such work can afford this object, and most have
  /// neither.
  let openWork = LazyReference<OpenWork>()
  /// The thread that runs a block of the queue; 0 for none.
  ///
  /// Relaxed is enough: a thread only compares the value with its own identity, which only the thread itself writes and
  /// erases.
  private let owner = Atomic<UInt>(0)

  init(label: String? = nil, target: DispatchQueue? = nil, scheduled: ScheduledQueue? = nil) {
    self.label = label
    self.target = target
    self.scheduled = scheduled
  }

  /// The replacement of the queue as long as there is a scheduler.
  var scheduledQueue: ScheduledQueue? {
    scheduled.flatMap { $0.scheduler.isScheduling ? $0 : nil }
  }

  /// True if the calling thread is inside a block of this queue.
  var isHeldByCaller: Bool {
    let owner = owner.load(ordering: .relaxed)
    return owner != 0 && owner == ThreadIdentity.current.rawValue
  }

  /// Runs the block after all that were enqueued before it; the caller continues at once.
  ///
  /// `kind` describes it for a scheduler.
  func async(_ kind: ScheduledWork.Kind, _ block: @escaping @Sendable () -> Void) {
    let turn = QueuedTurn(of: self, block)
    if let queue = scheduledQueue {
      queue.scheduler.enqueue(ScheduledWork(place: .privateQueue, kind: kind, future: queue) { turn.run() })
    } else {
      // It captures a single object, so the closure needs no context of its own.
      dispatchQueue.async { turn.run() }
    }
  }

  /// Runs the block after all that were enqueued before it, and waits for it.
  ///
  /// The caller must not hold the queue.
  func sync(_ block: () -> Void) {
    if let queue = scheduledQueue {
      // All of it is on this thread, so the queue can't advance during a wait.
      queue.scheduler.runLine(of: queue)
      return whileHeld(block)
    }
    dispatchQueue.sync { whileHeld(block) }
  }

  /// Records the calling thread as the owner during a block of this queue, and counts the queue among those that the
  /// thread holds (`Resumption`).
  fileprivate func whileHeld(_ body: () -> Void) {
    owner.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
    rff_addHeldQueues(1)
    body()
    rff_addHeldQueues(-1)
    owner.store(0, ordering: .relaxed)
  }

  private var dispatchQueue: DispatchQueue {
    if let queue = queue.object { return queue }
    let label = label.map { "RaceFreeFuture: \($0)" } ?? "RaceFreeFuture"
    return queue.fill(with: DispatchQueue(label: label, target: target))
  }
}

/// A block on its way to the private queue.
///
/// The turn ends when everything that ran in it is released: the block, with all its captures, is released before the
/// owner mark is erased. If Dispatch released it, after the block has returned, a deinit that calls back would be on
/// the queue's thread without the owner mark (law L6).
///
/// `@unchecked Sendable`: `block` is written before the object is given to the queue, and taken by the one thread that
/// runs it there.
private final class QueuedTurn: @unchecked Sendable {
  private let queue: PrivateQueue
  private var block: (@Sendable () -> Void)?

  init(of queue: PrivateQueue, _ block: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.block = block
  }

  func run() {
    queue.whileHeld { block.take()?() }
  }
}
