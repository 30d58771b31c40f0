// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
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
  private let lock = NSLock()  // guards decided, isHeld, handlers and every handler's body
  private var decided: Future.Outcome?
  private var isHeld = false
  private var handlers: [Handler] = []

  init() { queue.setSpecific(key: Self.mark, value: ObjectIdentifier(self)) }

  /// What a `perform` block sees.
  var outcome: Future.Outcome? { lock.withLock { decided } }

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
    let isLate = lock.withLock {
      if decided == nil || isHeld { handlers.append(handler) }
      return decided != nil && !isHeld && (trigger == nil || trigger == decided)
    }
    if isLate { dispatch(handler) }
    return handler
  }

  func remove(_ handler: Handler) -> Bool {
    lock.withLock {
      defer { handler.body = nil }
      let mayRun = decided == nil || handler.trigger == nil || handler.trigger == decided
      return mayRun && handler.body != nil
    }
  }

  private func decide(_ outcome: Future.Outcome) {
    lock.withLock {
      guard decided == nil else { return }
      decided = outcome
      isHeld = true
    }
  }

  private func takeMatching() -> [Handler] {
    lock.withLock {
      guard isHeld else { return [] }
      isHeld = false
      defer { handlers = [] }
      return handlers.filter { $0.trigger == nil || $0.trigger == decided }
    }
  }

  private func dispatch(_ handler: Handler) {
    let run: @Sendable () -> Void = { [self] in
      let body = lock.withLock {
        defer { handler.body = nil }
        return handler.body
      }
      body?()
    }
    switch handler.context.kind {
    case .serialQueue: queue.async(execute: run)
    case .queue(let other): other.async(execute: run)
    case .inline: run()
    }
  }
}
