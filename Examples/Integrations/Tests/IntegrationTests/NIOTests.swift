// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import NIORecipe
import RaceFreeFuture
import Testing

extension IntegrationTests {
  @Suite struct NIOTests {
    private struct NoFile: Error {}

    let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    @Test func `an event loop future gets the value, the error and the reason`() async throws {
      #expect(try await ValueFuture.completed(with: 7).eventLoopFuture(on: loop).get() == 7)

      let failing = ValueFuture<Int>()
      let failed = failing.eventLoopFuture(on: loop)
      failing.complete(throwing: NoFile())
      await #expect(throws: NoFile.self) { try await failed.get() }

      let stopping = ValueFuture<Int>()
      let stopped = stopping.eventLoopFuture(on: loop)
      stopping.cancel(throwing: NoFile())
      await #expect(throws: NoFile.self) { try await stopped.get() }
    }

    @Test func `an event loop future fails when nobody can complete the value future any more`() async throws {
      var source: ValueFuture<Int>? = ValueFuture()
      let made = try #require(source?.eventLoopFuture(on: loop))
      source = nil
      await #expect(throws: AbandonedError.self) { try await made.get() }
    }

    @Test func `a value future gets the value and the error`() async throws {
      #expect(try await loop.makeSucceededFuture(7).valueFuture().value == 7)
      await #expect(throws: NoFile.self) {
        try await loop.makeFailedFuture(NoFile()).valueFuture().value as Int
      }
    }

    @Test func `a cancelled value future stops the work, and a late value is not lost`() async throws {
      let promise = loop.makePromise(of: Int.self)
      let stopped = Future()
      let late = ValueFuture<Int>()
      let future = promise.futureResult.valueFuture(onUndelivered: late.complete(with:), stop: stopped.complete)
      future.cancel()
      #expect(stopped.isCompleted)
      promise.succeed(7)
      #expect(try await late.value == 7)
      #expect(future.isCancelled)
    }

    /// A connection, with a scope at the end of the server.
    private func connect() async throws -> (client: any Channel, scope: Scope, server: any Channel) {
      let accepted = ValueFuture<Scope>()
      let listener = try await ServerBootstrap(group: loop)
        .childChannelInitializer { channel in
          let scope = Scope(label: "connection")
          scope.bind(channel)
          accepted.complete(with: scope)
          return channel.eventLoop.makeSucceededVoidFuture()
        }
        .bind(host: "127.0.0.1", port: 0).get()
      let address = try #require(listener.localAddress)
      let client = try await ClientBootstrap(group: loop).connect(to: address).get()
      return (client, try await accepted.value, listener)
    }

    @Test func `a channel that is closed by the other side cancels the scope`() async throws {
      let (client, scope, listener) = try await connect()
      let request = scope.addTask { try await Task.sleep(for: .seconds(3600)) }
      try await client.close()
      await #expect(throws: ChannelClosedError.self) { try await request.value }
      await scope.drain()
      try await listener.close()
    }

    @Test func `a cancelled scope closes its channel, and waits for that`() async throws {
      let (client, scope, listener) = try await connect()
      #expect(scope.count == 1)
      scope.cancel()
      await scope.drain()
      try await client.closeFuture.get()
      try await listener.close()
    }
  }
}
