// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFutureTestingTools

/// Runs the steps of several actors in every order, and shows a short order that fails.
///
/// ```swift
/// @Test func `a view that is gone is not touched`() async {
///   await explore("a view that is gone is not touched") { scenario in
///     let view = View()
///     let loading = Future(label: "load")
///     loading.onComplete(on: .main) { view.show() }
///     scenario.actor("network", .init("complete()") { loading.complete() })
///     scenario.actor("user", .init("cancel()") { loading.cancel() }, .init("close") { view.close() })
///     scenario.atEnd { view.wasTouchedWhileClosed ? "the handler touched a view that was gone" : nil }
///   }
/// }
/// ```
///
/// The futures that are made in the scenario are driven by the explorer. Work that they would dispatch to a queue
/// becomes a step in a column of that queue, a timer a step of a clock; so the orders of handlers, `perform` blocks and
/// timeouts against the actors' calls are explored as well. Nothing takes time: a timer may fire at any moment, those
/// with the earlier deadline first. Every order begins with the scenario's closure.
///
/// A step is atomic: interruptions within it aren't tried. So make each call that is atomic by itself, as those of
/// `Future` are, a step, and split code that isn't into several steps. A wrong split hides mistakes and never invents
/// any.
///
/// Everything runs on one thread of its own, while the calling task is suspended. If a step doesn't return for ten
/// seconds (times `RACEFREEFUTURE_PATIENCE`), this returns a report that says so, and leaves the thread behind.
/// `wait()` on a future of the scenario that is pending stops the program with a message, because it could never
/// return: await `value` instead. Work that is dispatched directly isn't driven by the explorer; nor are handlers that
/// are registered with `on: MainActor.shared`, which need the main thread: use the context `.main`.
///
/// n steps that are divided equally between two actors have C(n, n/2) orders: 70 for 2 × 4, 12,870 for 2 × 8. A debug
/// build runs thousands a second.
///
/// A failure is recorded as an issue of the test that calls this; see ``TestReport``.
///
/// - Parameters:
///   - name: The property that should hold, in a few words; by default the name of the function.
///   - search: The orders to run, and the limits.
///   - scenario: Makes the objects under test and defines the actors. It must do the same each time.
/// - Returns: The result of the exploration.
@discardableResult
public func explore(
  _ name: String = #function,
  _ search: Search = .exhaustive,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line,
  column: Int = #column,
  scenario: @escaping @Sendable (Scenario) throws -> Void
) async -> Exploration {
  let report = await Explorer(title(name), search, .steps(scenario)).run()
  report.record(at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  return report
}

/// Returns a name without what marks it as that of a function: "a sentence()", "testThis()".
func title(_ name: String) -> String { name.hasSuffix("()") ? String(name.dropLast(2)) : name }
