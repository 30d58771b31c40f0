// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The result of a round of a race.
enum RoundEnd<Outcome: Hashable & Sendable>: Sendable {
  case outcome(Outcome)
  /// Actors threw, and `outcome` wasn't called.
  case thrown([Thrown])
}

/// An error that an actor threw, as it is counted.
struct Thrown: Hashable, Sendable {
  /// Its place in the list, from 1.
  let actor: Int
  let text: String
}

extension RoundEnd {
  /// Gets the outcome, unless an actor threw.
  ///
  /// - Parameters:
  ///   - errors: The errors of the actors, in their order.
  ///   - outcome: Returns the outcome. Throws only if an actor did.
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
  /// The error, if there is one.
  var thrown: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}
