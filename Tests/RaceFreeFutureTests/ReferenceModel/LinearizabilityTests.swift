// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Each public call of the token takes effect at one moment between its begin and its end.
@Suite struct LinearizabilityTests {
  private typealias Call = ModelledOperation<Future, Future.Outcome?>

  private let polls: [Call] = [
    .init("isPending", { $0.isPending }, model: { $0 == nil }),
    .init("isCompleted", { $0.isCompleted }, model: { $0 == .completed }),
    .init("isCancelled", { $0.isCancelled }, model: { $0 == .cancelled }),
  ]

  private let trials: [Call] = [
    .init("tryComplete()", { $0.tryComplete() }, model: { decide(&$0, .completed) }),
    .init("tryCancel()", { $0.tryCancel() }, model: { decide(&$0, .cancelled) }),
  ]

  /// Without a queued block they take their turn in place.
  private let decisions: [Call] = [
    .init("complete()", { $0.complete() }, model: { _ = decide(&$0, .completed) }),
    .init("cancel()", { $0.cancel() }, model: { _ = decide(&$0, .cancelled) }),
  ]

  private let blocks: [Call] = [
    .init("perform", { future in future.performAndWait { future.isPending } }, model: { $0 == nil }),
    .init(
      "perform, completing",
      { future in
        future.performAndWait {
          defer { future.complete() }
          return future.isPending
        }
      },
      model: { decide(&$0, .completed) }
    ),
    .init("unlessCancelled", { $0.unlessCancelledAndWait {} != nil }, model: { $0 != .cancelled }),
  ]

  @Test(arguments: 2...3) func `deciding and polling are linearizable`(threads: Int) async throws {
    _ = await stress(threads, trials + decisions + polls)
  }

  @Test(arguments: 2...3) func `trying, polling and blocks that are waited for are linearizable`(
    threads: Int
  ) async throws {
    _ = await stress(threads, trials + polls + blocks)
  }

  private func stress(_ threads: Int, _ operations: [Call]) async -> LinearizabilityReport {
    await linearizabilityStress(
      "Future",
      histories: iterations(2_000),
      threads: threads,
      make: { Future() },
      model: nil,
      operations: operations,
      finally: polls
    )
  }
}

/// Whether this call decided.
private func decide(_ outcome: inout Future.Outcome?, _ new: Future.Outcome) -> Bool {
  if outcome != nil { return false }
  outcome = new
  return true
}
