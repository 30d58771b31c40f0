// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Scenario {
  /// An actor that is a task, as its own code sees it.
  public struct Actor: Sendable {
    let run: OrderRun
    let line: Int

    /// Waits until the explorer chooses this actor, then runs the body at once and continues.
    ///
    /// No other actor acts until this one calls `step` again, awaits something else, or ends.
    ///
    /// - Parameters:
    ///   - label: A description of the step, for the diagram.
    ///   - touches: The names of shared data that the step uses, including the actor's code up to its next step; see
    ///     ``Scenario/Step/init(_:touches:when:_:)``.
    ///   - condition: The step can't be taken unless this returns true; nil: it always can. It should have no side
    ///     effects.
    ///   - body: The work of the step: usually one call of the code under test.
    /// - Returns: The result of the body; it is shown behind an arrow.
    /// - Throws: The error of the body.
    @discardableResult
    public func step<Answer, E: Error>(
      _ label: String,
      touches: Set<String>? = nil,
      when condition: (() -> Bool)? = nil,
      _ body: () throws(E) -> Answer
    ) async throws(E) -> Answer {
      await run.park(on: line, label, touches, condition)
      let answer = try body()
      run.note(answer)
      return answer
    }
  }
}
