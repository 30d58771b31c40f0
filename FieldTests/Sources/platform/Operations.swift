// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import Glibc

extension Defect {
  static var operations: [Defect] {
    [
      Defect(
        name: "released-dependent",
        title: "An operation that ends touches those that depended on it, although they were released.",
        workaround: "Operations/AsynchronousOperation.swift",
        crashes: true,
        look: lookAtReleasedDependent
      )
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
