// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import FlyingFox
import FlyingSocks
import Foundation
import RaceFreeFuture

/// The command `service`.
@main
struct ServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Serves requests on 127.0.0.1 until INT or TERM, and then ends in steps.",
    discussion: """
      The first signal stops it: it finishes what it has. When the time for that is over, or at the second signal, what \
      still runs is cancelled. What doesn't follow that is named, and the status is 1.
      """
  )

  @Option(help: "The port; 0: one that is free.")
  var port: UInt16 = 0

  @Option(help: "The seconds that it has to finish what it has begun.")
  var grace = 10.0

  @Option(help: "The seconds that cancelled work has to end.")
  var patience = 5.0

  func run() async throws {
    // On Linux, writing to a connection that the client has closed would end the process.
    _ = signal(SIGPIPE, SIG_IGN)
    let service = Service()
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port),
      timeout: 3_600,
      logger: .disabled,
      handler: ClosureHTTPHandler { request in await service.answer(request) }
    )
    let listening = Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(let host, let port) = await server.listeningAddress,
      let url = URL(string: "http://\(host):\(port)")
    else { throw SocketError.unsupportedAddress }
    say("serving \(url)")
    service.scope.stopToken.onCancel(on: .inline) { say("stopping: \(service.scope.count) at work") }
    service.scope.onCancel(on: .inline) { reason in say("cancelling: \(reason)") }
    defer { listening.cancel() }
    do {
      try await service.scope.shutDown(
        on: [.terminate, .interrupt],
        gracefully: .seconds(grace),
        cancelling: .seconds(patience)
      )
    } catch let late as DrainError {
      say("\(late)")
      throw ExitCode(1)
    }
    // The last answers may still be on their way; connections that are kept open without a request have to go, too.
    await server.stop(timeout: 1)
    say("everything has ended")
  }

  /// Prints a text at once, also to a reader at the other end of a pipe.
  private func say(_ text: String) { Console.write(text + "\n") }

  static func main() async { await runAsMain() }
}
