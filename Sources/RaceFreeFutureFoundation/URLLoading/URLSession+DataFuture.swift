// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// MARK: - Load

extension URLSession {
  /// Starts a request whose body is collected in memory.
  ///
  /// ```swift
  /// let page = session.dataFuture(for: URLRequest(url: url))
  /// page.onValue(on: .main) { data, response in show(data) }
  /// page.cancel()  // stops the task; nothing is shown
  /// ```
  ///
  /// Cancelling or completing the future cancels the task. The outcome doesn't wait for the task; the future stays open
  /// for `drain()` and `handlersFinished` until the session has reported its end. If other code cancels the task, the
  /// future is cancelled, with the session's `URLError` as the reason.
  ///
  /// In descriptions and errors the future has the name of its URL, without user, password, query and fragment.
  ///
  /// Every other error of the session is a failure. So is a body that is shorter or longer than promised
  /// (`URLError.networkConnectionLost`); a compressed or chunked body has no promised length. So is a response with
  /// several lengths, or with a part (206) that the request didn't ask for (`URLError.badServerResponse`). A response of
  /// any status is a success, unless `checkResponse` throws.
  ///
  /// A redirect to another origin (another scheme, host or port) is followed without `Authorization`, `Cookie` and
  /// `Proxy-Authorization`; the session's delegate may add some again. A redirect that keeps the method sends the body
  /// again; on Linux a body that is a stream (`httpBodyStream`) can't be sent twice, and the future fails with
  /// `URLError.requestBodyStreamExhausted`.
  ///
  /// The delegate queue of the session has to be serial: otherwise the future fails with a
  /// ``ConcurrentDelegateQueueError``, and no request is made. In a session that has been invalidated, the future is
  /// cancelled on Linux, and the program stops on Apple platforms. For differences between platforms see
  /// ``TransferDelegate`` and <doc:StoppingDownloads>.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: The maximum number of bytes of the body, decoded; nil for no limit. A response that promises or
  ///     brings more fails with a ``BodyTooLongError`` as soon as that is known.
  ///   - progress: Receives the same numbers as `onProgress`, for a task to read.
  ///   - onProgress: Called with the number of bytes of the body that have arrived, and the total or nil. It runs on the
  ///     future's private queue, one call at a time and none after the outcome; a cancellation waits for it. Outdated
  ///     numbers are skipped.
  ///   - checkResponse: Called with the head of the response, for example `{ try $0.checkStatus() }`, which accepts the
  ///     statuses from 200 to 299. If it throws, the future fails with that error (with `CancellationError` it is
  ///     cancelled), and the body is dropped. It runs on the session's delegate queue and should be short. It isn't called
  ///     for redirects that are followed, for interim responses like `100 Continue`, nor for a response that asks for a
  ///     password if that is given; it is called again if the request is made again.
  /// - Returns: The future, with the body and the response. It is kept by its task: dropping it changes nothing.
  public func dataFuture(
    for request: URLRequest,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    reporting progress: TransferProgress? = nil,
    onProgress: (@Sendable (_ completed: Int64, _ total: Int64?) -> Void)? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<(Data, URLResponse)> {
    let future = ValueFuture<(Data, URLResponse)>(label: request.url?.name, fileID: fileID, line: line)
    let transfer = BodyTransfer(
      future,
      .receiving,
      checkResponse,
      Progressing(future.cancelToken, progress, onProgress)
    )
    start(transfer, for: request, .ofRequest, bodyLimit: bodyLimit, linkedTo: parent)
    return future
  }

  /// Starts a request for a URL, whose body is collected in memory.
  ///
  /// - Parameters:
  ///   - url: The URL to load.
  ///   - parent: Work whose cancellation cancels this future.
  ///   - bodyLimit: The maximum number of bytes of the body.
  ///   - progress: Receives the numbers of `onProgress`, for a task to read.
  ///   - onProgress: Called with the number of bytes of the body that have arrived.
  ///   - checkResponse: Called when the head of the response has arrived; throwing fails the transfer. For details see
  ///     ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  /// - Returns: The future, with the body and the response.
  public func dataFuture(
    from url: URL,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    reporting progress: TransferProgress? = nil,
    onProgress: (@Sendable (_ completed: Int64, _ total: Int64?) -> Void)? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<(Data, URLResponse)> {
    dataFuture(
      for: URLRequest(url: url),
      linkedTo: parent,
      bodyLimit: bodyLimit,
      reporting: progress,
      onProgress: onProgress,
      checkResponse: checkResponse,
      fileID: fileID,
      line: line
    )
  }
}
