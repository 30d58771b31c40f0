// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// One registered handler: the link of an intrusive list, and the one place where "run" and "removed" meet.
///
/// `claim` decides who owns `work`. It leaves `waiting` exactly once: to `removed` by whoever takes the handler back,
/// or to "running on thread t" by whoever runs it. The winner, and nobody else, reads and clears `work`; so of
/// "removed" and "ran" exactly one holds, and a removed closure is released at once, wherever its node still stands.
///
/// - `next`, `previous`, `isListed` belong to the future's lock as long as the node is in the future's list, and to the
///   one thread that delivers once it has been taken out with its chain (invariant M6 of `FutureMachine`).
/// - `work` belongs to the creator until the node is published, then to the winner of `claim`.
///
/// These two rules are what makes it `@unchecked Sendable`.
@safe
final class HandlerNode: IntrusiveNode, @unchecked Sendable {
  /// What it does.
  ///
  /// Safe in spite of the continuation: who has taken it out of `work` uses it once.
  @safe
  enum Work {
    case plain(@Sendable () -> Void)
    /// Gets the resolution, and whether the thread that runs it has the future's private queue.
    case detailed(@Sendable (Resolution, _ onPrivateQueue: Bool) -> Void)
    /// Decides another future.
    case stage(Stage)
    /// Goes on with a task.
    case awaiting(UnsafeContinuation<Resolution?, Never>)
  }

  /// The outcome at which it runs; nil: both.
  let trigger: Future.Outcome?
  let context: HandlerContext
  /// Whether a user registered it, as opposed to a waiter or a timer.
  let isUserHandler: Bool
  var isListed = false
  var next: HandlerNode?
  var previous: Unmanaged<HandlerNode>?
  /// Nil once the winner of `claim` has taken it.
  private var work: Work?
  private let claim: Atomic<UInt>

  /// The values of `claim`.
  ///
  /// Any other is the identity of the thread that runs the handler, with `awaitedBit` if somebody waits for its end.
  private enum Claim {
    static let waiting: UInt = 0
    static let removed: UInt = 1
    static let finished: UInt = 3
    /// A task that has not been suspended yet: there is no `work`.
    static let unparked: UInt = 5
    static let awaitedBit: UInt = 1
  }

  init(_ trigger: Future.Outcome?, _ context: HandlerContext, isUserHandler: Bool = true, _ work: Work) {
    self.trigger = trigger
    self.context = context
    self.isUserHandler = isUserHandler
    self.work = work
    claim = Atomic(Claim.waiting)
  }

  /// The node of a task that is going to be suspended: see `park`.
  init() {
    trigger = nil
    context = .inline
    isUserHandler = false
    claim = Atomic(Claim.unparked)
  }

  /// What the library itself waits with: it runs inline, at either outcome, and isn't counted as a handler.
  convenience init(_ waiter: @escaping @Sendable (Resolution, _ onPrivateQueue: Bool) -> Void) {
    self.init(nil, .inline, isUserHandler: false, .detailed(waiter))
  }

  func matches(_ outcome: Future.Outcome) -> Bool {
    trigger == nil || trigger == outcome
  }

  /// Whether it can be handed out with its neighbours in one block of the private queue.
  var runsOnPrivateQueue: Bool {
    if case .serialQueue = context { true } else { false }
  }

  /// What it is to somebody who watches.
  var kind: ConductedWork.Kind {
    if !isUserHandler { return .stage }
    return switch trigger {
    case .completed: .onComplete
    case .cancelled: .onCancel
    case nil: .onCleanUp
    }
  }

  var runsInline: Bool {
    if case .inline = context { true } else { false }
  }
}

// MARK: - Running and removing

extension HandlerNode {
  /// Runs the handler on this thread, unless it was removed; returns the decision that it asks for.
  ///
  /// `onPrivateQueue` says that this thread has the future's private queue: a task is then resumed from another one
  /// (law L6).
  func run(_ resolution: Resolution, onPrivateQueue: Bool) -> Errand? {
    let thread = ThreadIdentity.current.rawValue
    guard claim.compareExchange(expected: Claim.waiting, desired: thread, ordering: .acquiringAndReleasing).exchanged
    else { return nil }
    var errand: Errand?
    do {
      // The scope ends before `finished` is published: whoever waited for that finds the closure released as well.
      switch takeWork() {
      case .plain(let handler): handler()
      case .detailed(let handler): handler(resolution, onPrivateQueue)
      case .stage(let stage): errand = stage.run(resolution)
      case .awaiting(let continuation): unsafe resume(continuation, with: resolution, hop: onPrivateQueue)
      case nil: break
      }
    }
    // Releasing: what the handler did is visible to whoever waited for its end.
    let previous = claim.exchange(Claim.finished, ordering: .acquiringAndReleasing)
    if previous != thread { HandlerWaits.wake(self) }
    return errand
  }

