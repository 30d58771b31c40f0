// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A tool that looks for a mistake.
enum Tool: String, CaseIterable, Sendable {
  /// A loop, as one writes it without any tool: the same program repeatedly.
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
