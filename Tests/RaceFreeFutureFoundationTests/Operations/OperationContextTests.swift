// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import TestSupport
import Testing

@Suite(.exitTests) struct OperationContextTests {
  @Test func `an operation runs in the context of the code that made it`() async {
    // For the whole program, so it has one of its own.
    await #expect(processExitsWith: .success) { try await OperationContextTests.context() }
  }

  @TaskLocal private static var name = "nobody"

  fileprivate static func context() async throws {
    Future.contextPropagation = {
      let captured = name
      return { body in $name.withValue(captured, operation: body) }
    }
    let queue = OperationQueue()
    let operation = $name.withValue("a") { FutureOperation<String> { _ in name } }
    let added = $name.withValue("b") { queue.add { _ in name } }
    $name.withValue("c") { queue.addOperation(operation) }
    #expect(try await operation.valueFuture.value == "a")
    #expect(try await added.value == "b")
  }
}
