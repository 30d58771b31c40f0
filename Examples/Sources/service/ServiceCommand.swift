// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import FlyingFox
import FlyingSocks
import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import Synchronization

/// The command `service`.
@main
struct ServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Serves requests on 127.0.0.1 until it gets a signal, and then shuts down gracefully.",
    discussion: """
      At the first signal, INT (Ctrl-C) or TERM, it accepts no more requests, and finishes those that it has. When the \
      time for that is over, or at a second signal, it cancels what still runs. Work that ignores the cancellation is \
      listed.

      EXIT STATUS
        0    everything has ended
        1    something hasn't
        64   invalid arguments
      """
  )

  @Option(parsing: .unconditional, help: ArgumentHelp("The port. (default: any free one)", valueName: "n"))
  var port: UInt16?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of seconds for finishing requests.", valueName: "s")
  )
  var grace = 10.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of seconds for cancelled work to end.", valueName: "s")
  )
  var patience = 5.0

  func validate() throws {
    for (name, seconds) in [("--grace", grace), ("--patience", patience)] {
      guard seconds >= 0, seconds <= 31_536_000 else {
        throw ValidationError("\(name) is a number of seconds: at least 0 and at most a year, not \(seconds)")
      }
    }
  }

  func run() async throws {
    // On Linux, writing to a connection that the client has closed would end the process.
    _ = signal(SIGPIPE, SIG_IGN)
    let service = Service()
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port ?? 0),
      timeout: 3_600,
      logger: .disabled,
      handler: ClosureHTTPHandler { request in await service.answer(request) }
    )
    let listening = try await start(server)
    guard case .ip4(let host, let port) = await server.listeningAddress,
      let url = URL(string: "http://\(host):\(port)")
    else { throw SocketError.unsupportedAddress }
    say("serving \(url)")
    service.scope.stopToken.onCancel(on: .inline) {
      say("stopping: \(service.requests.load(ordering: .relaxed)) in progress")
    }
    service.scope.onCancel(on: .inline) { reason in
      // At the end of a graceful stop the scope is cancelled, too.
      if service.scope.count > 0 { say("cancelling: \(reason)") }
    }
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

  /// Starts the server, and returns when it listens: the task in which it runs.
  private func start(_ server: HTTPServer) async throws -> Task<Void, Never> {
    // What comes first decides: it listens, or it has failed.
    let start = Future(label: "start of the server")
    let listening = Task {
      do {
        try await server.run()
      } catch {
        start.cancel(throwing: error)
      }
    }
    let waiting = Task {
      try await server.waitUntilListening(timeout: 3_600)
      start.complete()
    }
    defer { waiting.cancel() }
    do {
      try await start.value
    } catch SocketError.failed(_, let code, let message) {
      throw ValidationError("--port: \(port ?? 0) \(code == EADDRINUSE ? "is in use" : "can't be used: \(message)")")
    }
    return listening
  }
}

/// Writes a line at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
