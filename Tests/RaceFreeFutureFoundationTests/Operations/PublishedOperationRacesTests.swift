// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Bugs that hand-written asynchronous operations were published with, each shown and then rebuilt without.
@Suite struct PublishedOperationRacesTests {
  /// The asynchronous operation of many a tutorial, with two of its widespread mistakes.
  ///
  /// `lock` guards `phase`.
  private class Naive: Operation, @unchecked Sendable {
    enum Phase { case ready, executing, finished }
    private let lock = NSLock()
    private var phase = Phase.ready
    /// Whether it may be finished although nobody has started it.
    let finishesUnstarted: Bool

    init(finishesUnstarted: Bool) { self.finishesUnstarted = finishesUnstarted }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { phase == .executing } }
    override var isFinished: Bool { lock.withLock { phase == .finished } }

    override func start() {
      if isCancelled { return finish() }
      set(.executing)
      DispatchQueue.global().async { self.finish() }
    }

    override func cancel() {
      super.cancel()
      if finishesUnstarted { set(.finished) }
    }

    func finish() {
      // Meant to keep it from being finished before it was started; so one that was cancelled never is.
      guard isExecuting else { return }
      set(.finished)
    }

    private func set(_ next: Phase) {
      for key in ["isExecuting", "isFinished"] { willChangeValue(forKey: key) }
      lock.withLock { phase = next }
      for key in ["isExecuting", "isFinished"] { didChangeValue(forKey: key) }
    }
  }

  private final class Sound: AsynchronousOperation, @unchecked Sendable {
    override func main() {
      DispatchQueue.global().async { self.finish() }
    }
  }

  /// A queue of width one with three operations, which are cancelled before their start.
  private func cancelled(_ operations: [Operation]) -> OperationQueue {
    let queue = OperationQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    for operation in operations { queue.addOperation(operation) }
    queue.cancelAllOperations()
    return queue
  }

  @Test func `operations that were cancelled before their start don't stall a queue of width one`() async throws {
    // The naive one is started, ends at once, and is never finished: so says the very call that has returned.
    let naive = Naive(finishesUnstarted: false)
    naive.cancel()
    naive.start()
    #expect(!naive.isFinished, "a queue would wait for it for ever")
    let sound = (0..<3).map { _ in Sound() }
    let queue = cancelled(sound)
    let later = queue.add { "later" }
    queue.isSuspended = false
    #expect(try await later.value == "later")
    for operation in sound { #expect(operation.isFinished && operation.isCancelled) }
  }

  @Test func `an operation is not finished before its queue has started it`() async {
    let naive = Naive(finishesUnstarted: true)
    naive.cancel()
    #expect(naive.isFinished, "a queue would complain: it was never started")
    let sound = [Sound(), Sound()]
    let queue = cancelled(sound)
    for operation in sound { #expect(operation.isCancelled && !operation.isFinished) }
    queue.isSuspended = false
    await queue.drained()
    for operation in sound { #expect(operation.isFinished) }
  }

  /// A search that shows what it found; the naive handler doesn't ask whether anybody still wants it.
  @MainActor @Test func `a result that is on its way to the main thread doesn't arrive after a cancel there`() async {
    let shown = EventLog<String>()
    let search = FutureOperation { _ in "old results" }
    search.valueFuture.onResult(on: .main) { _ in shown.add("naive shows old results") }
    search.onResult { _ in shown.add("shows old results") }
    search.start()
    // The user types on: it is too late for the search, but not for its results.
    search.cancel()
    shown.add("shows new text")
    #expect(await search.handlersFinished == .completed)
    #expect(shown.events == ["shows new text", "naive shows old results"])
  }

  @Test func `what waits for an operation may be cancelled or dropped, and gone, before that is finished`() async {
    for _ in 0..<iterations(20) {
      let first = AsynchronousOperation()
      let gone = Gate("those that waited are gone")
      do {
        let queue = OperationQueue()
        let sign = OnDeinit { gone.open() }
        for index in 0..<50 {
          let second = Follower(sign)
          second.addDependency(first)
          // The other half is dropped without ever having been in a queue.
          if index.isMultiple(of: 2) { queue.add(second) }
        }
        queue.cancelAllOperations()
        await queue.drained()
      }
      await gone.passed()
      first.start()
      #expect(first.isFinished)
    }
  }

  /// Keeps something as long as it lives.
  private final class Follower: AsynchronousOperation, @unchecked Sendable {
    let sign: OnDeinit
    init(_ sign: OnDeinit) {
      self.sign = sign
      super.init()
    }
  }

  @Test func `finishing twice, from two threads, finishes once`() async {
    await stress(
      rounds: iterations(500),
      make: { () -> (Sound, OperationQueue) in (Sound(), OperationQueue()) },
      actors: [{ $0.0.finish() }, { $0.0.finish() }, { $0.1.addOperation($0.0) }],
      verify: { operation, queue in
        queue.waitUntilAllOperationsAreFinished()
        #expect(operation.isFinished && operation.isCompleted)
      }
    )
  }
}
