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
  /// Cancelling the future cancels the task, and so does completing it. The outcome doesn't wait for the task; until the
  /// session has reported its end, the future stays open for `drain()` and `handlersFinished`. If other code or a
  /// delegate cancels the task, the future is cancelled; the reason is then the session's `URLError`. Any other
  /// error of the session is a failure. Of several ends that a session reports the first counts. A response of any
  /// status is a success, unless `checkResponse` throws: the caller interprets the status. A body that is shorter or
  /// longer than the response promised is a failure (`URLError.networkConnectionLost`); a body that comes compressed or
  /// in chunks has no promised length. A response that promises several lengths, or is a part (206) although the request
  /// has no `Range`, is a failure as well (`URLError.badServerResponse`).
  ///
  /// A redirect to another origin (another scheme, host or port) is followed without the request's `Authorization`,
  /// `Cookie` and `Proxy-Authorization`; the session's delegate, which is asked about each redirect, may add some again.
  /// If the redirect doesn't change the method, the body is sent again; a body that is a stream
  /// (`httpBodyStream`) can't be, on Linux, and the future fails with `URLError.requestBodyStreamExhausted`.
  ///
  /// Never blocks. The delegate queue of the session has to be serial: otherwise the future fails with a
  /// ``ConcurrentDelegateQueueError``, and no request is made. In a session that has been invalidated, the future is
  /// cancelled on Linux, and the program stops on Apple platforms. For differences between platforms see
  /// ``TransferDelegate`` and <doc:StoppingDownloads>.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: The maximum number of bytes of the body. A response that promises or brings more is a failure with
  ///     a ``BodyTooLongError`` as soon as that is known, and the task is cancelled. Of a compressed body the decoded
  ///     bytes count. Nil: no limit.
  ///   - progress: Receives the same numbers as `onProgress`, for a task to read.
  ///   - onProgress: Called with the number of bytes of the body that have arrived, and the total, or nil if that isn't
  ///     known. It runs on the future's private queue, never two at once, never after the outcome; a call that is
  ///     overtaken by newer numbers is skipped. While it runs, a cancellation is queued behind it.
  ///   - checkResponse: Called once when the head of the response has arrived, on the session's delegate queue; it
  ///     should be short. It isn't called for redirects that are followed, for interim responses like `100 Continue`,
  ///     nor for a response that asks for a password if the password is given; but it is called again if the request is
  ///     made again. If it throws, the future fails with that error (or is cancelled, if that is `CancellationError`),
  ///     the task is cancelled, and the body dropped. `{ try $0.checkStatus() }` accepts the statuses from 200 to 299
  ///     (`URLResponse.checkStatus(in:)`).
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
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
    let future = ValueFuture<(Data, URLResponse)>(fileID: fileID, line: line)
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
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
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
