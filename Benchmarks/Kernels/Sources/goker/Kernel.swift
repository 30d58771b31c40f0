// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A blocking bug of GoBench's GoKer, in Swift: one program, with the mistake and mended.
struct Kernel: Sendable {
  /// GoBench's kinds, in which what the three tools found is published.
  enum Kind: String, CaseIterable {
    case resource, communication, mixed

    /// How many of the kind's kernels a tool found, as published.
    var goleak: String { self == .resource ? "14 of 23" : self == .communication ? "20 of 29" : "9 of 16" }
    var goDeadlock: String { self == .resource ? "23 of 23" : self == .communication ? "0 of 29" : "5 of 16" }
    var dingoHunter: String { self == .resource ? "0 of 23" : self == .communication ? "1 of 29" : "0 of 16" }
  }

  enum Program: Sendable {
    /// Code that blocks threads.
    case threads(@Sendable (Scenario, _ isMended: Bool) -> Void)
    /// Code that suspends tasks.
    case tasks(@Sendable @concurrent (_ isMended: Bool) async throws -> Void)
  }

  /// GoBench's name: the project, and the number of the pull request that mended it.
  var name: String
  var kind: Kind
  /// The cause in a few words.
  var cause: String
  var program: Program

  static func threads(
    _ name: String,
    _ kind: Kind,
    _ cause: String,
    _ program: @escaping @Sendable (Scenario, _ isMended: Bool) -> Void
  ) -> Kernel {
    Kernel(name: name, kind: kind, cause: cause, program: .threads(program))
  }

  static func tasks(
    _ name: String,
    _ kind: Kind,
    _ cause: String,
    _ program: @escaping @Sendable @concurrent (_ isMended: Bool) async throws -> Void
  ) -> Kernel {
    Kernel(name: name, kind: kind, cause: cause, program: .tasks(program))
  }

  func explore(isMended: Bool, _ search: Search) async -> Exploration {
    let title = "\(name)\(isMended ? ", mended" : "")"
    return switch program {
    case .threads(let body):
      await RaceFreeFutureTesting.explore(title, search) { scenario in body(scenario, isMended) }
    case .tasks(let body):
      await exploreTasks(title, search) { scenario in
        scenario.sharesOnlyActorsAndExplored()
        try await body(isMended)
      }
    }
  }
}
