// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// One registered handler.
///
/// `claim` decides who owns `work`: the winner, and nobody else, reads and clears it. So a removed closure is released
/// at once, wherever its node still stands.
///
/// - `work` belongs to the creator until the node is published, then to the winner of `claim`.
/// - `delivery` belongs to the deliverer until the node is given to a queue, then to the block there.
///
/// These rules, and those of `ListEntry`, are what makes it `@unchecked Sendable`.
@safe
final class HandlerNode: ListEntry, @unchecked Sendable {
  // There may be a million of them, so the order is one that leaves no gaps.

  let context: HandlerPlace.Kind
  /// The future that has given it to a queue, and its resolution: here, so that the block there captures nothing but
  /// the node and has no context of its own.
  private var delivery: (future: Future, resolution: Resolution)?
  private let claim: Claim
  /// Nil once the winner of `claim` has taken it.
  private var work: HandlerWork?
  /// The outcome at which it runs; nil: both.
  let trigger: Future.Outcome?

  init(_ trigger: Future.Outcome?, _ context: HandlerPlace.Kind, role: Role = .user, _ work: consuming HandlerWork) {
    self.trigger = trigger
    self.context = context
    self.work = consume work
    claim = Claim()
    super.init(role)
  }

  /// The node of a task that is going to be suspended: see `park`.
  init(role: Role = .waiter) {
    trigger = nil
    context = .inline
    claim = Claim(isUnparked: true)
    super.init(role)
  }

  /// What the library itself does or waits with: it runs inline, at either outcome, and isn't counted as a handler.
  convenience init(
    role: Role = .library,
    _ waiter: @escaping @Sendable (Resolution, _ onPrivateQueue: Bool) -> Void
  ) {
    self.init(nil, .inline, role: role, .detailed(waiter))
  }

  func matches(_ outcome: Future.Outcome) -> Bool {
    trigger == nil || trigger == outcome
  }

  /// Whether it stands among the handlers only to wait for their end.
  var awaitsOthers: Bool { role == .awaitsHandlers || role == .awaitsDelivery }

  /// Whether it can be handed out with its neighbours in one block of the private queue.
  var runsOnPrivateQueue: Bool {
    if case .serialQueue = context { true } else { false }
  }

  /// What it is to somebody who watches.
  var kind: ScheduledWork.Kind {
    if role != .user { return .stage }
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
  /// Runs the handler on this thread, unless it was removed.
  ///
  /// `onPrivateQueue` says that this thread has the future's private queue: a task is then resumed from another one
  /// (law L6).
  func run(_ resolution: Resolution, onPrivateQueue: Bool) {
    guard claim.begin() else { return }
    // What it captured is released before `end`: whoever waited for that finds it released.
    takeWork()?.run(resolution, onPrivateQueue: onPrivateQueue)
    claim.end(self)
  }

  /// Something else is going to happen on this thread in the place of the handler; true if it may.
  ///
  /// To everybody else that is the handler's run: whoever waits for its end waits for `endInstead`, which has to follow.
  func beginInstead() -> Bool { claim.begin() }

  func endInstead() {
    _ = takeWork()
    claim.end(self)
  }

  /// Notes what it has to know on a queue.
  func prepare(for future: Future, _ resolution: Resolution) {
    delivery = (future, resolution)
  }

  /// On the queue: what was noted.
  func takeDelivery() -> (future: Future, resolution: Resolution)? {
    exchange(&delivery, with: nil)
  }

  /// Takes the handler back and releases it; true if this call kept it from ever running.
  @discardableResult
  func revoke() -> Bool {
    revokedWork() != nil
  }

  /// Takes the handler back like `revoke` and hands over what it would have done.
  func revokedWork() -> HandlerWork? {
    claim.remove() ? takeWork() : nil
  }

  /// Blocks until the handler, if it is running on another thread, has returned.
  func waitUntilReturned() { claim.waitUntilReturned(self) }

  /// Whether it is neither running, nor has run, nor was taken back.
  var isWaiting: Bool { claim.isWaiting }

  /// Whether it has run, or was taken back.
  var isOver: Bool { claim.isOver }

  private func takeWork() -> HandlerWork? {
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
    let isParked = claim.park()
    if !isParked { work = nil }
    return isParked
  }

  /// Goes on with the task before the outcome is there, if it is still suspended; true if it was, and by this call.
  ///
  /// A task that isn't suspended yet won't be.
  func unpark(with resolution: Resolution?) -> Bool {
    if claim.removeUnparked() { return false }
    switch revokedWork() {
    case .awaiting(let continuation)?:
      unsafe continuation.resume(returning: resolution)
      return true
    default:
      return false
    }
  }

  /// Whether it was taken back.
  var isRevoked: Bool { claim.isRemoved }
}
