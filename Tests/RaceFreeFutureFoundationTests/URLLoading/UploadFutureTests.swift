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

@Suite struct `Upload futures` {
  private func post(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    return request
  }

  @Test(arguments: Sessions.allCases, [0, 1, 500_000])
  func `send data or a file, and bring the answer`(sessions: Sessions, size: Int) async throws {
    let sent = body(of: size)
    let server = TestServer { connection in
      connection.respond(200, Data("\(connection.body == sent)".utf8))
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try sent.write(to: folder.file("file"))
    let request = post(server.url())
    for future in [
      sessions.session.uploadFuture(for: request, from: sent),
      sessions.session.uploadFuture(for: request, fromFile: folder.file("file")),
    ] {
      let (data, response) = try await future.value
      #expect(status(response) == 200)
      #expect(String(decoding: data, as: UTF8.self) == "true")
    }
  }

  @Test(arguments: Sessions.allCases)
  func `tell how much has been sent`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(200, Data("answer".utf8)) }
    defer { server.stop() }
    let log = EventLog<[Int64?]>()
    _ = try await sessions.session.uploadFuture(for: post(server.url()), from: body(of: 500_000)) {
      log.add([$0, $1])
    }.value
    #expect(log.events.last == [500_000, 500_000])
  }

  @Test(arguments: Sessions.allCases)
  func `fail without a request when there is no file to send`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond() }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let future = sessions.session.uploadFuture(for: post(server.url()), fromFile: folder.file("missing"))
    await #expect(throws: CocoaError.self) { try await future.value }
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: Sessions.allCases)
  func `fail without a request when it isn't a file that is to be sent`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond() }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    // Safe: the string lives through the call.
    #expect(unsafe mkfifo(folder.file("pipe").path, 0o600) == 0)
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    for file in [folder.url, folder.file("pipe"), link, URL(fileURLWithPath: "/dev/null"), server.url()] {
      let future = sessions.session.uploadFuture(for: post(server.url()), fromFile: file)
      #expect(future.isCompleted, "\(file)")
      await #expect(throws: CocoaError.self, "\(file)") { try await future.value }
    }
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: Sessions.allCases)
  func `stop sending when they are cancelled`(sessions: Sessions) async throws {
    // The server reads the whole body before it looks at the request, and never gets to the end of this one.
    let (isAsked, hasHungUp) = (Gate("asked"), Gate("hung up"))
    let server = TestServer { connection in
      isAsked.open()
      connection.waitForHangUp()
      hasHungUp.open()
    }
    defer { server.stop() }
    let future = sessions.session.uploadFuture(for: post(server.url()), from: body(of: 10_000))
    await isAsked.passed()
    future.cancel(throwing: Reason("enough"))
    await #expect(throws: Reason("enough")) { try await future.value }
    await hasHungUp.passed()
  }
}
