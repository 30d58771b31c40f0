// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureExploring

@Suite struct FairnessTests {
  @Test(arguments: [false, true])
  func `Who yields again and again lets the other one go first, also if that one is interrupted meanwhile`(
    isInterrupted: Bool
  ) {
    var fairness = Fairness()
    #expect(fairness.fair([0, 1]) == [0, 1])
    for _ in 0..<Fairness.yields {
      #expect(fairness.fair([0, 1]).contains(1))
      fairness.acts(1)
      if isInterrupted {
        #expect(fairness.fair([1], besides: [0]) == [1])
        fairness.acts(1)
      }
      fairness.yields(1)
    }
    #expect(fairness.fair([0, 1]) == [0])
    fairness.acts(0)
    #expect(fairness.fair([0, 1]) == [0, 1] && fairness.hasInterfered)
  }

  @Test func `A line that couldn't go on begins to wait when it can`() {
    var fairness = Fairness()
    for _ in 0..<Fairness.yields {
      _ = fairness.fair([1])
      fairness.acts(1)
      fairness.yields(1)
    }
    #expect(fairness.fair([0, 1]) == [0, 1])
  }
}
