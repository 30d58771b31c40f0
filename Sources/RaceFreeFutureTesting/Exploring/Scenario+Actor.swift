// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension Scenario {
  /// An actor that is a task, as its own code sees it.
  public struct Actor: Sendable {
    let run: OrderRun
    let line: Int

    /// Waits until the explorer chooses this actor, then runs the body at once and goes on.
    ///
    /// Nobody else acts until the actor calls this again, awaits something else, or ends.
    ///
    /// - Parameters:
    ///   - label: What the step does, for the diagram.
    ///   - touches: What the step uses that others use as well, including what the actor does up to its next step; see
    ///     ``Scenario/Step/init(_:touches:when:_:)``.
    ///   - condition: The step can't be taken unless this holds; nil: it always can. It should have no effects.
    ///   - body: What it does: as a rule one call of what is tested.
    /// - Returns: What the body returned; it is shown behind an arrow.
    /// - Throws: What the body threw.
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
