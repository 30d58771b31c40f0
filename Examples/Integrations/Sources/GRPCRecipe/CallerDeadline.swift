// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file, and TimeoutHeader.swift.

public import GRPCCore
internal import RaceFreeFuture
internal import TimeoutHeaderRecipe

/// Gives each call of a client the time that the calling work has left, and names the call among what the work waits
/// for.
///
/// The work is that of `CancelToken.current`. In a handler behind ``CallScopes`` that is the call being handled, so a
/// deadline passes through a chain of servers, and so does a cancellation. Elsewhere, it is that of the enclosing `run`:
///
/// ```swift
/// let client = GRPCClient(transport: transport, interceptors: [CallerDeadline()])
/// let answer = try await token.run { try await store.get(request) }
/// ```
///
/// The deadline itself is the token's, which ends `run`: the call throws its `TimeoutError`, unless the server was faster
/// to report `RPCError.Code.deadlineExceeded`. What is sent to the server is the shorter of this timeout and that of the
/// call's options.
public struct CallerDeadline: ClientInterceptor {
  /// Creates the interceptor.
  public init() {}

  /// Sends the request with the timeout.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: What gRPC knows of the call.
  ///   - next: The next interceptor or the call itself.
  /// - Returns: The response.
  /// - Throws: The error of the call.
  public func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingClientRequest<Input>,
    context: ClientContext,
    next: @concurrent (StreamingClientRequest<Input>, ClientContext) async throws -> StreamingClientResponse<Output>
  ) async throws -> StreamingClientResponse<Output> {
    let caller = CancelToken.current
    var request = request
    if let deadline = caller.deadline {
      let ownTimeout = request.metadata[stringValues: TimeoutHeader.name].lazy.compactMap(TimeoutHeader.interval).first
      let left = min(Deadline.now.duration(to: deadline), ownTimeout ?? .seconds(Int64.max))
      request.metadata.replaceOrAddString(TimeoutHeader.text(for: left), forKey: TimeoutHeader.name)
    }
    let activity = caller.beginActivity("\(context.descriptor) at \(context.remotePeer)")
    var response = try await next(request, context)
    // The call lasts as long as its body, which keeps the activity.
    response.accepted = response.accepted.map { contents in
      var contents = contents
      let parts = contents.bodyParts.map { part in withExtendedLifetime(activity) { part } }
      contents.bodyParts = RPCAsyncSequence(wrapping: parts)
      return contents
    }
    return response
  }
}
