// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import AsyncHTTPClientRecipe
import Hummingbird
import HummingbirdCore
import HummingbirdRecipe
import Logging
import NIOCore
import NIOHTTP1
import RaceFreeFuture
import ServiceLifecycle
import ServiceLifecycleRecipe
import Testing
import TimeoutHeaderRecipe

/// The context of the requests in these tests.
private struct AppContext: ChannelRequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// A server on a port of its own, in a group with the scope of its requests.
private struct App {
  let requests: Scope
  /// The token of the first request.
  let request = ValueFuture<CancelToken>(label: "the first request")
  let stuck = ValueFuture<DrainError>(label: "what is stuck")
  let port: Int
  let group: ServiceGroup
  let running: ValueFuture<Void>

  init(
    gracefully: Duration = .seconds(3600),
    cancelling: Duration = .seconds(3600),
    limit: Duration? = nil,
    _ handler: @escaping @Sendable (AppContext) async throws -> Response
  ) async throws {
    let port = ValueFuture<Int>(label: "port")
    let logger = Logger(label: "app") { _ in SwiftLogNoOpLogHandler() }
    let answer = { @Sendable [request] (context: AppContext) in
      request.complete(with: CancelToken.current)
      return try await handler(context)
    }
    let logStuck = { @Sendable [stuck] (error: DrainError) in stuck.complete(with: error) }
    let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0))
    let onRunning = { @Sendable (channel: any Channel) in port.complete(with: channel.localAddress?.port ?? 0) }

    let requests = Scope(label: "requests")
    let router = Router(context: AppContext.self)
    router.add(middleware: RequestScopes(in: requests, limit: limit))
    router.get("page") { _, context in try await answer(context) }
    let server = HTTPServerBuilder.http1(configuration: .init(additionalChannelHandlers: [ClientWatch()]))
    let app = Application(
      router: router,
      server: server,
      configuration: configuration,
      onServerRunning: onRunning,
      logger: logger
    )
    let service = ScopeService(requests, gracefully: gracefully, cancelling: cancelling, onStuck: logStuck)
    let group = ServiceGroup(services: [app, service], logger: logger)
    let running = ValueFuture.task { try await group.run() }

    (self.requests, self.group, self.running) = (requests, group, running)
    self.port = try await port.value
  }

  func get(
    until work: some CancellableWork = CancelToken.never,
    timeout: String? = nil
  ) async throws -> (status: UInt, body: String) {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/page")
    request.setTimeout(of: work)
    if let timeout { request.headers.add(name: TimeoutHeader.name, value: timeout) }
    let (head, body) = try await HTTPClient.shared.response(to: request, upTo: 1000, until: work)
    return (head.status.code, String(buffer: body))
  }

  func end() async {
    requests.cancel()
    await group.triggerGracefulShutdown()
    _ = await running.handlersFinished
  }
}

extension IntegrationTests {
  @Suite struct HummingbirdTests {
    @Sendable private static func wait(_: AppContext) async throws -> Response {
      try await Task.sleep(for: .seconds(3600))
      return Response(status: .ok)
    }

    @Test func `requests are answered in scopes of their own, and the connection is kept`() async throws {
      let app = try await App { context in
        #expect(CancelToken.current.isPending)
        return Response(
          status: .ok,
          body: .init(byteBuffer: ByteBuffer(string: "\(context.channel.remoteAddress?.port ?? 0)"))
        )
      }
      let first = try await app.get()
      let second = try await app.get()
      #expect(first.status == 200 && first == second)
      #expect(app.requests.count == 0)
      #expect(try await app.request.value.outcome == .completed)
      await app.end()
    }

    @Test func `a client that disconnects cancels its request`() async throws {
      let app = try await App(Self.wait)
      let view = Future(label: "view")
      let response = ValueFuture.task { try await app.get(until: view) }
      let request = try await app.request.value
      #expect(request.isPending)
      view.cancel()
      #expect(await request.outcome == .cancelled)
      let path = request.cancellation?.path ?? []
      #expect(path.contains("the client"), "\(path)")
      await #expect(throws: CancellationError.self) { try await response.value }
      await app.end()
    }

    @Test func `a client that disconnects cancels the body that is being written`() async throws {
      let written = Future(label: "written")
      let app = try await App { _ in
        Response(
          status: .ok,
          body: ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "a part"))
            written.complete()
            try await Task.sleep(for: .seconds(3600))
          }
        )
      }
      let view = Future(label: "view")
      let response = ValueFuture.task { try await app.get(until: view) }
      try await written.value
      let request = try await app.request.value
      #expect(request.isPending)
      view.cancel()
      #expect(await request.outcome == .cancelled)
      await #expect(throws: CancellationError.self) { try await response.value }
      await app.requests.drain()
      await app.end()
    }

    @Test func `a request has the deadline of its client`() async throws {
      let app = try await App { _ in
        let left = CancelToken.current.deadline.map { Deadline.now.duration(to: $0) }
        return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: left.map(TimeoutHeader.text) ?? "")))
      }
      let view = Future(label: "view")
      view.cancel(after: .seconds(60))
      let left = try #require(TimeoutHeader.interval(from: try await app.get(until: view).body))
      #expect(left <= .seconds(60) && left > .zero)
      #expect(try await app.get().body.isEmpty)
      await app.end()
    }

    @Test func `a request whose time has passed is answered by the status 504`() async throws {
      let app = try await App(Self.wait)
      #expect(try await app.get(timeout: "50m").status == 504)
      #expect(try await app.request.value.cancellationReason is TimeoutError)
      await app.end()
    }

    @Test func `a request ends at the limit of its server, whatever the client asks for`() async throws {
      let app = try await App(limit: .milliseconds(50), Self.wait)
      #expect(try await app.get(timeout: "99999999H").status == 504)
      await app.end()
    }

    @Test(arguments: ["", "1", "1s", "-1S", "1.5S", "123456789S", "1S, 2S", "0x1S", "१S"])
    func `a request whose timeout is malformed is refused, and the handler isn't called`(text: String) async throws {
      let app = try await App(Self.wait)
      #expect(try await app.get(timeout: text).status == 400)
      #expect(app.request.isPending && app.requests.count == 0)
      await app.end()
    }

    @Test func `a graceful shutdown lets a request finish`() async throws {
      let finish = Future(label: "finish")
      let app = try await App { _ in
        _ = await finish.outcome
        return Response(status: Task.isCancelled ? .internalServerError : .ok)
      }
      let response = ValueFuture.task { try await app.get() }
      let request = try await app.request.value
      await app.group.triggerGracefulShutdown()
      _ = await app.requests.stopToken.outcome
      #expect(request.isPending)
      finish.complete()
      #expect(try await response.value.status == 200)
      try await app.running.value
    }

    @Test func `a handler that goes on is named at the shutdown`() async throws {
      let repair = Future(label: "repair")
      let app = try await App(gracefully: .zero, cancelling: .milliseconds(1)) { _ in
        // It doesn't follow the cancellation of its task.
        _ = await repair.outcome
        return Response(status: .ok)
      }
      let response = ValueFuture.task { try await app.get() }
      _ = try await app.request.value
      await app.group.triggerGracefulShutdown()
      let error = try await app.stuck.value
      #expect(error.remaining.map { "\($0)" }.contains { $0.hasPrefix("handler of GET /page still runs") }, "\(error)")
      // The group ends when the handler does.
      repair.complete()
      await #expect(throws: DrainError.self) { try await app.running.value }
      _ = try? await response.value
    }
  }
}
