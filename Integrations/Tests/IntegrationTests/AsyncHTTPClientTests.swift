// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import NIOCore
import RaceFreeFuture
import RaceFreeFutureAsyncHTTPClient
import Testing

extension IntegrationTests {
  @Suite struct AsyncHTTPClientTests {
    private func request(to server: ChunkServer) throws -> HTTPClient.Request {
      try HTTPClient.Request(url: "http://127.0.0.1:\(server.port)/")
    }

    @Test func `a request is answered`() async throws {
      let server = try await ChunkServer(chunks: 3)
      let response = try await HTTPClient.shared.response(to: request(to: server), until: .never).value
      #expect(response.body.map(String.init(buffer:)) == "chunk chunk chunk ")
      await server.stop()
    }

    @Test func `a request is stopped by a token, and the server notices`() async throws {
      let server = try await ChunkServer()
      let view = Future(label: "view")
      let response = try HTTPClient.shared.response(to: request(to: server), until: view.cancelToken)
      let scope = try await server.request.value
      #expect(response.isPending && scope.isPending)
      view.cancel()
      await #expect(throws: CancellationError.self) { try await response.value }
      #expect(await scope.outcome == .cancelled)
      await server.stop()
    }

    @Test func `a request isn't sent for a cancelled token`() async throws {
      let server = try await ChunkServer()
      let view = Future(label: "view")
      view.cancel()
      let response = try HTTPClient.shared.response(to: request(to: server), until: view.cancelToken)
      #expect(response.isCancelled && server.request.isPending)
      await server.stop()
    }

    @Test func `a request has the deadline of its token`() async throws {
      let server = try await ChunkServer()
      let view = Future(label: "view")
      view.cancel(after: .milliseconds(50))
      let response = try HTTPClient.shared.response(to: request(to: server), until: view.cancelToken)
      await #expect(throws: TimeoutError.self) { try await response.value }
      await server.stop()
    }
  }
}
