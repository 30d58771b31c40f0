// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import TestSupport

@testable import RaceFreeFuture

/// The reference model: RXFuture as it was written in 2011, with nothing clever in it.
///
/// Every `complete`, `cancel` and `perform` is one `queue.async` on a serial queue, and so is every handler; but a block
/// on that queue decides in place. Only registering and removing take effect at once, under the lock, because they
/// answer their caller. `Future` must behave as if it were this.
final class LiteralFuture: @unchecked Sendable {
  final class Handler: @unchecked Sendable {
    let trigger: Future.Outcome?
    let context: HandlerPlace
    var body: (@Sendable () -> Void)?
    init(_ trigger: Future.Outcome?, _ context: HandlerPlace, _ body: @escaping @Sendable () -> Void) {
      self.trigger = trigger
      self.context = context
      self.body = body
    }
  }

  let queue = DispatchQueue(label: "literal")
  /// Marks the queue with the identity of its future.
  private static let mark = DispatchSpecificKey<ObjectIdentifier>()
  private struct State {
    var decided: Future.Outcome?
    var isHeld = false
    var handlers: [Handler] = []
  }
  private let state = Locked(State())  // guards the body of every handler as well

  init() { queue.setSpecific(key: Self.mark, value: ObjectIdentifier(self)) }

  /// What a `perform` block sees.
  var outcome: Future.Outcome? { state.withLock { $0.decided } }

  func resolve(_ outcome: Future.Outcome) {
    let isInBlock = DispatchQueue.getSpecific(key: Self.mark) == ObjectIdentifier(self)
    if isInBlock { decide(outcome) } else { perform { [self] in decide(outcome) } }
  }

  func perform(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      body()
      // What was decided inside starts when the block has returned.
      for handler in takeMatching() { dispatch(handler) }
    }
  }

  func add(_ trigger: Future.Outcome?, _ context: HandlerPlace, _ body: @escaping @Sendable () -> Void) -> Handler {
    let handler = Handler(trigger, context, body)
    let isLate = state.withLock { state in
      if state.decided == nil || state.isHeld { state.handlers.append(handler) }
      return state.decided != nil && !state.isHeld && (trigger == nil || trigger == state.decided)
    }
    if isLate { dispatch(handler) }
    return handler
  }

  func remove(_ handler: Handler) -> Bool {
    let (mayRun, body) = state.withLock { state in
      let mayRun = state.decided == nil || handler.trigger == nil || handler.trigger == state.decided
      return (mayRun, handler.body.take())
    }
    return mayRun && body != nil
  }

  private func decide(_ outcome: Future.Outcome) {
    state.withLock { state in
      guard state.decided == nil else { return }
      state.decided = outcome
      state.isHeld = true
    }
  }

  private func takeMatching() -> [Handler] {
    let (decided, handlers) = state.withLock { state -> (Future.Outcome?, [Handler]) in
      guard state.isHeld else { return (nil, []) }
      state.isHeld = false
      return (state.decided, exchange(&state.handlers, with: []))
    }
    return handlers.filter { $0.trigger == nil || $0.trigger == decided }
  }

  private func dispatch(_ handler: Handler) {
    let run: @Sendable () -> Void = { [self] in
      let body = state.withLock { _ in handler.body.take() }
      body?()
    }
    switch handler.context.kind {
    case .serialQueue: queue.async(execute: run)
    case .queue(let other): other.async(execute: run)
    case .inline: run()
    }
  }
}
