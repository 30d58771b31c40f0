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
  /// errors, cancellations, lengths and status codes see ``dataFuture(for:linkedTo:onProgress:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - request: Where to send it; its method has to be one with a body.
  ///   - data: What to send.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - onProgress: Told how many bytes have been sent, and of how many. A request that is sent again, after a
  ///     redirect for example, is counted again. On Linux, in a session without a ``TransferDelegate``, it is told only
  ///     at the end. For its thread see ``dataFuture(for:linkedTo:onProgress:fileID:line:)``.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  /// - Returns: The future, with the body and the response. It is kept by its task: dropping it changes nothing.
  public func uploadFuture(
    for request: URLRequest,
    from data: Data,
    linkedTo parent: (any CancellableWork)? = nil,
    onProgress: (@Sendable (_ completed: Int64, _ total: Int64?) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<(Data, URLResponse)> {
    let future = ValueFuture<(Data, URLResponse)>(fileID: fileID, line: line)
    start(BodyTransfer(future, .sending, onProgress), for: request, .data(data), linkedTo: parent)
    return future
  }

  /// Starts a request that sends a file, and collects the body of the answer in memory.
  ///
  /// A file that isn't there or can't be read is a failure, with a `CocoaError`, and no request is made; so is a folder, and
  /// what isn't a file, as devices and pipes. A symbolic link stands for what it points to. The file must not change or go
  /// until the outcome.
  ///
  /// - Parameters:
  ///   - request: Where to send it; its method has to be one with a body.
  ///   - file: What to send.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - onProgress: Told how many bytes have been sent. For the rest see
  ///     ``uploadFuture(for:from:linkedTo:onProgress:fileID:line:)``.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  /// - Returns: The future, with the body and the response. It is kept by its task: dropping it changes nothing.
  public func uploadFuture(
    for request: URLRequest,
    fromFile file: URL,
    linkedTo parent: (any CancellableWork)? = nil,
    onProgress: (@Sendable (_ completed: Int64, _ total: Int64?) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<(Data, URLResponse)> {
    let future = ValueFuture<(Data, URLResponse)>(fileID: fileID, line: line)
    start(BodyTransfer(future, .sending, onProgress), for: request, .file(file), linkedTo: parent)
    return future
  }
}
