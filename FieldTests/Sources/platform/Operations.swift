// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

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
  for _ in 0..<1_000 {
    let first = BlockOperation {}
    do {
      let second = BlockOperation {}
      second.addDependency(first)
      second.cancel()
    }
    // Something else takes the memory.
    let others = (0..<4).map { _ in BlockOperation {} }
    first.start()
    _ = others.count
  }
  return Finding(.gone, "1,000 operations ended after their dependents had been released")
}
