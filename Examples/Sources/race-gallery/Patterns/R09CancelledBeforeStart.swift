// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

/// An operation that is cancelled before its start never finishes, and its queue stalls.
enum R09CancelledBeforeStart {
  static let pattern = Pattern(
    id: "R9",
    title: "Operation cancelled before its start",
    published: [
      "AFNetworking/AFNetworking#1662", "robertmryan/AFHTTPSessionOperation#7", "daltoniam/SwiftHTTP#203",
      "thibaultcha/TCBlobDownload#60", "wibosco/NetworkingInOperations-Example#2", "devxoul/Toaster#123",
      "algolia/algoliasearch-client-swift#593", "cappuccino/cappuccino#2287", "kas-kad/AdvancedNSOperations#8",
      "tomwilsn/Operative#35",
    ],
    rounds: 200,
    naive: { await drain([Naive(), Naive(), Naive()]) },
    ours: { await drain([Ours(), Ours(), Ours()]) }
  )

  // `lock` guards `state`.
  private final class Naive: Operation, @unchecked Sendable {
    private enum State { case ready, executing, finished }

    private let lock = NSLock()
    private var state = State.ready

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { state == .executing } }
    override var isFinished: Bool { lock.withLock { state == .finished } }

    override func start() {
      if isCancelled { return finish() }
      change(to: .executing)
      DispatchQueue.global().async { self.finish() }
    }

    private func finish() {
      guard isExecuting else { return }  // cancelled before its start it isn't executing
      change(to: .finished)
    }

    private func change(to state: State) {
      willChangeValue(forKey: "isFinished")
      lock.withLock { self.state = state }
      didChangeValue(forKey: "isFinished")
    }
  }

  // Its only state is that of its superclass.
  private final class Ours: AsynchronousOperation, @unchecked Sendable {
    override func main() {
      DispatchQueue.global().async { self.finish() }
    }
  }

  /// Runs a round: the operations are cancelled at once, and the queue has to reach the block after them.
  private static func drain(_ operations: [Operation]) async -> Bool {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for operation in operations { queue.addOperation(operation) }
    queue.cancelAllOperations()
    await withCheckedContinuation { continuation in queue.addOperation { continuation.resume() } }
    return false  // a queue that stalls hangs
  }
}