  /// Takes the handler back and releases it; true if this call kept it from ever running.
  @discardableResult
  func revoke() -> Bool {
    revokedWork() != nil
  }

  /// Takes the handler back like `revoke` and hands over what it would have done.
  func revokedWork() -> Work? {
    guard
      claim.compareExchange(expected: Claim.waiting, desired: Claim.removed, ordering: .acquiringAndReleasing).exchanged
    else { return nil }
    return takeWork()
  }

  /// Blocks until the handler, if it is running on another thread, has returned.
  func waitUntilReturned() {
    let thread = ThreadIdentity.current.rawValue
    HandlerWaits.wait(for: self) {
      // Called with the table locked, so that the runner, which reads the bit first, finds this waiter in the table.
      var value = claim.load(ordering: .acquiring)
      while value != Claim.waiting, value != Claim.removed, value != Claim.finished, value & ~Claim.awaitedBit != thread
      {
        let (exchanged, original) = claim.compareExchange(
          expected: value,
          desired: value | Claim.awaitedBit,
          ordering: .acquiringAndReleasing
        )
        if exchanged { return true }
        value = original
      }
      return false
    }
  }

  private func takeWork() -> Work? {
    exchange(&work, with: nil)
  }
}

// MARK: - Awaiting

// The node of a task begins as `unparked`, so that the task's own cancellation can come at any time: before the task
// is suspended (`unpark` leaves word, and `park` finds it), after that (`unpark` takes the continuation back), or after
// the outcome (`run` has it). Whoever moves `claim` away from `waiting` resumes the task; nobody else does.
extension HandlerNode {
  /// Takes charge of a suspended task; false if `unpark` was called before.
  func park(_ continuation: UnsafeContinuation<Resolution?, Never>) -> Bool {
    // Until `claim` says `waiting` nobody else touches `work`.
    work = unsafe .awaiting(continuation)
    let isParked = claim.compareExchange(
      expected: Claim.unparked,
      desired: Claim.waiting,
      ordering: .acquiringAndReleasing
    ).exchanged
    if !isParked { work = nil }
    return isParked
  }

  /// Goes on with the task before the outcome is there, if it is still suspended; true if it was, and by this call.
  ///
  /// A task that isn't suspended yet won't be.
  func unpark(with resolution: Resolution?) -> Bool {
    let isEarly = claim.compareExchange(
      expected: Claim.unparked,
      desired: Claim.removed,
      ordering: .acquiringAndReleasing
    ).exchanged
    if isEarly { return false }
    guard case .awaiting(let continuation) = revokedWork() else { return false }
    unsafe resume(continuation, with: resolution, hop: false)
    return true
  }

  /// Whether it was taken back.
  var isRevoked: Bool { claim.load(ordering: .acquiring) == Claim.removed }

  /// Resumes a task.
  ///
  /// A continuation is resumed exactly once because it is taken out of `work`, by the winner of `claim`.
  private func resume(
    _ continuation: UnsafeContinuation<Resolution?, Never>,
    with resolution: Resolution?,
    hop: Bool
  ) {
    if hop {
      Hop.perform { unsafe continuation.resume(returning: resolution) }
    } else {
      unsafe continuation.resume(returning: resolution)
    }
  }
}

/// The threads that wait for a running handler to return: a table of its own, because almost no handler ever is
/// awaited.
private enum HandlerWaits {
  /// Guards the table.
  ///
  /// Its lock orders "I wait" (the bit is set inside) before "wake those who wait".
  private static let waiting = Locked<[ObjectIdentifier: [DispatchSemaphore]]>([:])

  static func wait(for node: HandlerNode, ifRunning markAwaited: () -> Bool) {
    let semaphore = DispatchSemaphore(value: 0)
    let id = ObjectIdentifier(node)
    let mustWait = waiting.withLock { table in
      guard markAwaited() else { return false }
      table[id, default: []].append(semaphore)
      return true
    }
    if mustWait { semaphore.wait() }
  }

  static func wake(_ node: HandlerNode) {
    let semaphores = waiting.withLock { $0.removeValue(forKey: ObjectIdentifier(node)) } ?? []
    for semaphore in semaphores { semaphore.signal() }
  }
}
