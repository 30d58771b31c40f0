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

/// The three kinds of transfers, as far as they are alike.
private enum Kind: CaseIterable {
  case data, download, upload, uploadFile

  /// Makes a transfer that brings its response.
  func start(
    _ session: URLSession,
    _ url: URL,
    _ folder: TemporaryFolder,
    bodyLimit: Int64? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil
  ) throws -> ValueFuture<URLResponse> {
    var request = URLRequest(url: url)
    switch self {
    case .data:
      return session.dataFuture(for: request, bodyLimit: bodyLimit, checkResponse: checkResponse).map { $0.1 }
    case .download:
      let file = folder.file("file")
      return session.downloadFuture(for: request, to: file, bodyLimit: bodyLimit, checkResponse: checkResponse)
    case .upload:
      request.httpMethod = "POST"
      let data = Data("sent".utf8)
      return session.uploadFuture(for: request, from: data, bodyLimit: bodyLimit, checkResponse: checkResponse)
        .map { $0.1 }
    case .uploadFile:
      request.httpMethod = "POST"
      let file = folder.file("sent")
      try Data("sent".utf8).write(to: file)
      return session.uploadFuture(for: request, fromFile: file, bodyLimit: bodyLimit, checkResponse: checkResponse)
        .map { $0.1 }
    }
  }
}

@Suite struct `Checks of responses` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Statuses

  @Test(arguments: Sessions.allCases, Kind.allCases)
  private func `make a status a failure, for all transfers alike`(sessions: Sessions, kind: Kind) async throws {
    let server = TestServer { connection in connection.respond(connection.number, body(of: 100_000)) }
    defer { server.stop() }
    for code in [404, 500, 304] {
      let future = try kind.start(sessions.session, server.url("/\(code)"), folder) { try $0.checkStatus() }
      let error = await #expect(throws: HTTPStatusError.self) { try await future.value }
      #expect(error?.statusCode == code)
      #expect(error.map { "\($0)" } == "the server answered with status \(code): \(server.url("/\(code)"))")
    }
    #expect(!folder.contents.contains("file"))
    let good = try await kind.start(sessions.session, server.url("/201"), folder) { try $0.checkStatus() }.value
    #expect(status(good) == 201)
  }

  @Test(arguments: Sessions.tellingPieces)
  func `don't wait for the body of what isn't accepted`(sessions: Sessions) async throws {
    let hasHungUp = Gate("hung up")
    let server = TestServer { connection in
      connection.sendHead(404, length: 1000)
      connection.send("half")
      connection.waitForHangUp()
      hasHungUp.open()
    }
    defer { server.stop() }
    let future = sessions.session.dataFuture(from: server.url(), checkResponse: { try $0.checkStatus() })
    await #expect(throws: HTTPStatusError.self) { try await future.value }
    await hasHungUp.passed()
  }

  @Test(arguments: Sessions.allCases)
  func `accept the statuses that are given`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(404, Data("nobody".utf8)) }
    defer { server.stop() }
    let future = sessions.session.dataFuture(from: server.url(), checkResponse: { try $0.checkStatus(in: [200, 404]) })
    #expect(try await future.value.0 == Data("nobody".utf8))
  }

  @Test func `accept what has no status`() throws {
    let file = URL(fileURLWithPath: "/")
    let response = URLResponse(url: file, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    try response.checkStatus()
  }

  @Test(arguments: Sessions.allCases)
  func `that throw a cancellation cancel`(sessions: Sessions) async {
    let server = TestServer { $0.respond() }
    defer { server.stop() }
    let future = sessions.session.dataFuture(from: server.url(), checkResponse: { _ in throw CancellationError() })
    #expect(await future.outcome == .cancelled)
  }

  // MARK: Limits

  @Test(arguments: Sessions.allCases, Kind.allCases)
  private func `let a body be as long as the limit, and no longer`(sessions: Sessions, kind: Kind) async throws {
    let server = TestServer { $0.respond(200, body(of: 1000)) }
    defer { server.stop() }
    let failing = try kind.start(sessions.session, server.url(), folder, bodyLimit: 999)
    await #expect(throws: BodyTooLongError(limit: 999, expected: 1000)) { try await failing.value }
    #expect(!folder.contents.contains("file"))
    _ = try await kind.start(sessions.session, server.url(), folder, bodyLimit: 1000).value
  }

  @Test(arguments: Sessions.tellingPieces)
  func `notice a promise that is too long before the body comes`(sessions: Sessions) async throws {
    let hasHungUp = Gate("hung up")
    let server = TestServer { connection in
      connection.sendHead(length: 1 << 40)
      connection.waitForHangUp()
      hasHungUp.open()
    }
    defer { server.stop() }
    let future = sessions.session.dataFuture(from: server.url(), bodyLimit: 1 << 20)
    let error = await #expect(throws: BodyTooLongError.self) { try await future.value }
    #expect(error.map { "\($0)" } == "the body has 1099511627776 bytes, and 1048576 are allowed")
    await hasHungUp.passed()
  }

  @Test(arguments: Sessions.allCases)
  func `notice a body that is too long though nothing was promised`(sessions: Sessions) async throws {
    let server = TestServer { connection in
      connection.sendHead(length: nil, "Transfer-Encoding: chunked")
      var isSent = true
      // Without a delegate the body has to end; with one the connection is cut.
      for _ in 0..<200 where isSent {
        isSent = connection.send("3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n")
      }
      if isSent { connection.send("0\r\n\r\n") }
    }
    defer { server.stop() }
    let future = sessions.session.dataFuture(from: server.url(), bodyLimit: 5000)
    let error = await #expect(throws: BodyTooLongError.self) { try await future.value }
    #expect(error == BodyTooLongError(limit: 5000))
    #expect(error.map { "\($0)" } == "the body has more than 5000 bytes, which are allowed")
  }

  @Test(arguments: Sessions.allCases)
  func `say the status, and not the length, of a page that is too long and no good`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(500, body(of: 1000)) }
    defer { server.stop() }
    let future = sessions.session.dataFuture(from: server.url(), bodyLimit: 10, checkResponse: { try $0.checkStatus() })
    await #expect(throws: HTTPStatusError.self) { try await future.value }
  }
}
