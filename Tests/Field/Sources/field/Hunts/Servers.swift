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
      tool: "exploreTasks"
    ) {
      await explored("cancel against suspendSocket", orders: 2_000) { scenario in
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
  ]
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
