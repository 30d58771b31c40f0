// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCRecipe
import RaceFreeFuture

/// A gRPC server on a port of its own, whose method `chain.Node/work` takes and returns bytes.
struct ChainServer {
  typealias Client = GRPCClient<HTTP2ClientTransport.Posix>
  typealias Handler = @Sendable ([UInt8]) async throws -> [UInt8]

  /// What a handler finds.
  struct Call {
    let timeout: String?
    let deadline: ContinuousClock.Instant?
    let arrival: ContinuousClock.Instant
    let token: CancelToken
  }

  /// Both methods of the service take bytes.
  enum Method: String {
    case work, stream

    var descriptor: MethodDescriptor {
      MethodDescriptor(fullyQualifiedService: "chain.Node", method: rawValue)
    }
  }

  let scope: Scope
  let port: Int
  /// The first call that has come.
  let call: ValueFuture<Call>

  init(_ name: String, limit: Duration? = nil, handler: @escaping Handler) async throws {
    scope = Scope(label: name)
    call = ValueFuture(label: "the first call of \(name)")
    let server = GRPCServer(
      transport: .http2NIOPosix(address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext),
      services: [Service(call: call, handler: handler)],
      interceptors: [CallScopes(in: scope, limit: limit)]
    )
    scope.serve(server)
    guard let port = try await server.listeningAddress?.ipv4?.port else {
      throw RPCError(code: .unavailable, message: "")
    }
    self.port = port
  }

  /// Connects to the server until the scope is stopped.
  func client(in scope: Scope) throws -> Client {
    let client = Client(
      transport: try .http2NIOPosix(
        target: .ipv4(address: "127.0.0.1", port: port),
        transportSecurity: .plaintext
      ),
      interceptors: [CallerDeadline()]
    )
    scope.stopToken.onCancel(on: .inline) { client.beginGracefulShutdown() }
    scope.addTask(name: "client") { try await client.runConnections() }
    return client
  }

  /// Ends the server, and returns when nothing is left.
  func end() async {
    scope.cancel()
    await scope.drain()
  }
}

/// Bytes are their own serialization.
struct BytesCoder: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes { Bytes(message) }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }
}

extension ChainServer.Client {
  /// Calls `work`.
  func work(_ message: [UInt8] = [], metadata: Metadata = [:], options: CallOptions = .defaults) async throws -> [UInt8]
  {
    try await unary(
      request: ClientRequest(message: message, metadata: metadata),
      descriptor: ChainServer.Method.work.descriptor,
      serializer: BytesCoder(),
      deserializer: BytesCoder(),
      options: options
    ) { try $0.message }
  }

  /// Calls `stream`, and passes each message on.
  func stream(_ body: @escaping @Sendable ([UInt8]) async throws -> Void) async throws {
    try await serverStreaming(
      request: ClientRequest(message: []),
      descriptor: ChainServer.Method.stream.descriptor,
      serializer: BytesCoder(),
      deserializer: BytesCoder(),
      options: .defaults
    ) { response in
      for try await message in response.messages { try await body(message) }
    }
  }
}

private struct Service: RegistrableRPCService {
  let call: ValueFuture<ChainServer.Call>
  let handler: ChainServer.Handler

  private func note(_ metadata: Metadata) {
    let token = CancelToken.current
    let timeout = metadata[stringValues: "grpc-timeout"].first { _ in true }
    call.complete(
      with: ChainServer.Call(timeout: timeout, deadline: token.deadline, arrival: Deadline.now, token: token)
    )
  }

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: ChainServer.Method.work.descriptor,
      deserializer: BytesCoder(),
      serializer: BytesCoder()
    ) { request, _ in
      note(request.metadata)
      let request = try await ServerRequest(stream: request)
      return StreamingServerResponse(single: ServerResponse(message: try await handler(request.message)))
    }
    router.registerHandler(
      forMethod: ChainServer.Method.stream.descriptor,
      deserializer: BytesCoder(),
      serializer: BytesCoder()
    ) { request, _ in
      note(request.metadata)
      let request = try await ServerRequest(stream: request)
      return StreamingServerResponse { writer in
        try await writer.write(try await handler(request.message))
        // Nothing more comes, as from a source of rare events.
        try await Task.sleep(for: .seconds(3600))
        return [:]
      }
    }
  }
}
