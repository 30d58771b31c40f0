// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

/// The context in which a handler runs: `.serialQueue`, `.inline`, `.main`, `.global()`, or a dispatch queue.
///
/// ```swift
/// future.onComplete { save() }              // on the future's own queue
/// future.onComplete(on: .main) { show() }   // on the main queue
/// future.onComplete(on: disk) { write() }   // on a `DispatchQueue`
/// ```
///
/// Handlers are dispatched in the order in which they were registered, whatever their contexts; handlers with the same
/// context also run in that order (on a concurrent queue they start in that order).
///
/// A type of your own that stands for a queue conforms by returning its place:
/// `var handlerPlace: HandlerPlace { queue.handlerPlace }`.
public protocol HandlerContext {
  /// The place that the context stands for; read once for each handler.
  var handlerPlace: HandlerPlace { get }
}

/// A place of any kind where handlers run, for storing in a variable.
public struct HandlerPlace: HandlerContext, Sendable {
  @usableFromInline
  package enum Kind: Sendable {
    case serialQueue
    case inline
    case queue(DispatchQueue)
  }

  @usableFromInline package let kind: Kind

  @usableFromInline
  init(_ kind: Kind) {
    self.kind = kind
  }

  /// The place itself.
  @inlinable
  public var handlerPlace: HandlerPlace { self }
}

extension HandlerContext where Self == HandlerPlace {
  /// The future's private serial queue, together with its `perform` blocks and never at the same time as one of them.
  @inlinable
  public static var serialQueue: HandlerPlace { HandlerPlace(.serialQueue) }

  /// The thread that resolves the future, at the handler's place in the order, before the resolving call returns; after
  /// the outcome, the thread that adds the handler, before the registering call returns.
  ///
  /// If a decision is queued, or made by a `perform` block, the handler runs on the private queue, after the block.
  ///
  /// No lock is held, so the handler may make any call; but it should be short, because later handlers wait for it.
  /// Inside of a task's cancellation handler it must not wait for anything.
  @inlinable
  public static var inline: HandlerPlace { HandlerPlace(.inline) }

  /// The main queue.
  @inlinable
  public static var main: HandlerPlace { HandlerPlace(.queue(.main)) }

  /// A global concurrent queue, on which handlers start in order and may run at the same time.
  ///
  /// - Parameter qos: The quality of service of the queue.
  /// - Returns: The place.
  @inlinable
  public static func global(qos: DispatchQoS.QoSClass = .default) -> HandlerPlace {
    HandlerPlace(.queue(.global(qos: qos)))
  }
}

extension DispatchQueue: HandlerContext {
  /// The queue itself.
  @inlinable
  public var handlerPlace: HandlerPlace { HandlerPlace(.queue(self)) }
}
