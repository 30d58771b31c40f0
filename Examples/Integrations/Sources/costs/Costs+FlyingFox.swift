// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import FlyingFox
import FlyingFoxRecipe
import FlyingSocks
import NIOCore
import RaceFreeFuture

extension Costs {
  static func measureFlyingFox() async throws {
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    @Sendable func page() -> AsyncStream<[UInt8]> {
      AsyncStream { continuation in
        for _ in 0..<10 { continuation.yield([UInt8](repeating: 0x78, count: 1000)) }
        continuation.finish()
      }
    }
    await server.appendRoute("/bare") { _ in
      HTTPResponse(statusCode: .ok, body: HTTPBodySequence(from: Chunks(chunks: page())))
    }
    await server.appendRoute("/recipe") { _ in
      HTTPResponse(streaming: page(), cancelling: Scope(label: "request"))
    }
    let running = ValueFuture.task { try await server.run() }
    try await server.waitUntilListening(timeout: 600)
    guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
    func get(_ path: String) async throws {
      let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/\(path)")
      let body = try await HTTPClient.shared.execute(request, deadline: .distantFuture).body.collect(upTo: 20_000)
      precondition(body.readableBytes == 10_000)
    }
    try await compare("FlyingFox: a body in ten pieces; that is cancelled with its client", times: 50) {
      try await get("bare")
    } recipe: {
      try await get("recipe")
    }
    await server.stop()
    _ = await running.outcome
  }
}

/// The bytes of chunks, as in the recipe.
private struct Chunks: AsyncBufferedSequence {
  let chunks: AsyncStream<[UInt8]>

  func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var chunks: AsyncStream<[UInt8]>.Iterator
    var rest: ArraySlice<UInt8> = []

    mutating func next() async -> UInt8? { await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
      while rest.isEmpty {
        guard let chunk = await chunks.next(isolation: #isolation) else { return nil }
        rest = chunk[...]
      }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}
