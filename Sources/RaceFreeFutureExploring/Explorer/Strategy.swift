// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Chooses the orders of an exploration: which is next, and who continues at each of its steps.
protocol Strategy: AnyObject {
  /// Begins the next order.
  ///
  /// - Parameter coverage: The extent of the search so far.
  /// - Returns: False if there is none.
  func begin(after coverage: Explorer.Coverage) -> Bool

  /// Returns the next choice.
  ///
  /// - Parameters:
  ///   - choices: The lines that may continue; at least one.
  ///   - run: The order, with its choices so far.
  /// - Returns: One of the choices.
  /// - Throws: The failure that ends the order, if none of them is right.
  func choose(among choices: [Int], in run: OrderRun) throws(OrderFailure) -> Int

  /// Notes an order that has ended, and returns it as it is to be reported.
  func end(_ order: Explorer.Ended) -> Explorer.Ended
}

extension Strategy {
  func begin(after coverage: Explorer.Coverage) -> Bool { true }

  func end(_ order: Explorer.Ended) -> Explorer.Ended { order }
}
