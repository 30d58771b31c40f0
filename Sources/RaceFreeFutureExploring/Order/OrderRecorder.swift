// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What is kept of the steps of an order, for the diagram and for reports; used by the thread that runs.
struct OrderRecorder {
  /// True if the order is drawn.
  let isOn: Bool
  /// The steps so far, if they are recorded.
  var rows: [OrderDiagram.Row] = []
  /// The function that has the code of the body; known only in a run that is drawn.
  var bodyFunction: String?
  /// The explored primitives without a name of their own, and where they were made.
  var places: [(name: String, place: String)] = []
  /// The last step of each actor.
  var lastSteps: [Int: String] = [:]
  /// The step that is running.
  var open: (line: Int, label: String, isSilent: Bool, isOperation: Bool)?
  /// The address at which the task of that step has begun or continued.
  var entry: UInt?
  /// The return addresses of that step's operation.
  var callers: [UInt] = []
  /// The result of that step.
  var answer: String?

  init(isOn: Bool) { self.isOn = isOn }

  /// Begins the diagram, with the state before the first step.
  mutating func begin(_ state: String?) {
    rows.append(OrderDiagram.Row(line: nil, text: "", answer: nil, state: state))
  }
}
