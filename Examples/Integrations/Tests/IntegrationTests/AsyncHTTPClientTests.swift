// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import AsyncHTTPClientRecipe
import NIOCore
import NIOHTTP1
import RaceFreeFuture
import Testing
import TimeoutHeaderRecipe

extension IntegrationTests {
  @Suite struct AsyncHTTPClientTests {
    let client = HTTPClient.shared

    private func request(to server: ChunkServer) -> HTTPClientRequest {
      HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/")
    }

    @Test func `a whole response is received`() async throws {
      let server = try await ChunkServer(chunks: 3)
      let (head, body) = try await client.response(to: request(to: server), upTo: 100, until: CancelToken.never)
      #expect(head.status == .ok && String(buffer: body) == "chunk chunk chunk ")
      await server.stop()
    }

    @Test func `a body that is longer than the limit is an error, and the server notices`() async throws {
      let server = try await ChunkServer()
      await #expect(throws: NIOTooManyBytesError.self) {
        try await client.response(to: request(to: server), upTo: 100, until: CancelToken.never)
      }
      #expect(try await server.request.value.outcome == .cancelled)
      await server.stop()
    }

    @Test func `a response is stopped by a token while it is received, and the server notices`() async throws {
      let server = try await ChunkServer()
      let view = Future(label: "view")
      let response = ValueFuture.task { try await client.response(to: request(to: server), upTo: .max, until: view) }
      let scope = try await server.request.value
      #expect(scope.isPending)
      view.cancel()
      await #expect(throws: CancellationError.self) { try await response.value }
      #expect(await scope.outcome == .cancelled)
      await server.stop()
    }

    @Test func `a response is read piece by piece, until the token is cancelled`() async throws {
      let server = try await ChunkServer()
      let view = Future(label: "view")
      let received = Future(label: "received")
      let read = ValueFuture.task {
        try await client.response(to: request(to: server), until: view) { response in
          #expect(CancelToken.current == view.cancelToken)
          for try await part in response.body where part.readableBytes > 0 { received.complete() }
        }
      }
      try await received.value
      view.cancel()
      await #expect(throws: CancellationError.self) { try await read.value }
      #expect(try await server.request.value.outcome == .cancelled)
      await server.stop()
    }

    @Test func `a request isn't sent for a cancelled token`() async throws {
      let server = try await ChunkServer()
      let view = Future(label: "view")
      view.cancel()
      await #expect(throws: CancellationError.self) {
        try await client.response(to: request(to: server), upTo: .max, until: view)
      }
      #expect(server.request.isPending)
      await server.stop()
    }

    @Test func `a response has the deadline of its token`() async throws {
      let server = try await ChunkServer()
      let view = Future(label: "view")
      let deadline = view.cancel(after: .seconds(60))
      let response = ValueFuture.task { try await client.response(to: request(to: server), upTo: .max, until: view) }
      _ = try await server.request.value
      deadline.move(to: Deadline.now)
      await #expect(throws: TimeoutError.self) { try await response.value }
      await server.stop()
    }

    @Test func `a request tells the time that the token has left`() throws {
      var request = HTTPClientRequest(url: "http://127.0.0.1/")
      let view = Future(label: "view")
      request.setTimeout(of: view)
      #expect(request.headers.isEmpty)
      view.cancel(after: .seconds(60))
      request.setTimeout(of: view)
      let text = try #require(request.headers.first(name: TimeoutHeader.name))
      let left = try #require(TimeoutHeader.interval(from: text))
      #expect(left <= .seconds(60) && left > .zero)
      request.setTimeout(of: CancelToken.never)
      #expect(request.headers.isEmpty)
    }
  }
}
