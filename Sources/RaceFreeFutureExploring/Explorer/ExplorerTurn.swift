// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
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
/// other cases still counts. If no case runs for a second, because as many others run as may at a time, the test gives
/// its turn back, and waits as others do: these may wait for it.
public struct ExplorerTurn: Sendable {
  /// A turn that a test has, as long as it is kept.
  private final class Held: Sendable {
    private struct State: Sendable {
      /// The number of cases, and of explorations, that run.
      var running = 0
      /// The number of times that none did.
      var pauses = 0
      var isGivenBack = false
    }

    /// The time without any after which the turn is given back.
    private static let pause = Duration.seconds(1)

    /// The turns of the explorations of the test.
    let turns = Turns()
    private let state = Locked(State())

    /// Notes that something begins to run; returns false if the turn has been given back.
    func begin() -> Bool {
      state.withLock { state in
        if !state.isGivenBack { state.running += 1 }
        return !state.isGivenBack
      }
    }

    func end() {
      if state.withLock({ state in
        state.running -= 1
        return state.running == 0
      }) {
        pause()
      }
    }

    /// Gives the turn back after a while, unless something runs by then.
    func pause() {
      let pauses = state.withLock { state in
        state.pauses += 1
        return state.pauses
      }
      DispatchQueue.global().asyncAfter(deadline: .after(Self.pause)) { self.giveBack(after: pauses) }
    }

    /// Gives the turn back, if it hasn't been, and nothing runs; not if there was another pause since.
    func giveBack(after pauses: Int? = nil) {
      let isGivenBack = state.withLock { state in
        guard !state.isGivenBack, state.running == 0, pauses ?? state.pauses == state.pauses else { return false }
        state.isGivenBack = true
        return true
      }
      if isGivenBack { RuntimeControl.turns.leave() }
    }
  }

  @TaskLocal private static var held: Held?

  /// Runs a block when no other exploration runs.
  static func take<T: Sendable>(_ body: () async -> T) async -> T {
    guard let held, held.begin() else { return await RuntimeControl.turns.take(body) }
    defer { held.end() }
    return await held.turns.take(body)
  }

  /// Runs a block that has the explorer, as long as a case or an exploration runs in it.
  ///
  /// In a test that has it already, the block has it, too.
  static func hold(_ body: () async throws -> Void) async throws {
    if held != nil { return try await body() }
    await RuntimeControl.turns.enter()
    let own = Held()
    own.pause()
    // If a task that the test leaves behind still explores, it is given back a pause later.
    defer { own.giveBack() }
    try await $held.withValue(own, operation: body)
  }

  /// Runs a case of a test, which keeps the turn that the test has.
  static func runCase(_ body: () async throws -> Void) async throws {
    let isKept = held?.begin() ?? false
    defer { if isKept { held?.end() } }
    try await body()
  }
}

#if canImport(Testing)
  extension ExplorerTurn: TestTrait, SuiteTrait, TestScoping {
    /// True: each test of a suite waits by itself.
    public var isRecursive: Bool { true }

    /// Returns the trait for a test as a whole, outside of its time limit, and for its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { test.isSuite ? nil : self }

    /// Runs a test when it has the explorer, or one of its cases.
    @concurrent public func provideScope(
      for test: Test,
      testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      try await testCase == nil ? Self.hold(function) : Self.runCase(function)
    }
  }

  extension Trait where Self == ExplorerTurn {
    /// Waits for the explorer before the test's time limit begins.
    public static var explorerTurn: Self { ExplorerTurn() }
  }
#endif
