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
    await #expect(throws: Reason("the file can't be read")) { try await transfer.next() }
  }

  @Test func `each reader is told once what went wrong, those who wait and those who come later`() async throws {
    let subject = Subject()
    let readers = (0..<3).map { _ in
      Task {
        var (isOver, errors) = (false, [Reason?]())
        // One more than it gets.
        for _ in 0..<2 {
          do { _ = try await subject.transfer.next(&isOver) } catch { errors.append(reason(error)) }
        }
        return errors
      }
    }
    subject.transfer.fail(with: Reason("cut"))
    for reader in readers { #expect(await reader.value == [Reason("cut")]) }
    await #expect(throws: Reason("cut")) { try await subject.transfer.next() }
    #expect(await subject.result.outcome == .completed)
  }

  @Test func `each reader is told the end`() async throws {
    let subject = Subject(whole: "abc")
    #expect(try await subject.transfer.next() == Data("abc".utf8))
    for _ in 0..<3 { #expect(try await subject.transfer.next() == nil) }
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

extension StreamTransfer {
  /// The next piece for a new reader.
  fileprivate func next() async throws -> Data? {
    var isOver = false
    return try await next(&isOver)
  }
}
