// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Logging
import NIOCore
import NIOPosix
import NIORecipe
import RaceFreeFuture
import RaceFreeFutureSubprocess
import ServiceLifecycle
import ServiceLifecycleRecipe
import Subprocess

// Services, children, and connections.
extension Costs {
  static func measureServices() async throws {
    let logger = Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }
    /// Runs a group whose second service ends at once, upon which the group is shut down gracefully.
    func run(_ service: some Service) async throws {
      let brief = ServiceGroupConfiguration.ServiceConfiguration(
        service: Once {},
        successTerminationBehavior: .gracefullyShutdownGroup
      )
      let configuration = ServiceGroupConfiguration(services: [.init(service: service), brief], logger: logger)
      try await ServiceGroup(configuration: configuration).run()
    }
    try await compare("swift-service-lifecycle: a group until its shutdown; with a scope as a service", times: 200) {
      try await run(Once { try await gracefulShutdown() })
    } recipe: {
      try await run(ScopeService(Scope(), gracefully: .seconds(10), cancelling: .seconds(5)))
    }
    try await compare("swift-service-lifecycle: the same; with a token for the shutdown", times: 200) {
      try await run(Once { try await gracefulShutdown() })
    } recipe: {
      try await run(Once { try await withShutdownToken { _ = await $0.outcome } })
    }
  }

  static func measureProcesses() async throws {
    let token = Future(label: "build")
    let limit = 2 << 20
    try await compare("swift-subprocess: a child that exits; with a token", times: 50) {
      _ = try await Subprocess.run(.name("true"), output: .discarded)
    } recipe: {
      let run = Configuration(executable: .name("true")).runFuture(output: .discarded, error: .discarded)
      token.cascadeCancellation(to: run)
      _ = try await run.value
    }
    let arguments: Arguments = ["-c", "1000000", "/dev/zero"]
    try await compare("swift-subprocess: a child that writes a megabyte; with a token", times: 30) {
      _ = try await Subprocess.run(.name("head"), arguments: arguments, output: .bytes(limit: limit))
    } recipe: {
      let head = Configuration(executable: .name("head"), arguments: arguments)
      let run = head.runFuture(output: .collected(limit: limit), error: .discarded)
      token.cascadeCancellation(to: run)
      _ = try await run.value
    }
  }

  static func measureNIO() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let token = Future(label: "connection")
    try await compare("SwiftNIO: a future that is awaited; as a value future below a token", times: 5000) {
      _ = try await loop.submit { 7 }.get()
    } recipe: {
      let future = loop.submit { 7 }.valueFuture()
      token.cascadeCancellation(to: future)
      _ = try await future.value
    }
    try await compare("SwiftNIO: a promise that is awaited; for a value future", times: 5000) {
      let promise = loop.makePromise(of: Int.self)
      promise.succeed(7)
      _ = try await promise.futureResult.get()
    } recipe: {
      let future = ValueFuture<Int>()
      future.complete(with: 7)
      _ = try await future.eventLoopFuture(on: loop).get()
    }
    let server = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
    guard let address = server.localAddress else { return }
    let connections = Scope(label: "connections")
    try await compare("SwiftNIO: a connection that is closed; with a scope of its own", times: 100) {
      let channel = try await ClientBootstrap(group: loop).connect(to: address).get()
      try await channel.close()
    } recipe: {
      let channel = try await ClientBootstrap(group: loop).connect(to: address).get()
      let connection = Scope(in: connections, label: "connection")
      connection.bind(channel)
      connection.cancel()
      await connection.drain()
    }
    try await server.close()
  }
}

/// A service that runs a closure.
private struct Once: Service {
  let body: @Sendable () async throws -> Void

  init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

  func run() async throws { try await body() }
}
