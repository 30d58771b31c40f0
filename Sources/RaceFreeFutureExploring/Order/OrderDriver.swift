// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Chooses the steps of an order while it runs, for a strategy.
protocol OrderDriver: AnyObject {
  /// Returns the line to continue; nil if there is none now, or if it has ended the order.
  func decide(_ run: OrderRun) -> Int?

  /// Ends the exploration although a step hasn't returned, and never will.
  func giveUp(_ run: OrderRun, _ failure: OrderFailure)
}
