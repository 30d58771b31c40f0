// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import AsyncHTTPClient
internal import NIOCore
public import RaceFreeFuture

extension HTTPClient {
  /// Sends a request, which is stopped when the token or the returned future is cancelled.
  ///
  /// A deadline of the token is one of the request, too. Callable from any thread; never blocks.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - token: A cancellation of this token is one of the request, with the same reason.
  /// - Returns: The future of the response, with its whole body.
  public func response(to request: Request, until token: CancelToken) -> ValueFuture<Response> {
    let future = ValueFuture<Response>(linkedTo: token, label: request.host)
    future.attach {
      let task = execute(request: request, delegate: ResponseAccumulator(request: request))
      task.futureResult.whenComplete { future.complete(with: $0) }
      return task
    } stop: { task in
      task.cancel()
    }
    return future
  }
}
