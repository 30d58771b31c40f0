// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import FlyingFox
import FlyingSocks
public import Foundation

/// An HTTP server on a free port of 127.0.0.1, for examples that need one.
public struct LoopbackServer: Sendable {
  /// The server's URL, for example `http://127.0.0.1:40123`.
  public let url: URL
  private let running: Task<Void, any Error>

  /// Starts a server, and returns when it listens.
  public static func start(
    answering answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> LoopbackServer {
    // On Linux, writing to a connection that the client has closed would end the process.
    _ = signal(SIGPIPE, SIG_IGN)
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0),
      logger: .disabled,
      handler: ClosureHTTPHandler(answer)
    )
    let running = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 600)
    guard case .ip4(let host, let port) = await server.listeningAddress, let url = URL(string: "http://\(host):\(port)")
    else { throw SocketError.unsupportedAddress }
    return LoopbackServer(url: url, running: running)
  }

  /// Stops the server at once, with all its connections.
  public func stop() async {
    // Not `HTTPServer.stop()`: that closes the listening descriptor while its task may still accept from it.
    running.cancel()
    _ = await running.result
  }
}
