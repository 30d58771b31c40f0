// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import FlyingFox
import FlyingSocks
public import Foundation
import RaceFreeFuture

/// An HTTP server on 127.0.0.1, for examples that need one.
public struct LoopbackServer: Sendable {
  /// The server's URL, for example `http://127.0.0.1:40123`.
  public let url: URL
  private let server: HTTPServer
  private let running: Task<Void, any Error>

  /// Starts a server on a port, or on any that is free, and returns when it listens.
  public static func start(
    port: UInt16 = 0,
    answering answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> LoopbackServer {
    // On Linux, writing to a connection that the client has closed would end the process.
    _ = signal(SIGPIPE, SIG_IGN)
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port),
      timeout: 3_600,
      logger: .disabled,
      handler: ClosureHTTPHandler(answer)
    )
    let running = Task { try await server.run() }
    // What comes first decides: it listens, or it has failed.
    let failure = ValueFuture.task(label: "failure of the server") { try await running.value }
    let start = ValueFuture.task(label: "start of the server") { try await server.waitUntilListening(timeout: 600) }
    try await ValueFuture.race([failure, start]).value
    guard case .ip4(let host, let port) = await server.listeningAddress, let url = URL(string: "http://\(host):\(port)")
    else { throw SocketError.unsupportedAddress }
    return LoopbackServer(url: url, server: server, running: running)
  }

  /// Stops the server, and gives the last answers a second to arrive.
  public func finish() async { await server.stop(timeout: 1) }

  /// Stops the server at once, with all its connections.
  public func stop() async {
    // Not `HTTPServer.stop()`: that closes the listening descriptor while its task may still accept from it.
    running.cancel()
    _ = await running.result
  }
}
