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
    /// Tell the linked futures, then ask `marked` for the handlers.
    case mark(Links)
    /// Hand over these handlers at once, then report `delivered`.
    case deliver(HandlerChain)
    /// Nothing: nobody waits for it.
    case finish
  }

  /// What to do when a future to which this one is linked has been resolved.
  enum Following {
    /// Nothing: it means nothing to this one, or came too late.
    case ignore
    /// Enqueue this decision on the private queue; it has been counted.
    case joinLine(Resolution)
    /// This is how it is resolved: tell the linked futures, if there are any, wake those who wait, if there are any, then
    /// ask `marked` for the handlers.
    case mark(Links?, Resolution, hasWaiters: Bool)
    /// It came too late for this one, which is resolved like this; but the futures linked to it are still being told:
    /// whoever promises a whole tree tells them too.
    case join(Links, Resolution)
  }

  /// What to do about a new handler.
  enum Addition {
    case keep
    /// Run or dispatch it now; it has been counted as handed over.
    case dispatch(Resolution)
    case drop
  }

  /// What to do when handlers have been handed over or have returned.
  enum Progress: ~Copyable {
    /// Hand over these, which were added meanwhile.
    case deliver(HandlerChain)
    /// Others go on adding handlers: dispatch these before the lock is left, and report `delivered` in the same turn of it.
    ///
    /// All of them are for queues, and of the outcome: none is run or released by that.
    case deliverLocked(HandlerChain)
    /// Wake those who wait for the handler without a node, then report again.
    case wakeNodeless
    /// What they waited for has come: wake these.
    case finish(HandlerChain)
    case wait
  }
}
