// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A blocking bug of GoBench's GoKer, in Swift: one program, with the mistake and mended.
struct Kernel: Sendable {
  /// GoBench's kinds, for which it publishes what three tools for Go found (in its artifact, `cmd/pdf/index.html`; for
  /// single kernels it doesn't).
  enum Kind: String, CaseIterable {
    case resource, communication, mixed

    var goleak: Int { self == .resource ? 14 : self == .communication ? 20 : 9 }
    var goDeadlock: Int { self == .resource ? 23 : self == .communication ? 0 : 5 }
    var dingoHunter: Int { self == .communication ? 1 : 0 }
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
