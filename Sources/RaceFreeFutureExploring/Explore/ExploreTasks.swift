// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Runs asynchronous code in every order in which its tasks and actors may take turns, and shows a short order
/// that fails.
///
/// ```swift
/// @Test func `two withdrawals don't overdraw the account`() async {
///   await exploreTasks("the balance stays positive") { scenario in
///     let account = Account(balance: 100)
///     async let first: Void = account.withdraw(80)
///     async let second: Void = account.withdraw(80)
///     _ = await (first, second)
///     let balance = await account.balance
///     scenario.check(balance >= 0, "the balance is \(balance)")
///   }
/// }
/// ```
///
/// The body is code as in an app. Every task that it makes, its actors, the main actor, its continuations and streams,
/// and the futures that it makes run under the control of the explorer: on one thread, while the calling task is
/// suspended, one *step* at a time. A step is the work of a task from one suspension to the next, or a turn of an
/// actor, in which it serves its queued calls. After a step, every task or actor that can continue may be next: all
/// choices are explored. The queued calls of an actor keep their order, as do the jobs of the main actor.
///
/// Nothing takes time: `Task.sleep`, the sleeps of `ContinuousClock` and `SuspendingClock`, and the timers of futures
/// end when nothing else can continue, in the order of their deadlines. (Sleeps do so where the runtime leaves them to
/// the executor of the task: on Linux with Swift 6.3. Elsewhere they take real time, and escape the explorer's
/// control.)
///
/// An order fails if the body throws, if a check of its ``TaskScenario`` fails, if the body can't end, if a task is
/// left that will never be resumed, or if there are more steps than `maxSteps`.
///
/// A step is also interrupted where a task is made or resumed, a continuation is made, a cancellation handler registered or
/// a task cancelled, at hops, and at uses of ``Explored`` primitives; nowhere else. On Linux locks of Foundation and `pthread`, and calls of
/// Dispatch are such points, too. So data races aren't detected, nor threads that interleave at other real locks and at
/// atomics: for these there is `race`. Code that the explorer doesn't control makes it inconclusive, and is named in
/// ``Exploration/uncontrolled``: queues that others have made, actors and tasks with executors of their
/// own, input and output. When nothing else can continue, it waits a fifth of a second for them; on a busy machine,
/// longer.
///
/// Only one exploration runs at a time; others wait for their turn, and the tasks of other tests aren't touched. The
/// code doesn't run on the main thread, even if it is isolated to the main actor. If a step doesn't return for ten
/// seconds (times `RACEFREEFUTURE_PATIENCE`), this returns a report that says so, and leaves the thread behind.
///
/// A failure is recorded as an issue of the test that calls this; see ``TestReport``.
///
/// - Parameters:
///   - name: The property that should hold, in a few words; by default the name of the function.
///   - search: The orders to run, and the limits.
///   - body: The code, as in an app. It must do the same each time.
/// - Returns: The result of the exploration.
@discardableResult
public func exploreTasks(
  _ name: String = #function,
  _ search: Search = .exhaustive,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column,
  body: @escaping @Sendable @concurrent (TaskScenario) async throws -> Void
) async -> Exploration {
  let report = await Explorer(title(name), search, .body(body)).run()
  report.record(at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  return report
}
