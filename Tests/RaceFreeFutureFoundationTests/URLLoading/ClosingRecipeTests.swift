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

/// The recipe in the guide Stopping downloads: `ClosingRecipe.swift`.
@Suite struct ClosingRecipeTests {
  @Test(arguments: Sessions.allCases)
  func `a session is closed while requests run, and those that come later are cancelled`(sessions: Sessions) async {
    for _ in 0..<iterations(5) {
      let asked = EventLog<String>()
      let server = TestServer { connection in
        connection.sendHead(length: 1_000_000)
        connection.send(body(of: 1_000))
        asked.add(connection.path)
        connection.waitForHangUp()
      }
      defer { server.stop() }
      let client = Client(sessions.makeSession())
      let pages = (0..<20).map { client.page(server.url("/\($0)")) }
      _ = try? await asked.wait(for: 20)
      await client.close()
      for page in pages { #expect(page.isCancelled) }
      #expect(client.page(server.url("/late")).isCancelled)
      #expect(asked.events.count == 20 && server.connectionCount == 20)
    }
  }

  @Test(arguments: Sessions.allCases)
  func `a session is closed while other threads make requests`(sessions: Sessions) async {
    let server = TestServer { $0.respond(200, body(of: 1_000)) }
    defer { server.stop() }
    for _ in 0..<iterations(10) {
      let client = Client(sessions.makeSession())
      let begun = Gate("requests have begun")
      async let closed: Void = {
        await begun.passed()
        await client.close()
      }()
      let pages = await onThread {
        (0..<40).map { number in
          if number == 5 { begun.open() }
          return client.page(server.url("/\(number)"))
        }
      }
      await closed
      for page in pages { #expect(await page.outcome == .cancelled || page.isCompleted) }
    }
  }
}
