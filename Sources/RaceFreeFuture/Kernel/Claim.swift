// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// The ownership of a handler, which decides between "run" and "removed".
///
/// - **H1** A claim leaves `waiting` once. The thread that unregisters the handler changes it to `removed`, or the one
///   that runs it to "running on thread t". Only the winner has the handler (H2, in `HandlerNode`); so of "removed" and
///   "ran" exactly one holds. (L2)
/// - **H3** A thread that waits for a running handler is woken. It is in the table before it sets `awaitedBit`, and the
///   end of the run looks for the bit first and at the table afterwards.
///
/// A change of owner acquires and releases: the loser sees everything done before the winner's call. The end of a run
/// releases, and a wait for it acquires: the effects of a handler are visible to code that waited for its end.
struct Claim: ~Copyable, Sendable {
  private let value: Atomic<UInt>

  /// Any other value is the identity of the thread that runs the handler, with `awaitedBit` if a thread waits for its
  /// end.
  private enum Value {
    static let waiting: UInt = 0
    static let removed: UInt = 1
    static let finished: UInt = 3
    /// A task that has not been suspended yet: there is no work.
    static let unparked: UInt = 5
    static let awaitedBit: UInt = 1
  }

  /// Creates the claim of a handler, or of a task that is going to be suspended.
  init(isUnparked: Bool = false) {
    value = Atomic(isUnparked ? Value.unparked : Value.waiting)
  }

  /// Claims the handler for this thread, to run it; true if it may (H1).
  func begin() -> Bool { move(from: Value.waiting, to: ThreadIdentity.current.rawValue) }

  /// Ends the run on this thread: the handler has returned, and its captures were released.
  ///
  /// - Parameter object: The object that the claim belongs to.
  func end(_ object: AnyObject) {
    // The bit needn't be acquired: the lock of the table orders the waiter that set it and this thread.
    let previous = value.exchange(Value.finished, ordering: .releasing)
    if previous & Value.awaitedBit != 0 { HandlerWaits.wake(ObjectIdentifier(object)) }
  }

  /// Removes the handler; true if it hadn't started (H1).
  func remove() -> Bool { move(from: Value.waiting, to: Value.removed) }

  // Relaxed, because nothing is read behind these two. If a removal is over, so is a turn of the future's lock in which
  // its thread cleaned up; callers who have to find it removed have had the lock since.

  /// True if the handler has neither started nor been unregistered.
  var isWaiting: Bool { value.load(ordering: .relaxed) == Value.waiting }

  var isRemoved: Bool { value.load(ordering: .relaxed) == Value.removed }

  /// Notes that the task has been suspended, and its continuation stored.
  func park() -> Bool { move(from: Value.unparked, to: Value.waiting) }

  /// Notes that the task won't be suspended; true if it hadn't been.
  func removeUnparked() -> Bool { move(from: Value.unparked, to: Value.removed) }

  /// Blocks until the handler, if it is running on another thread, has returned.
  func waitUntilReturned(_ object: AnyObject) {
    let thread = ThreadIdentity.current.rawValue
    HandlerWaits.wait(for: ObjectIdentifier(object)) {
      // This waiter is already in the table, so the runner, which reads the bit first, finds it there (H3).
      var current = value.load(ordering: .acquiring)
      while ![Value.waiting, Value.removed, Value.finished].contains(current), current & ~Value.awaitedBit != thread {
        let (exchanged, original) = value.compareExchange(
          expected: current,
          desired: current | Value.awaitedBit,
          ordering: .acquiring
        )
        if exchanged { return true }
        current = original
      }
      return false
    }
  }

  private func move(from old: UInt, to new: UInt) -> Bool {
    value.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

/// The threads that wait for a running handler to return: a separate table, because almost no handler is ever awaited.
enum HandlerWaits {
  /// Guards the semaphores of the threads that wait; they are signalled, and waited for, outside.
  private static let waiting = Locked<[ObjectIdentifier: [DispatchSemaphore]]>([:])

  /// Blocks until `wake` is called, unless the handler isn't running.
  ///
  /// First the waiter adds itself, then it sets the mark at the handler: so code that finds the mark finds the waiter (H3).
  static func wait(for id: ObjectIdentifier, ifRunning markAwaited: () -> Bool) {
    Trampoline.runBeforeBlocking()
    let semaphore = DispatchSemaphore(value: 0)
    waiting.withLock { $0[id, default: []].append(semaphore) }
    if markAwaited() { return semaphore.wait() }
    // Unless it was also woken on behalf of another waiter.
    waiting.withLock { table in
      table[id]?.removeAll { $0 === semaphore }
      if table[id]?.isEmpty == true { table[id] = nil }
    }
  }

  static func wake(_ id: ObjectIdentifier) {
    let semaphores = waiting.withLock { $0.removeValue(forKey: id) } ?? []
    for semaphore in semaphores { semaphore.signal() }
  }
}
