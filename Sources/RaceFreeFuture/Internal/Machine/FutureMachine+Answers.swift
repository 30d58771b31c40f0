// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What the machine answers to an event: the actions that are carried out outside of the lock, most of them in
// `Delivery.swift`.

extension FutureMachine {
  /// What to do about a decision.
  enum Decision: ~Copyable {
    /// Nothing: it came too late, or the future can't be resolved.
    case ignore
    /// Enqueue it on the private queue; it has been counted.
    case joinLine
    /// Nothing yet: the running block has decided, and its end brings the rest.
    case hold
    /// It is decided.
    case release(Release)
  }

  /// What to do when the future has been decided, and no block of its own stands in the way any more.
  enum Release: ~Copyable {
    /// Tell the neighbours, wake those who wait, if there are any, then ask `marked` for the rest.
    case mark(hasWaiters: Bool)
    /// Hand over at once, then report `delivered`.
    case deliver(Remains)
    /// Nobody waits for it: only cut the links to its sources.
    case finish(SourceList)
  }

  /// What a resolved future leaves to whoever delivers it.
  struct Remains: ~Copyable {
    var handlers: HandlerChain
    /// The links by which it depended on others: to be cut.
    var sources: SourceList
    /// Its deadlines, which are over: to be released outside of the lock.
    var deadlines: [DeadlineTimer] = []
  }

  /// What to do when a future to which this one is linked has been resolved.
  enum Following {
    /// Nothing: it means nothing to this one, or came too late.
    case ignore
    /// Enqueue this decision on the private queue; it has been counted.
    case joinLine(Resolution)
    /// This is how it is resolved, and that is all: nobody waits for it.
    case finish(Resolution)
    /// This is how it is resolved: tell the neighbours, wake those who wait, if there are any, then ask `marked` for the
    /// rest.
    case mark(Resolution, hasNeighbours: Bool, hasWaiters: Bool)
    /// It came too late for this one, which is resolved like this; but its neighbours are still being told: whoever
    /// promises a whole tree tells them too.
    case join(Resolution)
  }

  /// What to do when the timer of a deadline has fired.
  enum DeadlineComing: ~Copyable {
    /// Nothing: it was taken back, or comes too late, or somebody is setting the timer.
    case ignore
    /// The deadline was moved: set the timer anew.
    case setAnew
    /// It has been decided so, or joins the line: do about that what is said. It is the run of the timer's handler, and
    /// the calling thread has to end that first.
    case decided(Decision, Resolution)
  }

  /// What to do about a new handler or link.
  enum Addition {
    case keep
    /// Run or dispatch it now, a link: tell the other end; what user code may run in has been counted as handed over.
    case dispatch(Resolution)
    case drop
  }

  /// What to do when handlers have been handed over or have returned.
  enum Progress: ~Copyable {
    /// Others have been added meanwhile: take them (`takeLate`) and dispatch them in one turn of the lock, then report again.
    case deliverLate
    /// Wake those who wait for the handler without a node, then report again.
    case wakeSlot
    /// What they waited for has come: wake these.
    case finish(HandlerChain)
    case wait
  }
}
