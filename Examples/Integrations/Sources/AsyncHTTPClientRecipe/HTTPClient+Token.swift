// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import AsyncHTTPClient
public import NIOCore
public import RaceFreeFuture

extension HTTPClient {
  /// Sends a request and receives the whole body, until some work is cancelled.
  ///
  /// The work's deadline is that of the request, including the wait for a connection and the body. A cancellation
  /// closes the connection.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - maxBytes: The longest body.
  ///   - work: The work, such as a token.
  /// - Returns: The head of the response, and the body.
  /// - Throws: The reason of the cancellation, or the error of the request: `NIOTooManyBytesError` for a longer body.
  public func response(
    to request: HTTPClientRequest,
    upTo maxBytes: Int,
    until work: some CancellableWork
  ) async throws -> (head: HTTPClientResponse, body: ByteBuffer) {
    try await response(to: request, until: work) { ($0, try await $0.body.collect(upTo: maxBytes)) }
  }

  /// Sends a request and reads the response piece by piece, until some work is cancelled.
  ///
  /// The connection has ended or is idle when this returns: what the closure hasn't read isn't received.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - work: The work, such as a token.
  ///   - read: Reads the body: `for try await part in response.body`. In it `CancelToken.current` is the work's token.
  /// - Returns: The value returned by the closure.
  /// - Throws: The reason of the cancellation, or the error of the request or the closure.
  public func response<Value: Sendable>(
    to request: HTTPClientRequest,
    until work: some CancellableWork,
    _ read: @escaping @Sendable (HTTPClientResponse) async throws -> Value
  ) async throws -> Value {
    // The cancellation of the work is that of the task, so the client needs no deadline of its own.
    try await work.run { try await read(self.execute(request, deadline: .distantFuture)) }
  }
}
