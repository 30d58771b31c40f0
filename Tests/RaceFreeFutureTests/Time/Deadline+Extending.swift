// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

@testable import RaceFreeFuture

extension Deadline {
  /// Moves the deadline by an interval from its current instant, in one atomic step: none of several calls is lost.
  @discardableResult
  func extend(by interval: Duration) -> Bool { move { instant, _ in instant.advanced(by: interval.clamped) } }
}
