// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingFox
import FlyingSocks
import Foundation

/// An HTTP server on a free port of 127.0.0.1 that takes a different time for each answer.
///
/// The path doesn't matter: the query item `text` is the text to search for, and `number` determines the delay.
struct SlowServer: Sendable {
  let url: URL
  let seed: UInt64
  private let running: Task<Void, any Error>

  /// Starts a server, and returns when it listens.
  static func start(_ words: Words, seed: UInt64) async throws -> SlowServer {
    // On Linux, writing to a connection that the client has closed would end the process.
    _ = signal(SIGPIPE, SIG_IGN)
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0),
      logger: .disabled,
      handler: ClosureHTTPHandler { request in
        guard let number = request.query["number"].flatMap({ Int($0) }), let text = request.query["text"] else {
          return HTTPResponse(statusCode: .badRequest)
        }
        try await Task.sleep(for: .milliseconds(delay(of: number, seed: seed)))
        let lines = [text] + words.beginning(with: text)
        return HTTPResponse(statusCode: .ok, body: Data(lines.joined(separator: "\n").utf8))
      }
    )
    let running = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 600)
    guard case .ip4(let host, let port) = await server.listeningAddress, let url = URL(string: "http://\(host):\(port)")
    else { throw SocketError.unsupportedAddress }
    return SlowServer(url: url, seed: seed, running: running)
  }

  /// Stops the server at once, with all its connections.
  func stop() async {
    // Not `HTTPServer.stop()`: that closes the listening descriptor while its task may still accept from it.
    running.cancel()
    _ = await running.result
  }

  /// Returns the milliseconds that the answer to a query takes.
  func delay(of number: Int) -> UInt64 { Self.delay(of: number, seed: seed) }

  /// From 20 to 200, and the same for the same numbers everywhere: Sebastiano Vigna's SplitMix64.
  private static func delay(of number: Int, seed: UInt64) -> UInt64 {
    var bits = seed &+ UInt64(truncatingIfNeeded: number + 1) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return 20 + (bits ^ (bits >> 31)) % 181
  }
}
