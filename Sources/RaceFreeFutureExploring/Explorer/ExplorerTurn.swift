// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture
internal import RaceFreeFutureTestingTools

#if canImport(Testing)
  public import Testing
#endif

/// A trait of tests that explore: they wait for the explorer before their time limit begins.
///
/// One exploration runs at a time, and others wait for their turn. With `.timeLimit`, which begins when the body of a test
/// does, that wait counts. A test with this trait gets its turn before, and keeps it to its end:
///
/// ```swift
/// @Test(.explorerTurn, .timeLimit(.minutes(1)))
/// func `two withdrawals don't overdraw the account`() async {
///   await exploreTasks { scenario in … }
/// }
/// ```
///
/// The cases of a test with arguments have one turn together, and their explorations follow each other; there the wait for
/// other cases still counts.
public struct ExplorerTurn: Sendable {
  /// A turn that a test has.
  private final class Held: Sendable {
    /// The turns of the explorations of the test.
    let turns = Turns()
    let isOver = Locked(false)
  }

  @TaskLocal private static var held: Held?

  /// True in a test that has the explorer.
  static var isHeld: Bool { held != nil }

  /// Runs a block when no other exploration runs.
  static func take<T: Sendable>(_ body: () async -> T) async -> T {
    guard let held else { return await RuntimeControl.turns.take(body) }
    return await held.turns.take {
      // A task that the test has left behind waits as others do.
      held.isOver.withLock(\.self) ? await RuntimeControl.turns.take(body) : await body()
    }
  }

  /// Runs a block that has the explorer to its end: all explorations in it, one after the other, and no others.
  static func hold(_ body: () async throws -> Void) async throws {
    // A test that is run by another one has the turn already.
    if isHeld { return try await body() }
    try await RuntimeControl.turns.take {
      let own = Held()
      do {
        try await $held.withValue(own) { try await body() }
        await own.turns.take { own.isOver.withLock { $0 = true } }
      } catch {
        await own.turns.take { own.isOver.withLock { $0 = true } }
        throw error
      }
    }
  }
}

#if canImport(Testing)
  extension ExplorerTurn: TestTrait, SuiteTrait, TestScoping {
    /// True: each test of a suite waits by itself.
    public var isRecursive: Bool { true }

    /// Returns the trait for a test as a whole, outside of its time limit, and nil for its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
      testCase == nil && !test.isSuite ? self : nil
    }

    /// Runs a test when it has the explorer.
    @concurrent public func provideScope(
      for test: Test,
      testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      try await Self.hold { try await function() }
    }
  }

  extension Trait where Self == ExplorerTurn {
    /// Waits for the explorer before the test's time limit begins.
    public static var explorerTurn: Self { ExplorerTurn() }
  }
#endif
