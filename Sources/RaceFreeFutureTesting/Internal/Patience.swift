// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// By what factor waits are longer than usual: the environment variable `RACEFREEFUTURE_PATIENCE`.
///
/// For slow machines and for sanitizers, under which a test may have to wait for minutes until it is its turn. 1 if the
/// variable isn't set, or isn't a number that is greater than 0.
enum Patience {
  static let factor = factor(environment("RACEFREEFUTURE_PATIENCE"))

  static func factor(_ text: String?) -> Double {
    guard let number = text.flatMap(Double.init), number > 0, number.isFinite else { return 1 }
    return number
  }
}

extension Duration {
  /// As long as the tests of this process are to wait instead.
  var patiently: Duration { Patience.factor == 1 ? self : self * Patience.factor }
}
