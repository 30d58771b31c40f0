// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The machine's answers to events: the actions that are carried out outside of the lock, most of them in
// `Deciding.swift` and `Delivery.swift`.

extension FutureMachine {
  /// The action for a decision.
  enum Decision: ~Copyable {
    /// None: it came too late, or the future can't be resolved.
    case ignore
    /// Enqueue it on the private queue; it has been counted.
    case enqueue
    /// None yet: the running block has decided, and its end brings the rest.
    case hold
    /// The future is decided.
    case release(Release)
  }

  /// The action when the future has been decided, and none of its blocks is in the way any more.
  enum Release: ~Copyable {
    /// Notify the neighbours, wake the waiters, if there are any, then ask `marked` for the rest.
    case mark(hasWaiters: Bool)
    /// Dispatch at once, then report `delivered`.
    case deliver(Remains)
    /// Nothing waits for it: only cut the links to its sources.
    case finish(SourceList)
  }

  /// The remains of a resolved future, for the thread that delivers it.
  struct Remains: ~Copyable {
    var handlers: HandlerChain
    /// The links by which it depended on others: to be cut.
    var sources: SourceList
  }

  /// The action when a future to which this one is linked has been resolved.
  enum Following {
    /// None: the outcome doesn't affect this future, or came too late.
    case ignore
    /// Enqueue this decision on the private queue; it has been counted.
    case enqueue(Resolution)
    /// It is resolved so, and that is all: nothing waits for it.
    case finish(Resolution)
    /// It is resolved so: notify the neighbours, wake the waiters, if there are any, then ask `marked` for the rest.
    case mark(Resolution, hasNeighbours: Bool, hasWaiters: Bool)
    /// It came too late for this one, which is resolved so; but its neighbours are still being notified: a walk that
    /// promises a whole tree notifies them too.
    case join(Resolution)
  }

  /// The action when the timer of a deadline has fired.
  enum DeadlineComing: ~Copyable {
    /// None: it was unregistered, or comes too late, or another thread is setting the timer.
    case ignore
    /// The deadline was moved: set the timer again.
    case setAnew
    /// It is decided so because of this deadline, or the decision is queued: stop the deadline's timer, and carry that
    /// out.
    case decided(Decision, Resolution, DeadlineTimer)
  }

  /// The action for a new handler or link.
  enum Addition {
    case keep
    /// Run or dispatch it now, or for a link notify the other end; entries in which user code may run have been counted
    /// as dispatched.
    case dispatch(Resolution)
    case drop
  }

  /// The action when handlers have been dispatched or have returned.
  enum Progress: ~Copyable {
    /// Others have been added meanwhile: take them (`takeLate`) and dispatch them within one turn of the lock, then
    /// report again.
    case deliverLate
    /// Wake the threads that wait for the handler without a node, then report again.
    case wakeSlot
    /// All handlers have returned: wake these waiters.
    case finish(HandlerChain)
    case wait
  }
}
