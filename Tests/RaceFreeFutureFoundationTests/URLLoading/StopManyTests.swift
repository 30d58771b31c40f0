// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The recipe of the guide Stopping downloads.
@Suite struct StopManyTests {
  @Test(arguments: Sessions.allCases)
  func `a page that fails stops the others, which learn why`(sessions: Sessions) async throws {
    let (asked, closed) = (Gate("the server was asked"), Gate("the connection was closed"))
    let server = TestServer { connection in
      guard connection.path == "/waits" else {
        // The other page is on its way.
        asked.wait()
        connection.send("nonsense")
        return
      }
      asked.open()
      connection.waitForHangUp()
      closed.open()
    }
    defer { server.stop() }
    let parent = Future(label: "pages")
    let both = pages([server.url("/waits"), server.url("/fails")], in: sessions.session, below: parent)
    let error = await #expect(throws: URLError.self) { try await both.value }
    await closed.passed()
    #expect(parent.cancellationReason as? URLError == error && error != nil)
  }

  @Test func `pages that all come are in the order of their addresses`() async throws {
    let server = TestServer { $0.respond(200, Data($0.path.utf8)) }
    defer { server.stop() }
    let urls = ["/a", "/b"].map { server.url($0) }
    let data = try await pages(urls, in: Sessions.plain.session).value
    #expect(data == [Data("/a".utf8), Data("/b".utf8)])
  }
}
