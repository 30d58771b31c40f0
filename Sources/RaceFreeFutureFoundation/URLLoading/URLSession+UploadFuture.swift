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
  /// errors, cancellations, lengths and status codes see
  /// ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - request: Where to send it; its method has to be one with a body.
  ///   - data: What to send.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: How many bytes the answer may have; more is a failure with a ``BodyTooLongError``.
  ///   - progress: Gets the same numbers as `onProgress`, for a task to read.
  ///   - onProgress: Told how many bytes have been sent, and of how many. A request that is sent again, after a
  ///     redirect for example, is counted again. On Linux, in a session without a ``TransferDelegate``, it is told only
  ///     at the end. For its thread see
  ///     ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///   - checkResponse: Called when the head of the answer has come; throwing gives up. For the rest see
  ///     ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
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
    let future = ValueFuture<(Data, URLResponse)>(fileID: fileID, line: line)
    let transfer = BodyTransfer(future, .sending, checkResponse, Progressing(future.cancelToken, progress, onProgress))
    start(transfer, for: request, .data(data), bodyLimit: bodyLimit, linkedTo: parent)
    return future
  }

  /// Starts a request that sends a file, and collects the body of the answer in memory.
  ///
  /// A file that isn't there or can't be read is a failure, with a `CocoaError`, and no request is made; so is a
  /// folder, and what isn't a file, as devices and pipes. A symbolic link stands for what it points to. The file must
  /// not change or go until the outcome.
  ///
  /// - Parameters:
  ///   - request: Where to send it; its method has to be one with a body.
  ///   - file: What to send.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: How many bytes the answer may have; more is a failure with a ``BodyTooLongError``.
  ///   - progress: Gets the same numbers as `onProgress`, for a task to read.
  ///   - onProgress: Told how many bytes have been sent.
  ///   - checkResponse: Called when the head of the answer has come; throwing gives up. For the rest see
  ///     ``uploadFuture(for:from:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
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
    let future = ValueFuture<(Data, URLResponse)>(fileID: fileID, line: line)
    let transfer = BodyTransfer(future, .sending, checkResponse, Progressing(future.cancelToken, progress, onProgress))
    start(transfer, for: request, .file(file), bodyLimit: bodyLimit, linkedTo: parent)
    return future
  }
}
