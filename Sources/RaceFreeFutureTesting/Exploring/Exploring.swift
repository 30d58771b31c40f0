// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Makes a test an exploration: runs its code in every order, and throws the report if one fails.
///
/// ```swift
/// @Test func `an image is loaded once`() async throws {
///   try await exploring { scenario in
///     …
///   }
/// }
/// ```
///
/// The same as ``exploreTasks(_:_:seed:maxSteps:body:)`` and ``TestReport/verify()``, in Swift Testing and in XCTest.
///
/// - Parameters:
///   - name: The property that should hold, in a few words; by default the name of the test.
///   - search: The orders to run.
///   - maxSteps: An order that is longer has no end; at least 1. It counts once for every ten tasks and threads of the
///     order, up to a hundred times.
///   - body: The code, as in an app. It must do the same each time.
/// - Throws: ``FailedReport`` if an order fails.
public func exploring(
  _ name: String = #function,
  _ search: Search = .exhaustive,
  maxSteps: Int = 1_000,
  body: @escaping @Sendable @concurrent (TaskScenario) async throws -> Void
) async throws {
  // "a sentence()" and "testThis()" are functions.
  let name = name.hasSuffix("()") ? String(name.dropLast(2)) : name
  try await exploreTasks(name, search, maxSteps: maxSteps, body: body).verify()
}
