// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

/// The recipe in the guide Operations: `StepsRecipe.swift`.
@Suite struct StepsRecipeTests {
  private let queue = OperationQueue(maxConcurrentOperationCount: 4)
  private let ran = EventLog<Int>()

  private typealias Step = @Sendable (CancelToken) throws -> Void

  /// Steps of which one ends with an error.
  private func steps(throwing error: (any Error)? = nil, at failing: Int = 0) -> [Step] {
    (0..<5).map { number in
      { [ran] _ in
        ran.add(number)
        if number == failing, let error { throw error }
      }
    }
  }

  @Test func `the steps run one after the other`() async throws {
    try await run(steps(), on: queue)
    #expect(ran.events == [0, 1, 2, 3, 4])
  }

  @Test(arguments: 0..<5)
  func `after a step that fails or is cancelled none begins, and its error is that of all`(failing: Int) async {
    for _ in 0..<iterations(20) {
      ran.removeAll()
      await #expect(throws: Reason("broken")) {
        try await run(steps(throwing: Reason("broken"), at: failing), on: queue)
      }
      #expect(ran.events == Array(0...failing))
      ran.removeAll()
      await #expect(throws: CancellationError.self) {
        try await run(steps(throwing: CancellationError(), at: failing), on: queue)
      }
      #expect(ran.events == Array(0...failing))
    }
  }

  @Test func `none begins because a step before it was cancelled`() async throws {
    let (inside, goesOn, begun) = (Gate("in the first step"), Gate("it may return"), Gate("a later step has begun"))
    let first: Step = { token in
      inside.open()
      goesOn.wait()
      try token.checkCancellation()
    }
    let later: Step = { [ran] _ in
      ran.add(1)
      begun.open()
    }
    let all = addSteps([first, later, later], to: queue)
    await inside.passed()
    let operations = queue.operations
    for operation in operations.compactMap({ $0 as? FutureOperation<Void> }) {
      // Cancelled one after the other, the one before this would end here, and free it.
      operation.onCancel(on: .inline) {
        goesOn.open()
        if operations.contains(where: { !$0.isCancelled }) { begun.wait() }
      }
    }
    await onThread { all.cancel() }
    await all.drain()
    #expect(operations.count == 3 && ran.events == [])
  }
}
