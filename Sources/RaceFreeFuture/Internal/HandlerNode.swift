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
  enum Work {
    case plain(@Sendable () -> Void)
    /// Gets the resolution, and whether the thread that runs it has the future's private queue.
    case detailed(@Sendable (Resolution, _ onPrivateQueue: Bool) -> Void)
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
  private let claim = Atomic<UInt>(Claim.waiting)

  /// The values of `claim`.
  ///
  /// Any other is the identity of the thread that runs the handler, with `awaitedBit` if somebody waits for its end.
  private enum Claim {
    static let waiting: UInt = 0
    static let removed: UInt = 1
    static let finished: UInt = 3
    static let awaitedBit: UInt = 1
  }

  init(_ trigger: Future.Outcome?, _ context: HandlerContext, isUserHandler: Bool = true, _ work: Work) {
    self.trigger = trigger
    self.context = context
    self.isUserHandler = isUserHandler
    self.work = work
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

  var runsInline: Bool {
    if case .inline = context { true } else { false }
  }
}

// MARK: - Running and removing

extension HandlerNode {
  /// Runs the handler on this thread, unless it was removed.
  ///
  /// `onPrivateQueue` says that this thread has the future's private queue: a task is then resumed from another one
  /// (law L6).
  func run(_ resolution: Resolution, onPrivateQueue: Bool) {
    let thread = ThreadIdentity.current.rawValue
    guard claim.compareExchange(expected: Claim.waiting, desired: thread, ordering: .acquiringAndReleasing).exchanged
    else { return }
    do {
      // The scope ends before `finished` is published: whoever waited for that finds the closure released as well.
      switch takeWork() {
      case .plain(let handler): handler()
      case .detailed(let handler): handler(resolution, onPrivateQueue)
      case nil: break
      }
    }
    // Releasing: what the handler did is visible to whoever waited for its end.
    let previous = claim.exchange(Claim.finished, ordering: .acquiringAndReleasing)
    if previous != thread { HandlerWaits.wake(self) }
  }

  /// Takes the handler back and releases it; true if this call kept it from ever running.
  @discardableResult
  func revoke() -> Bool {
    guard
      claim.compareExchange(expected: Claim.waiting, desired: Claim.removed, ordering: .acquiringAndReleasing).exchanged
    else { return false }
    _ = takeWork()
    return true
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
