// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Scenario {
  /// One step of an actor: no other actor acts while it is taken.
  public struct Step {
    let label: String
    let touches: Set<String>?
    let condition: (() -> Bool)?
    /// Returns the value that is shown as the answer.
    let body: () throws -> Any

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - label: A description of the step, for the diagram.
    ///   - touches: Names of all shared data that the body and the condition read or change. Orders that differ only in
    ///     the position of steps that touch nothing in common have the same end; one of them is run, unless there is an
    ///     invariant, which is checked in between. nil: the step may touch anything.
    ///   - condition: The step can't be taken unless this returns true; nil: it always can. It should have no side
    ///     effects.
    ///   - body: The work of the step: usually one call of the code under test. Its result is shown behind an arrow; an
    ///     error that it throws is a failure.
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
