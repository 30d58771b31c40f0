// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A row of the table: a program, and what was counted under each model.
struct Row {
  enum Verdict {
    /// GenMC's number.
    case equal
    /// Not all orders were run, and what was seen isn't too much.
    case unfinished
    /// What the table says that differs.
    case known(Reason)
    /// Something else.
    case unknown(String)
  }

  let program: Program
  let counts: [Model: Count]

  func verdict(_ model: Model) -> Verdict? {
    guard let expected = program.expected(model), let count = counts[model] else { return nil }
    if let failure = count.failure { return .unknown(failure) }
    if count.isAmbiguous { return .unknown("two stores of the same value can't be told apart") }
    let (seen, known) = (count.executions.count, program.known[model])
    if seen == expected { return .equal }
    if let known, seen == known.executions || known.reason == .fairness && seen < expected {
      return .known(known.reason)
    }
    if !count.isComplete, seen <= max(expected, known?.executions ?? 0) { return .unfinished }
    return .unknown("\(expected) executions are expected")
  }

  /// What the table doesn't say: a sentence for each model.
  var news: [String] {
    Model.allCases.compactMap { model in
      guard case .unknown(let words) = verdict(model) else { return nil }
      return "\(program.name), \(model.rawValue): \(words)"
    }
  }

  /// The cells after the name: for each model GenMC's number, the one here, and the orders that were run.
  var cells: [String] {
    Model.allCases.flatMap { model in
      guard let expected = program.expected(model), let count = counts[model] else { return ["", "", ""] }
      let seen = count.executions.count
      let text = count.isComplete || seen == expected ? "\(seen)" : "≥ \(seen)"
      return ["\(expected)", text, (count.isComplete ? "" : "> ") + "\(count.orders)"]
    } + [remark]
  }

  private var remark: String {
    var words: [String] = []
    for model in Model.allCases {
      switch verdict(model) {
      case .known(let reason): words.append(reason.rawValue)
      case .unknown(let text): words.append(text)
      case .unfinished: words.append("\(model.rawValue) not all in time")
      case .equal, nil: break
      }
    }
    return words.joined(separator: ", ")
  }
}
