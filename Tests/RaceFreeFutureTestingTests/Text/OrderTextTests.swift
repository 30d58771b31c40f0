// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureTestingTools

@Suite struct OrderTextTests {
  @Test(arguments: [[], [0], [1, 2, 2, 0], [61, 10, 35], [62, 0], [100, 3, 7]])
  func `What is written can be read`(lines: [Int]) {
    #expect(OrderText.lines(OrderText.text(lines)) == lines)
  }

  @Test(arguments: ["1-2", " ", "1..2", "1.x"])
  func `What is no order isn't read`(text: String) {
    #expect(OrderText.lines(text) == nil)
  }
}
