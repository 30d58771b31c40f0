// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Loopback
import RaceFreeFuture
import RaceFreeFutureFoundation

/// The command `service`.
@main
struct ServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Serves requests on 127.0.0.1 until it gets a signal, and then shuts down gracefully.",
    discussion: """
      At the first signal, INT (Ctrl-C) or TERM, it accepts no more requests, and finishes those that it has. When the \
      time for that is over, or at a second signal, it cancels what still runs. Work that ignores the cancellation is \
      listed. At the signal USR1 it lists what is open, and goes on.

      EXIT STATUS
        0    everything has ended
        1    something hasn't
        64   invalid arguments
      """
  )

  @Option(help: "The port, or 0 for any free one.")
  var port: UInt16 = 0

  @Option(parsing: .unconditional, help: "The number of seconds for finishing requests.")
  var grace = 10.0

  @Option(parsing: .unconditional, help: "The number of seconds for cancelled work to end.")
  var patience = 5.0

  func validate() throws {
    guard (0...31_536_000).contains(grace), (0...31_536_000).contains(patience) else {
      throw ValidationError("--grace and --patience are seconds: at least 0 and at most a year")
    }
  }

  func run() async throws {
    Scope.printOpenWork(on: .user1)
    let service = Service()
    let server = try await LoopbackServer.start(port: port) { await service.answer($0) }
    say("serving \(server.url)")
    service.scope.stopToken.onCancel(on: .inline) { say("stopping: no more requests") }
    service.scope.onCancel(on: .inline) { reason in
      // At the end of a graceful stop the scope is cancelled, too.
      if service.scope.count > 0 { say("cancelling: \(reason)") }
    }
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
    await server.finish()
    say("everything has ended")
  }
}

/// Writes a line at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
