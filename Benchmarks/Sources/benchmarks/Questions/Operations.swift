// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureFoundation

extension Question {
  static var operations: Question {
    Question(
      name: "operations in a queue",
      asks: "What does an AsynchronousOperation cost that ends at once, beside a BlockOperation with an empty block?",
      rows: [1, 2].map { width in
        Row("empty AsynchronousOperation, queue of width \(width)", against: "BlockOperation, empty block") {
          Sides(
            burst: burst,
            ours: throughQueue(width) { AsynchronousOperation(label: "empty") },
            peer: throughQueue(width) { BlockOperation {} }
          )
        }
      }
    )
  }
}

/// So many operations are made and given to the queue, then the thread waits until the queue is empty.
private let burst = 200

private func throughQueue(_ width: Int, _ make: @escaping () -> Operation) -> Sides.Side {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = width
  return { count in
    timedWithOthers {
      inBursts(of: burst, count) {
        for _ in 0..<burst { queue.addOperation(make()) }
        queue.waitUntilAllOperationsAreFinished()
      }
    }
  }
}
