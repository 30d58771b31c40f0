// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport

@testable import RaceFreeFutureFoundation

/// An operation whose `main()` is a closure, and which notes what observers are told and what they then see.
final class TestOperation: AsynchronousOperation, @unchecked Sendable {
  /// What observers are told, with what they can see at that moment.
  let notes = EventLog<String>()
  /// Moments at which the properties contradicted each other.
  let contradictions = EventLog<String>()
  let mains = EventLog<Int>()
  private let body: @Sendable (TestOperation) -> Void

  init(label: String = "test", _ body: @escaping @Sendable (TestOperation) -> Void = { $0.finish() }) {
    self.body = body
    super.init(label: label)
  }

  override func main() {
    mains.add(1)
    body(self)
  }

  override func willChange(_ key: String) {
    check()
    if let value = value(of: key) { notes.add("will \(key), is \(value)") }
    super.willChange(key)
  }

  override func didChange(_ key: String) {
    check()
    if let value = value(of: key) { notes.add("did \(key), is \(value)") }
    super.didChange(key)
  }

  private func value(of key: String) -> Bool? {
    switch key {
    case "isExecuting": isExecuting
    case "isFinished": isFinished
    case "isCancelled": isCancelled
    default: nil
    }
  }

  /// Notes what can't be.
  ///
  /// Each property is read once, in an order in which a change between two reads contradicts nothing.
  func check() {
    let wasFinished = isFinished
    let isExecuting = isExecuting
    if wasFinished && isExecuting { contradictions.add("finished and executing") }
    if wasFinished && isPending { contradictions.add("finished and pending") }
    if wasFinished && isCancelled != cancelToken.isCancelled { contradictions.add("finished, and cancelled or not") }
    if isExecuting && !isReady { contradictions.add("executing and not ready") }
  }

  /// The notes about one property.
  func notes(about key: String) -> [String] { notes.events.filter { $0.contains(" \(key),") } }

  /// What happened to an operation that was started and ended in time.
  static let ranAndFinished =
    ["will isExecuting, is false", "did isExecuting, is true", "will isExecuting, is true"]
    + ["will isFinished, is false", "did isExecuting, is false", "did isFinished, is true"]
  /// What happened to an operation that was started when there was nothing left to do.
  static let onlyFinished = ["will isFinished, is false", "did isFinished, is true"]
  static let cancelled = ["will isCancelled, is true", "did isCancelled, is true"]
}

extension OperationQueue {
  /// Suspends until the queue is empty.
  func drained() async { await onThread { self.waitUntilAllOperationsAreFinished() } }
}

/// Counts how many are in at once.
final class Crowd: @unchecked Sendable {
  // `lock` guards the two numbers.
  private let lock = NSLock()
  private var count = 0
  private var highest = 0

  var most: Int { lock.withLock { highest } }

  func enter() {
    lock.withLock {
      count += 1
      highest = max(highest, count)
    }
  }

  func leave() { lock.withLock { count -= 1 } }
}
