// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Scenario {
  /// One step of an actor: nobody else acts while it is taken.
  public struct Step {
    let label: String
    let touches: Set<String>?
    let condition: (() -> Bool)?
    /// Returns what is shown as the answer.
    let body: () throws -> Any

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - label: What it does, for the diagram.
    ///   - touches: Names for all that the body and the condition read or change, and that others use as well. Orders
    ///     that differ only in when steps are taken that touch nothing in common have the same end; one of them is run,
    ///     unless there is an invariant, which looks in between. nil: the step may touch anything.
    ///   - condition: The step can't be taken unless this holds; nil: it always can. It should have no effects.
    ///   - body: What it does: as a rule one call of what is tested. What it returns is shown behind an arrow; an error
    ///     that it throws is a failure.
    public init<Answer>(
      _ label: String,
      touches: Set<String>? = nil,
      when condition: (() -> Bool)? = nil,
      _ body: @escaping () throws -> Answer
    ) {
      self.label = label
      self.touches = touches
      self.condition = condition
      self.body = body
    }
  }
}
