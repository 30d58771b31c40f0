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
    /// Tell the linked futures, if there are any, then ask `marked` for the handlers.
    case mark(Links?)
    /// Hand over these handlers at once, then report `delivered`.
    case deliver(HandlerChain)
    /// Nothing: it is decided, and nobody waits for it.
    case finish
    /// It came too late, but the futures linked to this one are still being told: whoever promises a whole tree tells
    /// them too.
    case join(Links)
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
    /// Others go on adding handlers: let another thread go on with them, which reports `delivered` first.
    case deliverElsewhere
    /// Wake those who wait for the handler without a node, then report again.
    case wakeNodeless
    /// What they waited for has come: wake these.
    case finish(HandlerChain)
    case wait
  }
}
