// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file, and TimeoutHeader.swift.

public import GRPCCore
public import RaceFreeFuture
internal import TimeoutHeaderRecipe

/// Gives each call of a server a scope inside that of the server.
///
/// The handler is run by the scope: its task is cancelled with it, and `CancelToken.current` is its token. The scope is
/// cancelled when the client cancels the call or is gone, when the client's deadline has passed, and with the scope of
/// the server, whose `drain` names a handler that goes on.
///
/// ```swift
/// let scope = Scope(label: "store")
/// let server = GRPCServer(transport: transport, services: [store], interceptors: [CallScopes(in: scope)])
/// scope.serve(server)
/// try await scope.shutDown(on: [.terminate], gracefully: .seconds(10), cancelling: .seconds(5))
/// ```
///
/// gRPC itself doesn't cancel the task of a handler. So without this a handler that streams to a client that is gone, or
/// that waits for something else, goes on.
public struct CallScopes: ServerInterceptor {
  private let server: Scope
  private let limit: Duration?

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - server: The scope of the server.
  ///   - limit: The longest time for a call, whatever its client asks for; nil for no limit.
  public init(in server: Scope, limit: Duration? = nil) {
    self.server = server
    self.limit = limit
  }

  /// Runs the call in its scope.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: What gRPC knows of the call.
  ///   - next: The next interceptor or the handler.
  /// - Returns: The response.
  /// - Throws: `RPCError`, or the error of the handler.
  public func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>,
    context: ServerContext,
    next:
      @concurrent @Sendable (StreamingServerRequest<Input>, ServerContext) async throws -> StreamingServerResponse<
        Output
      >
  ) async throws -> StreamingServerResponse<Output> {
    let call = Scope(in: server, label: "\(context.descriptor) for \(context.remotePeer)")
    if let limit { call.cancel(after: limit) }
    if let text = request.metadata[stringValues: TimeoutHeader.name].first(where: { _ in true }) {
      guard let timeout = TimeoutHeader.interval(from: text) else {
        throw RPCError(code: .invalidArgument, message: "\(TimeoutHeader.name) is malformed")
      }
      call.cancel(after: timeout)
    }
    let activity = call.beginActivity("handler")
    var response = try await withoutActuallyEscaping(next) { next in
      try await run(in: call) { try await next(request, context) }
    }
    // The messages of the response are produced later.
    response.accepted = response.accepted.map { contents in
      var contents = contents
      let produce = contents.producer
      contents.producer = { writer in
        defer { activity.end() }
        return try await run(in: call) { try await produce(writer) }
      }
      return contents
    }
    return response
  }

  private func run<Value: Sendable>(
    in call: Scope,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let client = Future(label: "the client")
    do {
      return try await withRPCCancellationHandler {
        // After the registration: gRPC calls the handler of a call that is already cancelled while it holds a lock.
        client.cascadeCancellation(to: call)
        return try await call.run(body)
      } onCancelRPC: {
        // gRPC also says so when it is shut down gracefully. The scope of the server knows better.
        if !server.stopToken.isCancelled { client.cancel() }
      }
    } catch  where call.isCancelled {
      let isLate = call.cancellationReason is TimeoutError
      throw RPCError(code: isLate ? .deadlineExceeded : .cancelled, message: "the call was cancelled by the server")
    }
  }
}

extension Scope {
  /// Runs a gRPC server in the scope: it is shut down gracefully when the scope is stopped.
  ///
  /// - Parameter server: The server.
  /// - Returns: The future of the server's end.
  @discardableResult
  public func serve(_ server: GRPCServer<some ServerTransport>) -> ValueFuture<Void> {
    let stopping = stopToken.onCancel(on: .inline) { server.beginGracefulShutdown() }
    return addTask(name: "gRPC server") {
      defer { stopping.unregister() }
      try await server.serve()
    }
  }
}
