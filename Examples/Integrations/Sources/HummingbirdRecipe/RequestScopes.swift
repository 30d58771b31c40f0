// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file, ClientWatch.swift, and TimeoutHeader.swift.

internal import HTTPTypes
public import Hummingbird
public import RaceFreeFuture
internal import TimeoutHeaderRecipe

/// Gives each request a scope inside that of the server.
///
/// The handler is run by the scope: its task is cancelled with it, and `CancelToken.current` is its token. The scope is
/// cancelled when the client is gone, when the time in the header of ``TimeoutHeader`` has passed, and with the scope of
/// the server, whose `drain` names a handler that goes on.
///
/// ```swift
/// let requests = Scope(label: "requests")
/// let router = Router(context: AppContext.self)
/// router.add(middleware: RequestScopes(in: requests))
/// let server = HTTPServerBuilder.http1(configuration: .init(additionalChannelHandlers: [ClientWatch()]))
/// let app = Application(router: router, server: server)
/// ```
///
/// A request whose time has passed is answered by the status 504, one that was cancelled otherwise by 503, and one whose
/// header is malformed by 400. A body of unknown length is written in the scope, too. One of a known length isn't, as it
/// is as a rule a buffer that is there.
public struct RequestScopes<Context: ChannelRequestContext>: RouterMiddleware {
  private let server: Scope
  private let limit: Duration?

  /// Creates the middleware.
  ///
  /// - Parameters:
  ///   - server: The scope of the server.
  ///   - limit: The longest time for a request, whatever its client asks for; nil for no limit.
  public init(in server: Scope, limit: Duration? = nil) {
    self.server = server
    self.limit = limit
  }

  /// Handles the request in its scope.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: Its context.
  ///   - next: The next middleware or the handler.
  /// - Returns: The response.
  /// - Throws: `HTTPError`, or the error of the handler.
  public func handle(
    _ request: Request,
    context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let scope = Scope(in: server, label: "\(request.method) \(request.uri.path)")
    if let limit { scope.cancel(after: limit) }
    if let name = HTTPField.Name(TimeoutHeader.name), let text = request.headers[name] {
      guard let timeout = TimeoutHeader.interval(from: text) else {
        throw HTTPError(.badRequest, message: "\(name) is malformed")
      }
      scope.cancel(after: timeout)
    }
    let client = try await context.channel.pipeline.handler(type: ClientWatch.self).map(\.client).get()
    client.cascadeCancellation(to: scope)
    let activity = scope.beginActivity("handler")
    func runHandler(_ next: @escaping @concurrent (Request, Context) async throws -> Response) async throws -> Response
    {
      // Safe: one task runs it, while this one waits.
      nonisolated(unsafe) let next = next
      return try await run(in: scope) { try await unsafe next(request, context) }
    }
    var response = try await withoutActuallyEscaping(next, do: runHandler)
    guard response.body.contentLength == nil else {
      activity.end()
      return response
    }
    response.body = ResponseBody { [body = response.body] writer in
      defer { activity.end() }
      // Safe: one task uses it, while this one waits.
      nonisolated(unsafe) let writer = writer
      try await run(in: scope) { try await body.write(unsafe writer) }
    }
    return response
  }

  private func run<Value: Sendable>(
    in scope: Scope,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await scope.run(body)
    } catch  where scope.isCancelled {
      throw HTTPError(scope.cancellationReason is TimeoutError ? .gatewayTimeout : .serviceUnavailable)
    }
  }
}
