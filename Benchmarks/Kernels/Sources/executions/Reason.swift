// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Why a number of executions isn't that of GenMC.
enum Reason: String, CaseIterable, Sendable {
  case modificationOrder = "mo"
  case sequentialOrder = "psc"
  case fairness = "fairness"
  case rounds = "rounds"
  case symmetry = "symmetry"

  var words: String {
    switch self {
    case .modificationOrder:
      """
      fewer: a store takes its place in the modification order when it is made, so an execution is missing in which a \
      store comes before one that it follows by program order and reads (po ∪ rf ∪ mo has a cycle)
      """
    case .sequentialOrder:
      """
      fewer: sequentially consistent accesses and fences are ordered as they are made, so an execution is missing in which \
      weaker accesses connect them the other way round
      """
    case .fairness:
      """
      fewer: a thread that reads the same value again and again waits until another one has acted, so executions with \
      more rounds of a loop than that are missing
      """
    case .rounds:
      "fewer: a loop has at most six rounds in each thread, which isn't what GenMC counts when it unrolls it six times"
    case .symmetry:
      "more: threads with the same code aren't taken for one another"
    }
  }
}
