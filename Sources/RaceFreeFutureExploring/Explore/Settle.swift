// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// Suspends the calling task until nothing else can continue, in a test with ``ExploredTrait``.
///
/// ```swift
/// @Test(.explored(.once)) func `a letter that is followed by another isn't searched for`() async throws {
///   let model = await SearchModel()
///   await model.type("c")
///   await settle()
///   await #expect(model.searches == 0)
///   try await Task.sleep(for: .milliseconds(300))
///   await settle()
///   await #expect(model.searches == 1)
/// }
/// ```
///
/// As ``TaskScenario/settle()``, for code that has no scenario. Outside of an exploration it stops the program.
public func settle() async {
  guard let run = ExploredPlace.current?.run, run.taskScenario != nil else {
    fatalError("settle() was called outside of an exploration: give the test the trait .explored, or use exploreTasks")
  }
  await run.settle()
}
