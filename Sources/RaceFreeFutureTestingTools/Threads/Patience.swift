// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The factor by which waits are longer than usual: the environment variable `RACEFREEFUTURE_PATIENCE`.
///
/// For slow machines and for sanitizers, under which a test may have to wait for minutes for its turn. 1 if the
/// variable isn't set, or isn't a number that is greater than 0.
enum Patience {
  static let factor = factor(environment("RACEFREEFUTURE_PATIENCE"))

  static func factor(_ text: String?) -> Double {
    guard let number = text.flatMap(Double.init), number > 0, number.isFinite else { return 1 }
    return number
  }
}

extension Duration {
  /// This duration, multiplied by the patience of the tests of this process.
  package var patiently: Duration { Patience.factor == 1 ? self : self * Patience.factor }
}
