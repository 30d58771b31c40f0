// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// A future's private serial queue: made when first needed, and the only queue that this package makes.
///
/// It also notes which thread has it, so that a call which comes back to the queue from inside one of its blocks is
/// noticed.
struct PrivateQueue: ~Copyable, Sendable {
  /// How to make it.
  ///
  /// Nil stands for no label, no quality of service, no target and no conductor. A class, so that a future without one
  /// pays a single word.
  final class Configuration: Sendable {
    let label: String?
    let qos: DispatchQoS
    let target: DispatchQueue?
    /// What stands in for the queue, if the future was made in the scope of a conductor.
    private let conducted: ConductedQueue?

    init(label: String?, qos: DispatchQoS, target: DispatchQueue?, conducted: ConductedQueue?) {
      self.label = label
      self.qos = qos
      self.target = target
      self.conducted = conducted
    }

    /// What stands in for the queue as long as there is a conductor.
    var conductedQueue: ConductedQueue? {
      conducted.flatMap { $0.conductor.isConducting ? $0 : nil }
    }
  }

  private let queue = Locked<DispatchQueue?>(nil)
  /// The thread that runs a block of the queue; 0: none.
  ///
  /// Relaxed is enough: a thread only ever asks whether the value is its own identity, and that was written, and will
  /// be erased, by itself.
  private let owner = Atomic<UInt>(0)

  /// Whether the calling thread is inside a block of this queue.
  var isHeldByCaller: Bool {
    let owner = owner.load(ordering: .relaxed)
    return owner != 0 && owner == ThreadIdentity.current.rawValue
  }

  /// Runs the block after all that were enqueued before it; the caller goes on at once.
  ///
  /// `kind` says what it is to somebody who watches.
  func async(_ configuration: Configuration?, _ kind: ConductedWork.Kind, _ block: @escaping @Sendable () -> Void) {
    if let queue = configuration?.conductedQueue {
      let work = ConductedWork(place: .privateQueue, kind: kind, future: queue, run: block)
      return queue.conductor.enqueue(work)
    }
    dispatchQueue(configuration).async(execute: block)
  }

  /// Runs the block after all that were enqueued before it, and waits for it.
  ///
  /// The caller must not hold the queue.
  func sync<Result>(_ configuration: Configuration?, _ block: () -> Result) -> Result {
    if let queue = configuration?.conductedQueue {
      // All of it is on this thread, so the line can't move while somebody waits for it.
      queue.conductor.runLine(of: queue)
      return block()
    }
    return dispatchQueue(configuration).sync(execute: block)
  }

  /// Notes for the duration of a block of this queue that the calling thread has it.
  func whileHeld<Result>(_ body: () -> Result) -> Result {
    owner.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
    defer { owner.store(0, ordering: .relaxed) }
    return body()
  }

  private func dispatchQueue(_ configuration: Configuration?) -> DispatchQueue {
    queue.withLock { queue in
      if let queue { return queue }
      let new = DispatchQueue(
        label: configuration?.label.map { "RaceFreeFuture: \($0)" } ?? "RaceFreeFuture",
        qos: configuration?.qos ?? .unspecified,
        target: configuration?.target
      )
      queue = new
      return new
    }
  }
}
