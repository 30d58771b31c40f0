// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingFox
import FlyingSocks
import Foundation
import Loopback

/// A slow server with five files, one of which takes six seconds.
enum Demonstration {
  private static let seconds = ["meadow": 0.6, "river": 0.9, "glacier": 6, "desert": 0.3, "harbor": 0.5]

  static func start() async throws -> LoopbackServer {
    try await .start { request in
      guard let seconds = seconds[String(request.path.dropFirst())] else { return HTTPResponse(statusCode: .notFound) }
      let pieces = SlowBody(pieces: Int(seconds * 20))
      return HTTPResponse(
        statusCode: .ok,
        body: HTTPBodySequence(from: pieces, count: pieces.pieces * SlowBody.size, suggestedBufferSize: SlowBody.size)
      )
    }
  }

  static func urls(of server: LoopbackServer) -> [URL] {
    ["meadow", "river", "glacier", "desert", "harbor"].map { server.url.appendingPathComponent($0) }
  }
}

/// A body of which a piece comes every 50 ms.
private struct SlowBody: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
  static let size = 25_000
  var pieces: Int

  func makeAsyncIterator() -> SlowBody { self }

  mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

  mutating func nextBuffer(suggested count: Int) async throws -> Data? {
    guard pieces > 0 else { return nil }
    pieces -= 1
    try await Task.sleep(for: .milliseconds(50))
    return Data(count: Self.size)
  }
}
