// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureFoundation

@Suite struct StreamTransferTests {
  @Test func `when the future is resolved otherwise, a reader doesn't wait for more`() async throws {
    let result = ValueFuture<Void>()
    let transfer = StreamTransfer(result, nil)
    result.complete(throwing: Reason("the file can't be read"))
    _ = await result.handlersFinished
    #expect(try await transfer.next() == nil)
  }

  private final class Subject: Sendable {
    let result = ValueFuture<Void>()
    let transfer: StreamTransfer
    let hasReturned = Gate("the reader has returned")

    init() { transfer = StreamTransfer(result, nil) }
  }

  @Test func `a reader that finds nothing while the future is cancelled is thrown the reason`() async {
    await stress(
      rounds: iterations(2_000),
      make: { Subject() },
      actors: [
        { subject in
          Task {
            await #expect(throws: Reason("over")) { try await subject.transfer.next() }
            subject.hasReturned.open()
          }
        },
        { subject in subject.result.cancel(throwing: Reason("over")) },
      ],
      verify: { subject in subject.hasReturned.wait() }
    )
  }
}
