// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingFox
import FlyingSocks
import RaceFreeFutureTesting

extension Hunt {
  static let servers = [
    Hunt(
      name: "flying-fox.stop",
      package: "FlyingFox",
      type: "`HTTPServer`",
      property: "A server that is stopped while it starts ends, or goes on until it is stopped again",
      tool: "race"
    ) {
      Catch(
        await race(
          "run against stop",
          .init(rounds: 300, for: .seconds(20)),
          make: { HTTPServer(address: .loopback(port: 0), logger: .disabled) },
          tasks: { server in
            do { try await server.run() } catch { return "ended" }
            return "returned"
          },
          { server in
            try? await server.waitUntilListening(timeout: 5)
            await server.stop()
          },
          outcome: { _, ending, _ in ending },
          expect: [.acceptable("ended"), .acceptable("returned")]
        )
      )
    },
    Hunt(
      name: "flying-socks.pool",
      package: "FlyingFox",
      type: "`SocketPool`",
      property: "A task that waits for a socket is let go when it, or the pool, is cancelled",
      tool: "exploreTasks",
      known: ["no end after"],
      remark: "The pool asks the hunt's queue of events, which never waits, again and again."
    ) {
      await explored("cancel against suspendSocket", orders: 2_000, maxSteps: 10_000) { scenario in
        let pool = SocketPool(queue: EmptyQueue())
        try await pool.prepare()
        let run = Task { try? await pool.run() }
        let waiting = Task { () -> Bool in
          do { try await pool.suspendSocket(Socket(file: .init(rawValue: 900)), untilReadyFor: .read) } catch {
            return true
          }
          return false
        }
        let canceller = Task { waiting.cancel() }
        await Task.yield()
        run.cancel()
        await canceller.value
        let isLetGo = await waiting.value
        await run.value
        scenario.check(isLetGo, "it was told that the socket is ready")
      }
    },
    Hunt(
      name: "flying-fox.close",
      package: "FlyingFox",
      type: "`MessageFrameWSHandler`",
      property: "A close that the server's handler has sent reaches the client, though the client's frames end",
      tool: "exploreTasks",
      known: ["the close is lost"],
      remark: "The first of two tasks to end cancels the other one. Found by the package's own test in "
        + "every order. No report found."
    ) {
      await explored("close against the end", orders: 2_000) { scenario in
        let client = AsyncThrowingStream<WSFrame, any Error> { $0.finish() }
        let (messages, output) = AsyncStream.makeStream(of: WSMessage.self)
        let frames = try await MessageFrameWSHandler(handler: Sender(messages: messages)).makeFrames(for: client)
        output.yield(.close(.normalClosure))
        let sent = await frames.reduce(into: [WSFrame]()) { $0.append($1) }
        scenario.check(!sent.isEmpty, "the close is lost")
      }
    },
  ]
}

private struct Sender: WSMessageHandler {
  let messages: AsyncStream<WSMessage>

  func makeMessages(for client: AsyncStream<WSMessage>) async -> AsyncStream<WSMessage> { messages }
}

/// A queue without events.
private struct EmptyQueue: EventQueue {
  mutating func open() throws {}
  mutating func stop() throws {}
  mutating func close() throws {}
  mutating func addEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {}
  mutating func removeEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {}
  func getNotifications() throws -> [EventNotification] { [] }
}
