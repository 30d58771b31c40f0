// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

/// Where a handler runs.
///
/// Handlers are dispatched in the order in which they were registered, whatever their contexts; handlers with the same
/// context also run in that order (with a concurrent queue: start in that order).
public enum HandlerContext: Sendable {
  /// On the future's private serial queue, together with its `perform` blocks and never at the same time as one of
  /// them.
  case serialQueue
  /// At its place in the order, on the thread that resolves the future, before that call returns; added after the
  /// outcome, on the thread that adds it, before the registering call returns.
  ///
  /// A decision that stands in line, or is made by a `perform` block, runs it on the private queue, after the block.
  ///
  /// No lock is held, so every call is allowed in it; but it should be short, because the handlers after it wait for
  /// it. If it may run inside of a task's cancellation handler it must not wait for anything.
  case inline
  /// On the given queue.
  case queue(DispatchQueue)

  /// On the main queue.
  public static var main: HandlerContext { .queue(.main) }
}
