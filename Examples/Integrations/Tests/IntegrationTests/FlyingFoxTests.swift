// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingFox
import FlyingFoxRecipe
import FlyingSocks
import Foundation
import RaceFreeFuture
import Testing

/// A server on a port of its own, whose only page sends chunks until its scope is cancelled or the page is complete.
struct ChunkServer {
  let server: HTTPServer
  let running: ValueFuture<Void>
  let port: UInt16
  /// The scope of the first request.
  let request: ValueFuture<Scope>

  init(chunks: Int = .max) async throws {
    server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    let request = ValueFuture<Scope>()
    self.request = request
    await server.appendRoute("*") { _ in
      let scope = Scope(label: "request")
      let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
      scope.addTask {
        var count = 0
        while count < chunks {
          continuation.yield(Array("chunk ".utf8))
          count += 1
          if chunks == .max { try await Task.sleep(for: .milliseconds(1)) }
        }
        continuation.finish()
      }
      request.complete(with: scope)
      return HTTPResponse(streaming: stream, cancelling: scope)
    }
    running = .task { [server] in try await server.run() }
    try await server.waitUntilListening(timeout: 600)
    guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
    self.port = port
  }

  /// Returns when nothing is left that a later test could see.
  func stop() async {
    await server.stop()
    _ = await running.outcome
    request.cancel()
    if case .success(let scope) = request.result {
      scope.cancel()
      await scope.drain()
    }
  }
}

extension IntegrationTests {
  @Suite struct FlyingFoxTests {
    @Test func `a client that disconnects cancels the work behind the page`() async throws {
      let server = try await ChunkServer()
      let client = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: server.port))
      try await client.write(Data("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      #expect(try await client.read(bytes: 8) == Array("HTTP/1.1".utf8))
      let scope = try await server.request.value
      #expect(scope.isPending && scope.count == 1)
      try client.close()
      #expect(await scope.outcome == .cancelled)
      await scope.drain()
      await server.stop()
    }
  }
}
