// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Finds the calls of a failing history that cause the failure.
///
/// A call can't just be left out: without the push, the pop that returned its value would seem to be wrong. So a call
/// is left out if the history still fails *whether or not* that call took effect, at any time and with any answer; then
/// it is irrelevant.
///
/// The rest has to make sense to a reader. One call is the culprit: all others are legal by themselves, and make its
/// answer possible at another time. Calls that are necessary for this stay, even if the proof doesn't need them.
struct HistoryMinimizer<Model: SequentialModel> {
  typealias Recorded = History<Model.Operation, Model.Answer>

  let model: Model
  /// The maximum number of calls of the model for a long history.
  private let budget: Int
  /// The maximum number of calls of the model for a reduced history: for one check, and in all.
  private let question: Int
  private var left: Int
  /// The possible states of the object before the first call; empty: it was new.
  private(set) var starts: [Model.State] = []
  /// The number of earlier calls.
  private(set) var earlier = 0

  init(model: Model, budget: Int) {
    self.model = model
    self.budget = budget
    question = min(budget, 100_000)
    left = budget
  }

  /// Returns the calls of a failing history that can't be left out, in their order.
  mutating func minimize(_ history: Recorded) -> Recorded {
    for part in history.parts(of: model) {
      let calls = Recorded(part.map { history.calls[$0] })
      guard let end = firstFailure(of: calls) else { continue }
      return shrink(window(of: prefix(of: calls, end)))
    }
    return history
  }

  /// Returns the end at which every order has stopped; nil if the history isn't known to fail.
  private func firstFailure(of history: Recorded) -> UInt64? {
    var search = LinearizabilitySearch(model: model, calls: history.calls, budget: budget)
    guard case .notLinearizable = search.run() else { return nil }
    return search.reached
  }

  /// Returns the shortest beginning that fails: cut off at a moment, with the calls that are running then as pending
  /// ones.
  private mutating func prefix(of history: Recorded, _ reached: UInt64) -> Recorded {
    let ends = Set(history.calls.compactMap(\.ended)).sorted()
    // All ends before were passed. Nearly always this is the one; but the answers of calls that end later may be
    // relevant.
    guard var low = ends.firstIndex(of: reached) else { return history }
    var high = low
    while high < ends.count - 1, !isKnownToFail(history.cut(at: ends[high])) {
      (low, high) = (high + 1, min(ends.count - 1, high + max(1, high + 1 - low) * 2))
    }
    while low < high {
      let middle = (low + high) / 2
      if isKnownToFail(history.cut(at: ends[middle])) { high = middle } else { low = middle + 1 }
    }
    return history.cut(at: ends[high])
  }

  private func isKnownToFail(_ history: Recorded) -> Bool { firstFailure(of: history) != nil }

  /// Returns the end of a long history, if that fails in every state that the object may have had before.
  ///
  /// Calls that were running when it begins may have taken effect before, after, or not at all. The states are all that
  /// an order may lead to when the calls that had ended are placed, and none that begins later.
  private mutating func window(of history: Recorded) -> Recorded {
    guard history.calls.count > 64 else { return history }
    let begins = history.calls.map(\.begun).sorted()
    // As few calls as suffice: the time to find the relevant ones grows exponentially.
    let windows = [1, 2, 4, 8, 16, 32].map { begins[begins.count - $0] }.map { begin in
      (begin: begin, before: history.calls.filter { $0.begun < begin })
    }
    var search = LinearizabilitySearch(
      model: model,
      calls: history.calls,
      budget: budget,
      collecting: windows.map { begin, before in before.count { ($0.ended ?? .max) < begin }...before.count }
    )
    guard case .notLinearizable = search.run() else { return history }
    for ((begin, before), states) in zip(windows, search.states) where states.count <= 1_000 {
      let open = before.filter { ($0.ended ?? .max) >= begin }.map(\.optional)
      let window = Recorded(open + history.calls.filter { $0.begun >= begin })
      starts = Array(states)
      if fails(window) {
        earlier = before.count
        return window
      }
    }
    starts = []
    return history
  }

  private mutating func shrink(_ history: Recorded) -> Recorded {
    let all = history.calls.indices
    // The one that ended last was the first to be impossible. But if others saw its effect, another one may be the
    // culprit.
    let latest = all.filter { history.calls[$0].ended != nil }
      .sorted { (history.calls[$0].ended ?? 0) > (history.calls[$1].ended ?? 0) }
    let culprit = latest.first { isLegal(without: $0, history, Array(all)) } ?? latest.first
    guard let culprit else { return history }
    let isDistinct = isLegal(without: culprit, history, Array(all))
    let isExplicable = isPossible(culprit, history, Array(all))

    var weakened = history
    var shown = Array(all)
    // Large pieces first, so that long histories take no time; and the later calls before those they depend on.
    var size = max(1, history.calls.count / 2)
    while size > 1 || shown.count <= 64 {
      for piece in Array(shown.reversed()).pieces(of: size) {
        let left = piece.filter { $0 != culprit }
        let rest = shown.filter { !left.contains($0) }
        let before = weakened
        for index in left { weakened.calls[index] = history.calls[index].optional }
        if !left.isEmpty, fails(weakened), !isDistinct || isLegal(without: culprit, history, rest),
          !isExplicable || isPossible(culprit, history, rest)
        {
          shown = rest
        } else {
          weakened = before
        }
      }
      if size == 1 { break }
      size /= 2
    }
    return Recorded(shown.map { history.calls[$0] })
  }

  /// Returns true if the shown calls without the culprit have an explanation.
  private mutating func isLegal(without culprit: Int, _ history: Recorded, _ shown: [Int]) -> Bool {
    !fails(Recorded(shown.filter { $0 != culprit }.map { history.calls[$0] }))
  }

  /// Returns true if some of the shown calls, with any answers, can lead to the answer of the culprit.
  private mutating func isPossible(_ culprit: Int, _ history: Recorded, _ shown: [Int]) -> Bool {
    !fails(Recorded(shown.map { $0 == culprit ? history.calls[$0] : history.calls[$0].optional }))
  }

  private mutating func fails(_ history: Recorded) -> Bool {
    guard left > 0 else { return false }
    var search = LinearizabilitySearch(model: model, calls: history.calls, budget: min(question, left), starts: starts)
    let verdict = search.run()
    left -= search.steps
    if case .notLinearizable = verdict { return true }
    return false
  }
}

extension History {
  /// Returns the history as it was known at a moment.
  func cut(at time: UInt64) -> Self {
    Self(
      calls.filter { $0.begun <= time }.map { call in
        call.ended.map { $0 <= time } ?? false ? call : call.pending
      }
    )
  }
}

extension Array {
  fileprivate func pieces(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
