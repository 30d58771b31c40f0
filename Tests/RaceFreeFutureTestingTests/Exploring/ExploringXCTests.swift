// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import XCTest

/// The explorer in the other test library.
final class ExploringXCTests: XCTestCase {
  func testCodeIsExplored() async throws {
    await exploreTasks { scenario in
      let counter = Counter()
      async let one: Void = counter.increment()
      async let two: Void = counter.increment()
      _ = await (one, two)
      let value = await counter.value
      scenario.check(value == 2, "\(value)")
    }
  }

  @MainActor func testATestOfTheMainActorIsExplored() async throws {
    let report = await withoutRecording {
      await exploreTasks("a lost increment") { scenario in
        let box = Box()
        @Sendable @MainActor func increment() async { await box.set(await box.value + 1) }
        async let one: Void = increment()
        async let two: Void = increment()
        _ = await (one, two)
        let value = await box.value
        scenario.check(value == 2, "\(value)")
      }
    }
    XCTAssertEqual(report.failure, "1")
  }
}
