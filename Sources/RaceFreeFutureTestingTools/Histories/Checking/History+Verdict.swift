// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

extension History {
  /// Searches for an order in which the calls, made one after the other, would have given the same answers.
  ///
  /// The search is that of Wing and Gong with Lowe's cache of visited states. It takes time in proportion to the number
  /// of calls as long as few of them overlap: a register with 100,000 calls of four threads takes about a second in a
  /// release build. It is exponential only in the number of calls that all overlap each other: a dozen are no problem,
  /// from sixteen on the budget matters. The best remedy is a model that declares its parts
  /// (``SequentialModel/part(of:)``) and read-only operations (``SequentialModel/isReadOnly(_:)``).
  ///
  /// Runs on the caller's thread, without recursion. For a readable report, and a search that doesn't occupy the
  /// caller's thread, use ``checkLinearizability(_:of:against:budget:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - model: The model of the object.
  ///   - budget: The maximum number of calls of the model, at least 1; by default a million, and a hundred more for
  ///     each call of the history. The memory grows with it: some 100 bytes, and a state, for each.
  /// - Returns: The verdict; undecided if the budget was used up.
  public func verdict<Model: SequentialModel<Operation, Answer>>(
    against model: Model,
    budget: Int? = nil
  ) -> LinearizabilityVerdict {
    var left = budget ?? usualBudget
    var steps: [(point: UInt64, call: Int)] = []
    var isUndecided = false
    for part in parts(of: model) {
      var search = LinearizabilitySearch(model: model, calls: part.map { calls[$0] }, budget: left)
      switch search.run() {
      case .linearizable(let order):
        // Each call gets a point in time between its begin and its end, and the points of all parts make one order.
        var point: UInt64 = 0
        for call in order {
          point = max(point, calls[part[call]].begun)
          steps.append((point, part[call]))
        }
      case .notLinearizable(let longest):
        return .notLinearizable(longestOrder: longest.map { part[$0] })
      case .undecided:
        isUndecided = true
      }
      left -= search.steps
    }
    if isUndecided { return .undecided }
    let merged = steps.enumerated().sorted { ($0.element.point, $0.offset) < ($1.element.point, $1.offset) }
    return .linearizable(order: merged.map(\.element.call))
  }

  /// The default budget of calls of the model.
  var usualBudget: Int { 1_000_000 + 100 * calls.count }

  /// Returns the calls in groups that don't influence each other.
  func parts<Model: SequentialModel<Operation, Answer>>(of model: Model) -> [[Int]] {
    var places: [AnyHashable?: Int] = [:]
    var parts: [[Int]] = []
    for (index, call) in calls.enumerated() {
      let part = model.part(of: call.operation)
      if let place = places[part] {
        parts[place].append(index)
      } else {
        places[part] = parts.count
        parts.append([index])
      }
    }
    return parts
  }
}
