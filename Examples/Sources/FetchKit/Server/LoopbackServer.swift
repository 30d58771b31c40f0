// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingFox
import FlyingSocks
public import Foundation
public import RaceFreeFuture

/// An HTTP server on a free port of 127.0.0.1: for the demonstration, and for tests.
public final class LoopbackServer: Sendable {
  /// The server's URL, for example `http://127.0.0.1:40123`.
  public let url: URL

  private let running: Task<Void, any Error>
  private let visits: Visits

  private init(url: URL, running: Task<Void, any Error>, visits: Visits) {
    self.url = url
    self.running = running
    self.visits = visits
  }

  /// Starts a server.
  ///
  /// - Parameter pages: Its answers, by path (`/name`). Every other path is a 404.
  /// - Returns: A server that listens.
  /// - Throws: An error of the network.
  public static func start(_ pages: [String: Page]) async throws -> LoopbackServer {
    // On Linux, writing to a connection that the client has closed would end the process.
    _ = signal(SIGPIPE, SIG_IGN)
    let visits = Visits()
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0),
      logger: .disabled,
      handler: ClosureHTTPHandler { request in
        guard let page = pages[request.path] else { return HTTPResponse(statusCode: .notFound) }
        return HTTPResponse(page, visit: visits.begin(request.path))
      }
    )
    let running = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 600)
    guard case .ip4(let host, let port) = await server.listeningAddress, let url = URL(string: "http://\(host):\(port)")
    else { throw SocketError.unsupportedAddress }
    return LoopbackServer(url: url, running: running, visits: visits)
  }

  /// Stops the server at once, with all its connections.
  public func stop() async {
    // Not `HTTPServer.stop()`: that closes the listening descriptor while its task may still accept from it, and by
    // then it can be the descriptor of another server.
    running.cancel()
    _ = await running.result
  }

  /// The paths of all requests so far, in the order of their arrival.
  public var requests: [String] { visits.paths }
  /// The largest number of requests that were being answered at the same time.
  public var mostRequestsAtOnce: Int { visits.mostPresent }

  /// Returns a token that completes when the server has received a number of requests in all.
  public func arrival(of number: Int) -> CancelToken { visits.arrival(of: number) }
}

extension HTTPResponse {
  fileprivate init(_ page: Page, visit: Future.Completer) {
    let status = HTTPStatusCode(page.status, phrase: page.status == 200 ? "OK" : "Status \(page.status)")
    let body = PacedBody(steps: page.steps, visit: visit)
    let sequence =
      if let length = page.length {
        HTTPBodySequence(from: body, count: length, suggestedBufferSize: 16_384)
      } else {
        HTTPBodySequence(from: body, suggestedBufferSize: 16_384)
      }
    self.init(statusCode: status, body: sequence)
  }
}
