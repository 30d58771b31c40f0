// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Checks whether the calls of a history, some of which overlapped, could have been made one after the other.
///
/// ```swift
/// let recorder = Recorder<StackOperation, Int?>(threads: 3)
/// // … each thread: recorder.call(.pop, on: 2) { stack.pop() }
/// await checkLinearizability("Stack", of: recorder.history, against: stackModel)
/// ```
///
/// If they couldn't, the report shows the few calls that prove it, as a diagram and in words.
///
/// Runs on a thread of its own; the caller is suspended. A check can't be cancelled, but the budget ends it.
///
/// - Parameters:
///   - name: The name of the object; it begins the report.
///   - history: The calls.
///   - model: The model of the object.
///   - budget: The maximum number of calls of the model; by default a million, and a hundred more for each call of the
///     history. If that isn't enough, the report says "undecided", which is recorded as an error as well. See
///     ``History/verdict(against:budget:)`` for the time that it takes. Showing a failure may take as many calls again.
/// - Returns: A report that passes if there is such an order, and calls overlapped; otherwise it is inconclusive.
@discardableResult
public func checkLinearizability<Model: SequentialModel>(
  _ name: String = "the history",
  of history: History<Model.Operation, Model.Answer>,
  against model: Model,
  budget: Int? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column
) async -> HistoryReport<Model.Operation, Model.Answer> {
  precondition(budget ?? 1 > 0, "a budget of \(budget ?? 0) decides nothing")
  let report = await OwnThread.run { HistoryReport(name, history, model, budget: budget) }
  report.record(
    inconclusiveIsError: report.linearizability == .undecided,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  )
  return report
}
