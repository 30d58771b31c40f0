// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The example in the documentation of `Future`.
@Suite struct FirstExampleTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let session = Sessions.plain.session

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("page")
  }

  @Test func `what was downloaded is in the file`() async throws {
    let server = TestServer { $0.respond(200, Data("hello".utf8)) }
    defer { server.stop() }
    try await download(server.url(), to: file, in: session).value
    #expect(try Data(contentsOf: file) == Data("hello".utf8))
  }

  @Test func `a connection that is refused is no completion, and leaves no file`() async throws {
    let nobody = try #require(URL(string: "http://127.0.0.1:1/"))
    let error = await #expect(throws: URLError.self) { try await download(nobody, to: file, in: session).value }
    #expect(error?.code == .cannotConnectToHost)
    #expect(folder.contents == [])
  }

  @Test(arguments: [404, 500])
  func `an answer that isn't the page is no completion, and leaves no file`(status: Int) async throws {
    let server = TestServer { $0.respond(status, Data("sorry".utf8)) }
    defer { server.stop() }
    let error = await #expect(throws: URLError.self) { try await download(server.url(), to: file, in: session).value }
    #expect(error?.code == .badServerResponse)
    #expect(folder.contents == [])
  }

  @Test func `a file that can't be written is no completion`() async throws {
    let server = TestServer { $0.respond(200, Data("hello".utf8)) }
    defer { server.stop() }
    await #expect(throws: CocoaError.self) {
      try await download(server.url(), to: folder.file("none/page"), in: session).value
    }
  }

  @Test func `a cancellation closes the connection, and leaves no file`() async throws {
    let (asked, closed) = (Gate("the server was asked"), Gate("the connection was closed"))
    let server = TestServer { connection in
      asked.open()
      connection.waitForHangUp()
      closed.open()
    }
    defer { server.stop() }
    let token = download(server.url(), to: file, in: session)
    await asked.passed()
    token.cancel(throwing: Reason("not wanted"))
    await closed.passed()
    #expect(reason(token.cancellationReason) == Reason("not wanted"))
    // The task's callback comes before or after this, and finds the cancellation.
    #expect(await token.handlersFinished == .cancelled)
    #expect(folder.contents == [])
  }
}
