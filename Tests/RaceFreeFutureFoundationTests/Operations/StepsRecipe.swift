// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

/// Adds steps that run in order; after one that fails or is cancelled, none begins.
func addSteps(
  _ steps: [@Sendable (CancelToken) throws -> Void],
  to queue: OperationQueue
) -> Scope {
  let all = Scope(label: "steps")
  var previous: Operation?
  for step in steps {
    let operation = FutureOperation(step)
    operation.valueFuture.onFailure(on: .inline) { error in
      all.cancel(throwing: error)
    }
    operation.onCancel(on: .inline) { reason in all.cancel(throwing: reason) }
    all.add(operation)
    if let previous { operation.addDependency(previous) }
    queue.add(operation)  // last, because it may begin now
    previous = operation
  }
  return all
}

func run(
  _ steps: [@Sendable (CancelToken) throws -> Void],
  on queue: OperationQueue
) async throws {
  let all = addSteps(steps, to: queue)
  await all.drain()
  try all.checkCancellation()  // throws the error of the step that failed
}
