// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The verdicts on the histories of one program.
///
/// A verdict depends on the answers and on the order of the calls. There are few combinations of these, so most
/// histories needn't be searched.
struct VerdictCache<Model: SequentialModel> where Model.Answer: Hashable {
  let model: Model
  private var known: [Kind: LinearizabilityVerdict] = [:]

  /// The maximum number of calls of the model for one history.
  private static var budget: Int { 200_000 }

  private struct Kind: Hashable {
    let answers: [Model.Answer?]
    /// For each call, a bit for each other call that had ended before its begin.
    let earlier: [UInt64]
    let overlaps: Bool
  }

  init(model: Model) { self.model = model }

  /// Returns the verdict on a history of at most 64 calls, always in the order of the program.
  mutating func verdict(
    of history: History<Model.Operation, Model.Answer>,
    _ counts: inout StressCounts
  ) -> LinearizabilityVerdict {
    let kind = Self.kind(history.calls)
    counts.histories += 1
    if kind.overlaps { counts.overlapping += 1 }
    if let verdict = known[kind] { return verdict }
    counts.different += 1
    let verdict = history.verdict(against: model, budget: Self.budget)
    known[kind] = verdict
    return verdict
  }

  private static func kind(_ calls: [History<Model.Operation, Model.Answer>.Call]) -> Kind {
    var related = 0
    let earlier = calls.indices.map { index -> UInt64 in
      var bits: UInt64 = 0
      for other in calls.indices where calls[other].precedes(calls[index]) {
        bits |= 1 << UInt64(other)
        related += 1
      }
      return bits
    }
    // In a history without overlaps one of every two calls is earlier.
    let pairs = calls.count * (calls.count - 1) / 2
    return Kind(answers: calls.map(\.answer), earlier: earlier, overlaps: related < pairs)
  }
}
