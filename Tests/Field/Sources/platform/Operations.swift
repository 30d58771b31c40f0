// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Defects
import Foundation
import Glibc

extension Defect {
  static var operations: [Defect] {
    [
      Defect(
        name: "released-dependent",
        title: "An operation that ends touches those that depended on it, although they were released.",
        about: "Operations/AsynchronousOperation.swift",
        crashes: true,
        look: lookAtReleasedDependent
      ),
      Defect(
        name: "lost-dependent",
        title: "An operation never starts if it is added while its dependency ends.",
        about: "none",
        look: lookForLostDependent
      ),
    ]
  }
}

private func lookAtReleasedDependent() -> Finding {
  for _ in 0..<100 {
    let first = BlockOperation {}
    do {
      let second = BlockOperation {}
      second.addDependency(first)
      second.cancel()
    }
    // What was released gets another content, as it would sooner or later.
    var blocks: [UnsafeMutableRawPointer] = []
    for size in stride(from: 16, through: 1_024, by: 16) {
      for _ in 0..<8 {
        guard let block = malloc(size) else { continue }
        memset(block, 0xAA, size)
        blocks.append(block)
      }
    }
    first.start()
    for block in blocks { free(block) }
  }
  return Finding(.gone, "100 operations ended after their dependents had been released")
}

private func lookForLostDependent() -> Finding {
  let end = ContinuousClock.now + .seconds(30)
  var rounds = 0
  while ContinuousClock.now < end {
    rounds += 1
    let queue = OperationQueue()
    let done = DispatchSemaphore(value: 0)
    let first = BlockOperation {}
    let second = BlockOperation { done.signal() }
    second.addDependency(first)
    // Another thread adds the one, this one adds the other.
    DispatchQueue.global().async { queue.addOperation(first) }
    queue.addOperation(second)
    if done.wait(timeout: .now() + .seconds(10)) == .success { continue }
    let text =
      "in round \(rounds) it hadn't started after 10 s; the dependency is \(first.isFinished ? "" : "not ")finished"
    return Finding(.there, "\(text), it is \(second.isReady ? "" : "not ")ready")
  }
  return Finding(.unseen, "in \(rounds) rounds all started")
}
