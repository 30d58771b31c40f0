// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// One registered handler: the link of an intrusive list.
///
/// `claim` decides who owns `work`: the winner, and nobody else, reads and clears it. So a removed closure is released
/// at once, wherever its node still stands.
///
/// - `next`, `previous`, `isListed` belong to the future's lock as long as the node is in the future's list, and to the
///   one thread that delivers once it has been taken out with its chain (invariant M6 of `FutureMachine`).
/// - `work` belongs to the creator until the node is published, then to the winner of `claim`.
/// - `delivery` belongs to the deliverer until the node is given to a queue, then to the block there.
///
/// These rules are what makes it `@unchecked Sendable`.
@safe
final class HandlerNode: IntrusiveNode, @unchecked Sendable {
  enum Role {
    /// A handler that a user registered.
    case user
    /// What the library itself does at the outcome: a stage, for example.
    case library
    /// A timer, which stands in the list as long as it may still cancel the future (`WaitGraph`).
    case timer
    /// Wakes a thread or task that waits for the outcome; it comes before all others, and runs no user code.
    case waiter
    /// Waits until all handlers have returned.
    case awaitsHandlers
    /// Waits until all handlers have been handed over, the inline ones have returned.
    case awaitsDelivery
  }

  // There may be a million of them, so the order is one that leaves no gaps.

  let context: HandlerContext
  var next: HandlerNode?
  var previous: Unmanaged<HandlerNode>?
  /// The future that has given it to a queue, and its resolution: here, so that the block there captures nothing but
  /// the node and has no context of its own.
  private var delivery: (future: Future, resolution: Resolution)?
  private let claim: Claim
  /// Nil once the winner of `claim` has taken it.
  private var work: HandlerWork?
  /// The outcome at which it runs; nil: both.
  let trigger: Future.Outcome?
  let role: Role
  var isListed = false

  init(_ trigger: Future.Outcome?, _ context: HandlerContext, role: Role = .user, _ work: consuming HandlerWork) {
    self.trigger = trigger
    self.context = context
    self.role = role
    self.work = consume work
    claim = Claim()
  }

  /// The node of a task that is going to be suspended: see `park`.
  init(role: Role = .waiter) {
    trigger = nil
    context = .inline
    self.role = role
    claim = Claim(isUnparked: true)
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
  var kind: ConductedWork.Kind {
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
  /// Runs the handler on this thread, unless it was removed; returns the decision that it asks for.
  ///
  /// `onPrivateQueue` says that this thread has the future's private queue: a task is then resumed from another one
  /// (law L6).
  func run(_ resolution: Resolution, onPrivateQueue: Bool) -> Errand? {
    guard claim.begin() else { return nil }
    // What it captured is released before `end`: whoever waited for that finds it released.
    let errand = takeWork()?.run(resolution, onPrivateQueue: onPrivateQueue)
    claim.end(self)
    return errand
  }

  /// Runs another closure on this thread in the place of the handler, unless that was removed or is run by somebody.
  ///
  /// To everybody else this is the handler's run: whoever waits for its end waits for the closure's.
  func run(instead body: () -> Void) {
    guard claim.begin() else { return }
    _ = takeWork()
    body()
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

  /// Whether it decides another future; for the thread that releases the future, which nobody else can reach any more.
  var isStage: Bool {
    switch work {
    case .stage?: true
    default: false
    }
  }

  /// Takes the stage out, if it is one; for the thread that releases the future, which nobody else can reach any more.
  func takeStage() -> Stage? {
    guard isStage, case .stage(let stage)? = revokedWork() else { return nil }
    return stage
  }

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
