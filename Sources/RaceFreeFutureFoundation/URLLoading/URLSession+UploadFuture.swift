// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// MARK: - Upload

extension URLSession {
  /// Starts a request that sends data, and collects the body of the answer in memory.
  ///
  /// Cancelling the future cancels the task: the server may have got any part of the data by then, or all of it. For
  /// its name, errors, cancellations, lengths and status codes see
  /// ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - request: The request to send; its method has to be one with a body.
  ///   - data: The data to send.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: The maximum number of bytes of the answer; more is a failure with a ``BodyTooLongError``.
  ///   - progress: Receives the same numbers as `onProgress`, for a task to read.
  ///   - onProgress: Called with the number of bytes that have been sent, and the total. A request that is sent again,
  ///     after a redirect for example, is counted again. On Linux, in a session without a ``TransferDelegate``, it is
  ///     called only at the end. For its thread see
  ///     ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///   - checkResponse: Called when the head of the answer has arrived; throwing fails the transfer. For details see
  ///     ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  /// - Returns: The future, with the body and the response. It is kept by its task: dropping it changes nothing.
  public func uploadFuture(
    for request: URLRequest,
    from data: Data,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    reporting progress: TransferProgress? = nil,
    onProgress: (@Sendable (_ completed: Int64, _ total: Int64?) -> Void)? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<(Data, URLResponse)> {
    let future = ValueFuture<(Data, URLResponse)>(label: request.url?.name, fileID: fileID, line: line)
    let transfer = BodyTransfer(future, .sending, checkResponse, Progressing(future.cancelToken, progress, onProgress))
    start(transfer, for: request, .data(data), bodyLimit: bodyLimit, linkedTo: parent)
    return future
  }

  /// Starts a request that sends a file, and collects the body of the answer in memory.
  ///
  /// The file must not be changed or removed until the outcome. If it can't be read, or isn't a regular file or a link to
  /// one, the future fails with a `CocoaError`, and no request is made.
  ///
  /// - Parameters:
  ///   - request: The request to send; its method has to be one with a body.
  ///   - file: The file to send.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: The maximum number of bytes of the answer; more is a failure with a ``BodyTooLongError``.
  ///   - progress: Receives the same numbers as `onProgress`, for a task to read.
  ///   - onProgress: Called with the number of bytes that have been sent.
  ///   - checkResponse: Called when the head of the answer has arrived; throwing fails the transfer. For details see
  ///     ``uploadFuture(for:from:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  /// - Returns: The future, with the body and the response. It is kept by its task: dropping it changes nothing.
  public func uploadFuture(
    for request: URLRequest,
    fromFile file: URL,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    reporting progress: TransferProgress? = nil,
    onProgress: (@Sendable (_ completed: Int64, _ total: Int64?) -> Void)? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<(Data, URLResponse)> {
    let future = ValueFuture<(Data, URLResponse)>(label: request.url?.name, fileID: fileID, line: line)
    let transfer = BodyTransfer(future, .sending, checkResponse, Progressing(future.cancelToken, progress, onProgress))
    start(transfer, for: request, try .contents(of: file), bodyLimit: bodyLimit, linkedTo: parent)
    return future
  }
}
