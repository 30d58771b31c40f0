// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import XCTest

@testable import RaceFreeFutureExploring

/// Explorations in the other test library: unchanged bodies with its assertions.
final class ExploredTestCaseTests: ExploredTestCase {
  #if !canImport(Darwin)
    private var (isCollecting, collected) = (false, [String]())

    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      if isCollecting, ExploredPlace.current == nil { return collected.append(description) }
      super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }

    func testAnAssertionThatFailsInSomeOrderIsOneFailure() async throws {
      isCollecting = true
      try await explored {
        let counter = Counter()
        let one = Task.detached { await counter.increment() }
        let value = await counter.value
        XCTAssertEqual(value, 0, "it was faster")
        await one.value
      }
      isCollecting = false
      XCTAssertEqual(collected.count, 1)
      XCTAssert(collected.first?.contains("it was faster") == true && collected.first?.contains(".replay(") == true)
    }
  #endif

  private let expected = 2

  func testAssertionsHoldInEveryOrder() async throws {
    try await explored {
      let counter = Counter()
      async let one: Void = counter.increment()
      async let two: Void = counter.increment()
      _ = await (one, two)
      let value = await counter.value
      XCTAssertEqual(value, self.expected)
    }
  }

  func testOneOrderIsFollowed() async throws {
    try await explored(.once) {
      let counter = Counter()
      Task { await counter.increment() }
      await settle()
      let value = await counter.value
      XCTAssertEqual(value, 1)
    }
  }

  func testWhatShowsNothingIsSkipped() async throws {
    do {
      try await explored { await Counter().increment() }
      XCTFail("it passed")
    } catch let skip as XCTSkip {
      XCTAssert(skip.message?.contains("Nothing in it could vary") == true)
    }
  }
}
