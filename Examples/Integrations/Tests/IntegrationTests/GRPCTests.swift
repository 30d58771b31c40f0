// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import GRPCCore
import GRPCRecipe
import RaceFreeFuture
import Testing
import TimeoutHeaderRecipe

extension IntegrationTests {
  @Suite struct GRPCTests {
    /// The servers A, B and C, of which A calls B and B calls C, and a client of A.
    private struct Chain {
      let a: ChainServer
      let b: ChainServer
      let c: ChainServer
      let client: ChainServer.Client
      private let clients = Scope(label: "clients")

      init(c handler: @escaping ChainServer.Handler) async throws {
        let c = try await ChainServer("C", handler: handler)
        let toC = try c.client(in: clients)
        let b = try await ChainServer("B") { try await toC.work($0 + [2]) }
        let toB = try b.client(in: clients)
        let a = try await ChainServer("A") { try await toB.work($0 + [1]) }
        client = try a.client(in: clients)
        (self.a, self.b, self.c) = (a, b, c)
      }

      func end() async {
        for server in [a, b, c] { await server.end() }
        clients.stopToken.cancel()
        await clients.drain()
      }
    }

    @Test func `the last server of a chain has the caller's deadline, less what has passed`() async throws {
      let chain = try await Chain { $0 + [3] }
      let caller = Future(label: "caller")
      let deadline = caller.cancel(after: .seconds(60)).instant
      let start = Deadline.now
      let answer = try await caller.run { [client = chain.client] in try await client.work() }
      #expect(answer == [1, 2, 3])

      let calls = try await [chain.a.call.value, chain.b.call.value, chain.c.call.value]
      let timeouts = calls.compactMap { $0.timeout.flatMap(TimeoutHeader.interval) }
      #expect(
        timeouts.count == 3 && timeouts == timeouts.sorted().reversed() && Set(timeouts).count == 3,
        "\(timeouts)"
      )
      let atC = try #require(calls[2].deadline)
      // Each step rounds down to milliseconds, and adds its time on the way.
      let early = Duration.milliseconds(3)
      #expect(atC > deadline.advanced(by: .zero - early) && atC <= deadline + (calls[2].arrival - start))
      await chain.end()
    }

    @Test func `a cancellation at the caller stops the last server of a chain`() async throws {
      let chain = try await Chain { _ in
        try await Task.sleep(for: .seconds(3600))
        return []
      }
      let caller = Future(label: "caller")
      let answer = ValueFuture.task { try await caller.run { [client = chain.client] in try await client.work() } }
      let atC = try await chain.c.call.value.token
      #expect(atC.isPending)
      caller.cancel()
      #expect(await atC.outcome == .cancelled)
      let path = atC.cancellation?.path ?? []
      #expect(path.contains { $0.contains("the client") }, "\(path)")
      await #expect(throws: CancellationError.self) { try await answer.value }
      await chain.end()
    }

    @Test func `a cancellation of the first server stops the last one`() async throws {
      let chain = try await Chain { _ in
        try await Task.sleep(for: .seconds(3600))
        return []
      }
      let answer = ValueFuture.task { try await chain.client.work() }
      let atC = try await chain.c.call.value.token
      chain.a.scope.cancel()
      #expect(await atC.outcome == .cancelled)
      await #expect(throws: RPCError.self) { try await answer.value }
      await chain.end()
    }

    @Test func `the deadline at the caller stops the last server of a chain`() async throws {
      let chain = try await Chain { _ in
        try await Task.sleep(for: .seconds(3600))
        return []
      }
      let caller = Future(label: "caller")
      let deadline = caller.cancel(after: .seconds(60))
      let answer = ValueFuture.task { try await caller.run { [client = chain.client] in try await client.work() } }
      let atC = try await chain.c.call.value.token
      deadline.move(to: Deadline.now)
      #expect(await atC.outcome == .cancelled)
      await #expect(throws: TimeoutError.self) { try await answer.value }
      await chain.end()
    }

