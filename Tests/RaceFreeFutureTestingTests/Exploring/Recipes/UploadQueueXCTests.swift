// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import XCTest

final class UploadQueueXCTests: ExploredTestCase {
  func testOneFileAtATime() async throws {
    try await explored {
      let log = Variable("")
      let first = Task { log.value += "a" }
      let second = Task {
        await first.value
        log.value += "b"
      }
      await second.value
      XCTAssertEqual(log.value, "ab")
    }
  }
}
