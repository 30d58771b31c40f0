// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import AsyncHTTPClientRecipe
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCRecipe
import Hummingbird
import HummingbirdRecipe
import Logging
import NIOCore
import RaceFreeFuture
import ServiceLifecycle

extension Costs {
  static func measureHTTP() async throws {
    let bare = try await HTTPServer(nil)
    let requests = Scope(label: "requests")
    let recipe = try await HTTPServer(requests)
    let client = HTTPClient.shared
    @Sendable func get(_ server: HTTPServer, _ path: String = "page") -> HTTPClientRequest {
      HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/\(path)")
    }
    @Sendable func send(_ request: HTTPClientRequest) async throws {
      _ = try await client.execute(request, deadline: .distantFuture).body.collect(upTo: 1000)
    }
    let token = Future(label: "view")
    token.cancel(after: .seconds(3600))
    try await compare("AsyncHTTPClient: a request; until a token is cancelled", times: 100) {
      try await send(get(bare))
    } recipe: {
      _ = try await client.response(to: get(bare), upTo: 1000, until: token)
    }
    @Sendable func read(_ response: HTTPClientResponse) async throws {
      for try await part in response.body where part.readableBytes == 0 { return }
    }
    try await compare("AsyncHTTPClient: a body of a megabyte, piece by piece; until a token is cancelled", times: 20) {
      try await read(client.execute(get(bare, "large"), deadline: .distantFuture))
    } recipe: {
      try await client.response(to: get(bare, "large"), until: token, read)
    }
    try await compare("Hummingbird: a request; in a scope of its own", times: 100) {
      try await send(get(bare))
    } recipe: {
      try await send(get(recipe))
    }
    try await compare("both of them, and the deadline in a header", times: 100) {
      try await send(get(bare))
    } recipe: {
      var request = get(recipe)
      request.setTimeout(of: token)
      _ = try await client.response(to: request, upTo: 1000, until: token)
    }
    await bare.end()
    await recipe.end()
  }

  static func measureGRPC() async throws {
    let scope = Scope(label: "server")
    let bare = try await client(in: scope, [], [])
    let recipe = try await client(in: scope, [CallScopes(in: scope)], [CallerDeadline()])
    let token = Future(label: "view")
    token.cancel(after: .seconds(3600))
    var options = CallOptions.defaults
    options.timeout = .seconds(3600)
    let limited = options
    try await compare("gRPC: a call; with a token on both sides", times: 100) {
      try await bare.echo(.defaults)
    } recipe: {
      try await token.run { try await recipe.echo(.defaults) }
    }
    try await compare("gRPC: a call with a timeout; with the deadline of a token on both sides", times: 100) {
      try await bare.echo(limited)
    } recipe: {
      try await token.run { try await recipe.echo(.defaults) }
    }
    scope.cancel()
    await scope.drain()
  }

  /// Starts a server and a client for it, which end with the scope.
  private static func client(
    in scope: Scope,
    _ interceptors: [any ServerInterceptor],
    _ clientInterceptors: [any ClientInterceptor]
  ) async throws -> GRPCClient<HTTP2ClientTransport.Posix> {
    let server = GRPCServer(
      transport: .http2NIOPosix(address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext),
      services: [Echo()],
      interceptors: interceptors
    )
    scope.serve(server)
    let port = try await server.listeningAddress?.ipv4?.port ?? 0
    let client = GRPCClient(
      transport: try HTTP2ClientTransport.Posix(
        target: .ipv4(address: "127.0.0.1", port: port),
        transportSecurity: .plaintext
      ),
      interceptors: clientInterceptors
    )
    scope.addTask(name: "client") { try await client.runConnections() }
    return client
  }
}

/// A server that answers `/page`, with scopes for its requests or without.
private struct HTTPServer {
  let port: Int
  private let group: ServiceGroup
  private let running: ValueFuture<Void>

  init(_ requests: Scope?) async throws {
    let quiet = Logger(label: "server") { _ in SwiftLogNoOpLogHandler() }
    let port = ValueFuture<Int>()
    let router = Router(context: Context.self)
    if let requests { router.add(middleware: RequestScopes(in: requests)) }
    let large = ByteBuffer(repeating: 0x78, count: 1_000_000)
    router.get("page") { _, _ in "a page" }
    router.get("large") { _, _ in large }
    let app = Application(
      router: router,
      server: .http1(configuration: .init(additionalChannelHandlers: requests == nil ? [] : [ClientWatch()])),
      configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { port.complete(with: $0.localAddress?.port ?? 0) },
      logger: quiet
    )
    group = ServiceGroup(services: [app], logger: quiet)
    running = .task { [group] in try await group.run() }
    self.port = try await port.value
  }

  func end() async {
    await group.triggerGracefulShutdown()
    _ = await running.outcome
  }

  private struct Context: ChannelRequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: Source) {
      coreContext = .init(source: source)
      channel = source.channel
    }
  }
}

/// A service whose method returns the bytes that it gets.
private struct Echo: RegistrableRPCService {
  static let method = MethodDescriptor(fullyQualifiedService: "costs.Echo", method: "echo")

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(forMethod: Self.method, deserializer: Coder(), serializer: Coder()) { request, _ in
      StreamingServerResponse(single: ServerResponse(message: try await ServerRequest(stream: request).message))
    }
  }

  struct Coder: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes { Bytes(message) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> [UInt8] {
      unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
  }
}

extension GRPCClient {
  fileprivate func echo(_ options: CallOptions) async throws {
    try await unary(
      request: ClientRequest(message: [7]),
      descriptor: Echo.method,
      serializer: Echo.Coder(),
      deserializer: Echo.Coder(),
      options: options
    ) { _ = try $0.message }
  }
}
