// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation

/// How much longer than usual a run is: the environment variable `RACEFREEFUTURE_ITERATIONS`, 1 if it isn't set.
private let factor = ProcessInfo.processInfo.environment["RACEFREEFUTURE_ITERATIONS"].flatMap(Double.init) ?? 1

/// The number of iterations of a loop that may run longer.
package func iterations(_ usual: Int) -> Int { max(1, Int(Double(usual) * factor)) }

/// The seed of random tests: the environment variable `RACEFREEFUTURE_SEED`, or a new one for each run.
///
/// A failing test prints it.
package let testSeed: UInt64 =
  ProcessInfo.processInfo.environment["RACEFREEFUTURE_SEED"].flatMap(UInt64.init) ?? .random(in: 1...UInt64.max)

/// A small random number generator that gives the same numbers for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
