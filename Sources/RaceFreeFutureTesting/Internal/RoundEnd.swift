// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// How a round of a race came out.
enum RoundEnd<Outcome: Hashable & Sendable>: Sendable {
  case outcome(Outcome)
  /// Actors threw, and nobody was asked for the outcome.
  case thrown([Thrown])
}

/// What an actor threw, as it is counted.
struct Thrown: Hashable, Sendable {
  /// Its place in the list, from 1.
  let actor: Int
  let text: String
}

extension RoundEnd {
  /// Asks for the outcome, unless an actor threw.
  ///
  /// - Parameters:
  ///   - errors: What the actors threw, in their order.
  ///   - outcome: Asks. Throws only if one of them did.
  init(_ errors: [(any Error)?], _ outcome: () throws -> Outcome) {
    let thrown = errors.enumerated().compactMap { index, error in
      error.map { Thrown(actor: index + 1, text: String(describing: $0)) }
    }
    if thrown.isEmpty, let outcome = try? outcome() {
      self = .outcome(outcome)
    } else {
      self = .thrown(thrown)
    }
  }
}

extension Result {
  /// The error, if it is one.
  var thrown: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}
