// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// What looks for a mistake.
enum Tool: String, CaseIterable, Sendable {
  /// What one writes without any tool: the same program again and again.
  case loop
  case race
  case linearizability
  case explore
  case exploreTasks

  var title: String {
    switch self {
    case .loop: "a loop"
    case .linearizability: "`linearizabilityStress`"
    default: "`\(rawValue)`"
    }
  }
}
