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
