// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// One registered handler.
///
/// - **H2** Only the winner of `claim` accesses `work`. Before the node is published, its creator does. So an
///   unregistered closure is released at once, even if its node is still in a list.
/// - **H4** An awaiting task is resumed once. The winner of `claim` does it; nobody does if the task was cancelled before
///   it was suspended.
/// - `delivery` belongs to the deliverer until the node is given to a queue, then to the block there.
///
/// These rules, and those of `ListEntry`, make it `@unchecked Sendable`.
@safe
class HandlerNode: ListEntry, @unchecked Sendable {
  // There may be a million of them, so the order leaves no gaps.

  final let context: HandlerPlace.Kind
  /// The future that has dispatched it to a queue, and its resolution: stored here, so that the block there captures
  /// only the node and needs no context of its own.
  private final var delivery: (future: Future, resolution: Resolution)?
  private final let claim: Claim
  /// The work; nil once the winner of `claim` has taken it (H2).
  private final var work: HandlerWork?
  /// The outcome at which it runs; nil for both.
  final let trigger: Future.Outcome?

  init(_ trigger: Future.Outcome?, _ context: HandlerPlace.Kind, role: Role = .user, _ work: consuming HandlerWork) {
    self.trigger = trigger
    self.context = context
    self.work = consume work
    claim = Claim()
    super.init(role)
  }

  /// Creates the node of a task that is going to be suspended: see `park`.
  init(role: Role = .waiter) {
    trigger = nil
    context = .inline
    claim = Claim(isUnparked: true)
    super.init(role)
  }

  /// Creates a node of the library itself: it runs inline, at either outcome, and isn't counted as a handler.
  convenience init(
    role: Role = .library,
    _ waiter: @escaping @Sendable (Resolution) -> Void
  ) {
    self.init(nil, .inline, role: role, .detailed(waiter))
  }

  // Not inlined: the compiler retains an object around an end that it inlines.
  @inline(never) deinit {}

  final func matches(_ outcome: Future.Outcome) -> Bool { trigger == nil || trigger == outcome }

  /// True if it is among the handlers only to wait for their end.
  final var awaitsOthers: Bool {
    role == .awaitsHandlers || role == .awaitsDelivery || role == .awaitsEnd || role == .drain
  }

  /// True if it can run with its neighbors in one block of the private queue.
  final var runsOnPrivateQueue: Bool {
    if case .serialQueue = context { true } else { false }
  }

  /// The kind of work for a scheduler.
  final var kind: ScheduledWork.Kind {
    if role != .user { return .stage }
    return switch trigger {
    case .completed: .onComplete
    case .cancelled: .onCancel
    case nil: .onCleanUp
    }
  }

  final var runsInline: Bool {
    if case .inline = context { true } else { false }
  }

  /// Stops its timer, if it is a node with one.
  func stop() {}

  /// Notes that another future or a scope depends on the outcome; for a node that watches (`HandlerList.watch`).
  func dependentAdded() {}
}

// MARK: - Running and removing

extension HandlerNode {
  /// Runs the handler on this thread, unless it was unregistered.
  func run(_ resolution: Resolution, _ hooks: Hooks = .now) {
    guard claim.begin() else { return }
    // Its captures are released before `end`: code that waited for that finds them released.
    takeWork()?.run(resolution, hooks)
    if role == .timer { stop() }
    claim.end(self)
  }

  /// Stores what it needs on a queue.
  func prepare(for future: Future, _ resolution: Resolution) {
    delivery = (future, resolution)
  }

  /// Returns, on the queue, what `prepare` stored.
  func takeDelivery() -> (future: Future, resolution: Resolution)? {
    exchange(&delivery, with: nil)
  }

  /// Unregisters the handler and releases it; true if this call kept it from ever running.
  @discardableResult
  func revoke() -> Bool {
    revokedWork() != nil
  }

  /// Unregisters the handler like `revoke` and returns its work.
  func revokedWork() -> HandlerWork? {
    claim.remove() ? takeWork() : nil
  }

  /// Blocks until the handler, if it is running on another thread, has returned.
  func waitUntilReturned() { claim.waitUntilReturned(self) }

  /// True if it is neither running, nor has run, nor was unregistered.
  var isWaiting: Bool { claim.isWaiting }

  private func takeWork() -> HandlerWork? { exchange(&work, with: nil) }
}

// MARK: - Awaiting

// The node of a task begins as `unparked`, so that the task's own cancellation can come at any time: before the task is
// suspended (`unpark` sets a mark, and `park` finds it), after that (`unpark` withdraws the continuation), or after the
// outcome (`run` has it). Only the thread that moves `claim` away from `waiting` resumes the task (H4).
extension HandlerNode {
  /// Stores the continuation of a suspended task; false if `unpark` was called earlier.
  func park(_ continuation: UnsafeContinuation<Resolution?, Never>) -> Bool {
    // Until `claim` is `waiting` no other thread accesses `work` (H2).
    work = unsafe .awaiting(continuation)
    let isParked = claim.park()
    if !isParked { work = nil }
    return isParked
  }

  /// Resumes the task before there is an outcome, if it is still suspended; true if this call did so.
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

  /// True if it was unregistered.
  var isRevoked: Bool { claim.isRemoved }
}

/// The work of a handler.
///
/// `@safe` in spite of the continuation: the owner of the claim takes the work, and runs it once.
@safe
enum HandlerWork: ~Copyable {
  case plain(@Sendable () -> Void)
  case detailed(@Sendable (Resolution) -> Void)
  /// Nothing at the outcome, as for a deadline.
  case timer
  /// Nothing at the outcome; the closure for a timer that completes the future.
  case completion(@Sendable (Future) -> Void)
  /// A task to resume.
  case awaiting(UnsafeContinuation<Resolution?, Never>)

  consuming func run(_ resolution: Resolution, _ hooks: Hooks) {
    switch consume self {
    case .plain(let handler):
      CurrentFuture.runOutside(hooks, handler)
    case .detailed(let handler):
      CurrentFuture.runOutside(hooks) { handler(resolution) }
    case .timer:
      break
    case .completion:
      break
    case .awaiting(let continuation):
      if Resumption.hasToWait {
        Resumption.later { unsafe continuation.resume(returning: resolution) }
      } else {
        unsafe continuation.resume(returning: resolution)
      }
    }
  }
}

extension Context {
  /// Wraps the work of a handler to run in the context of the running code.
  @inline(never)
  static func carried(_ work: consuming HandlerWork) -> HandlerWork {
    switch consume work {
    case .plain(let handler):
      return .plain(carried(handler))
    case .detailed(let handler):
      guard let scope = captured() else { return .detailed(handler) }
      return .detailed { resolution in run(in: scope) { handler(resolution) } }
    case .timer:
      return .timer
    case .completion(let complete):
      return .completion(complete)
    case .awaiting(let continuation):
      return unsafe .awaiting(continuation)
    }
  }
}
