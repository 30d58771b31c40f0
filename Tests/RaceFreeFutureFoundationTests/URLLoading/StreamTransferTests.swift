// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

    init(whole body: String? = nil) {
      transfer = StreamTransfer(result, nil)
      guard let body, let url = URL(string: "http://localhost") else { return }
      let response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
      do {
        _ = try transfer.begin(with: response, expecting: nil)
        try transfer.check(response)
        try transfer.receive(Data(body.utf8))
        transfer.end(with: response)
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `a body that has arrived is read or the reason thrown, and never cut off`() async {
    await stress(
      rounds: iterations(2_000),
      make: { Subject(whole: "abc") },
      actors: [
        { subject in
          Task {
            do {
              #expect(try await subject.transfer.next() == Data("abc".utf8))
            } catch {
              #expect(reason(error) == Reason("over"))
            }
            subject.hasReturned.open()
          }
        },
        { subject in subject.result.cancel(throwing: Reason("over")) },
      ],
      verify: { subject in subject.hasReturned.wait() }
    )
  }

  @Test func `after a failure that came before the cancellation a reader is thrown the reason`() async {
    let subject = Subject()
    subject.transfer.fail(with: URLError(.networkConnectionLost))
    subject.result.cancel(throwing: Reason("over"))
    await #expect(throws: Reason("over")) { try await subject.transfer.next() }
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
