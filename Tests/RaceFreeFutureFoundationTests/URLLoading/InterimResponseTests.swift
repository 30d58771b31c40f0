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

/// A server may send responses with a status of 100 to 199 before the one that answers the request.
@Suite struct `Interim responses` {
  private static let interim = [
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n",
  ]

  @Test(arguments: Sessions.allCases, interim)
  func `aren't the response`(sessions: Sessions, interim: String) async throws {
    let answer = Data("answer".utf8)
    let server = TestServer { connection in
      connection.send(interim)
      connection.respond(200, answer)
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let statuses = EventLog<Int?>()
    let check = { @Sendable (response: URLResponse) in
      statuses.add(status(response))
      try response.checkStatus()
    }
    var request = URLRequest(url: server.url())

    let stream = sessions.session.bodyStream(for: request, checkResponse: check)
    #expect(try await status(stream.response) == 200)
    #expect(try await stream.reduce(into: Data()) { $0 += $1 } == answer)

    let file = folder.file("file")
    #expect(
      try await status(sessions.session.downloadFuture(for: request, to: file, checkResponse: check).value) == 200
    )
    #expect(try Data(contentsOf: file) == answer)

    request.httpMethod = "POST"
    let upload = sessions.session.uploadFuture(for: request, from: body(of: 10_000), checkResponse: check)
    #expect(try await upload.value.0 == answer)
    #expect(statuses.events == [200, 200, 200])
  }

  @Test(arguments: Sessions.allCases, interim)
  func `don't stand in for a response that doesn't come`(sessions: Sessions, interim: String) async throws {
    let server = TestServer { $0.send(interim) }
    defer { server.stop() }
    let future = sessions.session.dataFuture(from: server.url())
    await #expect(throws: URLError.self) { try await future.value }
  }

  @Test(arguments: Sessions.allCases)
  func `that switch to another protocol are the response`(sessions: Sessions) async throws {
    let server = TestServer { $0.send("HTTP/1.1 101 Switching Protocols\r\nConnection: close\r\n\r\nhello") }
    defer { server.stop() }
    let (data, response) = try await sessions.session.dataFuture(from: server.url()).value
    #expect(status(response) == 101)
    #expect(data == Data("hello".utf8))
  }
}