    @Test func `a last server that is stuck is named by the one before it, and by itself`() async throws {
      let repair = Future(label: "repair")
      let chain = try await Chain { _ in
        // It doesn't follow the cancellation of its task.
        _ = await repair.outcome
        return []
      }
      let answer = ValueFuture.task { try await chain.client.work() }
      _ = try await chain.c.call.value
      let atB = await #expect(throws: DrainError.self) { try await chain.b.scope.drain(within: .zero) }
      let call = "chain.Node/work at ipv4:127.0.0.1:\(chain.c.port) of chain.Node/work for ipv4:127.0.0.1:"
      #expect(atB?.remaining.contains { "\($0)".hasPrefix(call) } == true, "\(atB as Any)")

      chain.a.scope.cancel()
      _ = try await chain.c.call.value.token.outcome
      // B has given up. What goes on is C's.
      let atC = await #expect(throws: DrainError.self) { try await chain.c.scope.drain(within: .zero) }
      let handler = "handler of chain.Node/work for ipv4:127.0.0.1:"
      #expect(atC?.remaining.contains { "\($0)".hasPrefix(handler) } == true, "\(atC as Any)")
      await #expect(throws: RPCError.self) { try await answer.value }
      repair.complete()
      await chain.end()
    }

    @Test func `a call ends at the limit of its server, whatever the client asks for`() async throws {
      let server = try await ChainServer("server", limit: .milliseconds(50)) { _ in
        try await Task.sleep(for: .seconds(3600))
        return []
      }
      let clients = Scope()
      let client = try server.client(in: clients)
      let error = await #expect(throws: RPCError.self) {
        try await client.work(metadata: [TimeoutHeader.name: "99999999H"])
      }
      #expect(error?.code == .deadlineExceeded, "\(error as Any)")
      #expect(try await server.call.value.token.cancellationReason is TimeoutError)
      clients.stopToken.cancel()
      await clients.drain()
      await server.end()
    }

    // Without a negative one, which stops the process in grpc-swift 2.4.3 before any interceptor sees it.
    @Test(arguments: ["", "1", "S", "1.5S", "123456789S", "1s", "١S", "1S,2S"])
    func `a malformed timeout is refused, and the handler isn't called`(text: String) async throws {
      let server = try await ChainServer("server") { $0 }
      let clients = Scope()
      let client = try server.client(in: clients)
      let error = await #expect(throws: RPCError.self) {
        try await client.work(metadata: [TimeoutHeader.name: .string(text)])
      }
      #expect(error?.code == .invalidArgument && server.call.isPending, "\(error as Any)")
      clients.stopToken.cancel()
      await clients.drain()
      await server.end()
    }

    @Test func `the shorter of the caller's deadline and the timeout of the call is sent`() async throws {
      let server = try await ChainServer("server") { $0 }
      let clients = Scope()
      let client = try server.client(in: clients)
      let caller = Future()
      caller.cancel(after: .seconds(3600))
      var options = CallOptions.defaults
      options.timeout = .seconds(60)
      _ = try await caller.run { [options] in try await client.work(options: options) }
      let timeout = try #require(try await server.call.value.timeout.flatMap(TimeoutHeader.interval))
      #expect(timeout <= .seconds(60) && timeout > .zero)
      clients.stopToken.cancel()
      await clients.drain()
      await server.end()
    }

    @Test func `a stream ends at the server when its client is cancelled between two messages`() async throws {
      let server = try await ChainServer("server") { _ in [7] }
      let clients = Scope()
      let client = try server.client(in: clients)
      let caller = Future()
      let first = ValueFuture<[UInt8]>()
      let end = ValueFuture.task { try await caller.run { try await client.stream { first.complete(with: $0) } } }
      #expect(try await first.value == [7])
      let atServer = try await server.call.value.token
      #expect(atServer.isPending && server.scope.count == 2)
      caller.cancel()
      #expect(await atServer.outcome == .cancelled)
      await #expect(throws: CancellationError.self) { try await end.value }
      clients.stopToken.cancel()
      await clients.drain()
      await server.end()
    }

    @Test func `a graceful stop lets a call finish`() async throws {
      let answered = Future()
      let server = try await ChainServer("server") { message in
        _ = await answered.outcome
        return Task.isCancelled ? [] : message
      }
      let clients = Scope()
      let client = try server.client(in: clients)
      let answer = ValueFuture.task { try await client.work([7]) }
      let call = try await server.call.value.token
      server.scope.stopToken.cancel()
      // gRPC tells its handlers at once. That one isn't told can't be awaited; the server refuses new connections first.
      await #expect(throws: DrainError.self) { try await server.scope.drain(within: .milliseconds(50)) }
      #expect(call.isPending)
      answered.complete()
      #expect(try await answer.value == [7])
      clients.stopToken.cancel()
      await clients.drain()
      await server.scope.drain()
    }
  }
}
