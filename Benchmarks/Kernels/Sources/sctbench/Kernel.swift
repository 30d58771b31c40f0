// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A program with a bug that few orders show.
struct Kernel: Sendable {
  /// Its name in SCTBench.
  let name: String
  let scenario: @Sendable (Scenario) throws -> Void

  init(_ name: String, _ scenario: @escaping @Sendable (Scenario) throws -> Void) {
    (self.name, self.scenario) = (name, scenario)
  }

  static let all: [Kernel] = locks + reorders + stages + queues
}

/// What a kernel says when its bug shows.
struct Bug: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Fails unless a condition holds, as `assert` in the original.
func check(_ condition: Bool, _ bug: String) throws(Bug) { if !condition { throw Bug(bug) } }
