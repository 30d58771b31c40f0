// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// MARK: - Download

extension URLSession {
  /// Starts a request whose body is written to a file, which appears complete or not at all.
  ///
  /// The body goes to a hidden file (its name begins with a dot and ends with `.part`) in the folder of the
  /// destination. That file gets its final name in the same turn in which the future completes: there is no moment at
  /// which the future has been cancelled and the file appears, or the download has completed it and the file isn't
  /// there. It is removed when the download fails, before the handlers of the failure start; and when other code
  /// resolves the future, that is cancels or completes it, by a handler of the future: after `handlersFinished` there
  /// is no file. Only a program that ends before that leaves one behind.
  ///
  /// ```swift
  /// let download = session.downloadFuture(for: request, to: file, checkResponse: { try $0.checkStatus() })
  /// download.onValue { response in print("saved") }
  /// ```
  ///
  /// Before the request is made, on the calling thread, the hidden file is created. A folder that is missing or isn't
  /// writable is a failure then, with a `CocoaError`, and no request is made; a disk that becomes full is a failure
  /// later. So is a destination that exists (`CocoaError.fileWriteFileExists`), unless it is to be replaced. The
  /// guarantee not to replace a file is as strong as the file system allows: on one that has neither hard links nor
  /// exclusive renaming, an empty file has the name for an instant. If other code has removed the hidden file, or
  /// replaced it by another file or a link, the download fails (`CocoaError.fileNoSuchFile`).
  ///
  /// Resolving the future, by cancelling or completing it, cancels the task. For errors, cancellations, lengths and
  /// status codes see ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``; the page
  /// that comes with a status like 404 is a file like any other, unless `checkResponse` throws. The request is a data
  /// task on every platform: background sessions don't run it.
  ///
  /// With `resuming` a request that has failed can be made again. The new request is for the rest of the body (`Range`,
  /// `If-Range`) if the server has identified the body, by a strong `ETag` or a `Last-Modified` at least a second
  /// before its `Date`, if the body isn't compressed, and if the method is `GET`. The server may send the rest or,
  /// because it can't or the body has changed, all of it: in both cases the file has one body, and the result is the
  /// response with which that began. `checkResponse` isn't called for a rest. A rest fits if it comes from the same
  /// address, but for the query, if its `ETag` or `Last-Modified` is the same, and if its `Content-Range` begins where
  /// the file ends and agrees on the length of the body. Another one is a failure (`URLError.badServerResponse`), and the request after that is for the whole body.
  ///
  /// If the session is invalidated while the download waits for its next request, it is cancelled
  /// (`URLError.cancelled`): at once in a session with a ``TransferDelegate``, else when the time for the request has
  /// come; on Apple platforms, that request would stop the program.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - destination: A file URL. Its folder has to exist.
  ///   - isReplacing: True to replace a file that exists at the destination when the download is complete, atomically.
  ///     A symbolic link is replaced itself, not its target. Folders, devices, pipes, sockets and everything else that
  ///     isn't a regular file are never replaced. If false, anything that has appeared there meanwhile makes the
  ///     download fail.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: The maximum number of bytes of the file; more is a failure with a ``BodyTooLongError``.
  ///   - progress: Receives the numbers of `onProgress`, for a task to read.
  ///   - onProgress: Called with the number of bytes of the body that have arrived.
  ///   - checkResponse: Called when the head of the response has arrived; throwing fails the transfer. For these three
  ///     see ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///   - delay: Called when the request has failed, with the error and the number of failures so far, on the session's
  ///     delegate queue; it should be short. Returns the time after which the request is made again; if nil, the future
  ///     fails with that error. It isn't called for cancellations, nor for errors of the file (`CocoaError`).
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  /// - Returns: The future, with the response. It is kept by its task: dropping it changes nothing.
  public func downloadFuture(
    for request: URLRequest,
    to destination: URL,
    replacing isReplacing: Bool = false,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    reporting progress: TransferProgress? = nil,
    onProgress: (@Sendable (_ completed: Int64, _ total: Int64?) -> Void)? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    resuming delay: (@Sendable (_ failure: any Error, _ failures: Int) -> Duration?)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<URLResponse> {
    let future = ValueFuture<URLResponse>(fileID: fileID, line: line)
    let file = PartialFile(for: destination, replacing: isReplacing)
    let restarting = delay.map { delay in
      FileTransfer.Restarting(request: request, delay: delay) { [self] transfer, request in
        makeRequest(request, .ofRequest, for: transfer, bodyLimit: bodyLimit)
      }
    }
    let progress = Progressing(future.cancelToken, progress, onProgress)
    let transfer = FileTransfer(future, file, checkResponse, progress, restarting)
    if restarting != nil { (delegate as? TransferDelegate)?.cascadeEnd(of: self, to: future) }
    start(transfer, for: request, .ofRequest, bodyLimit: bodyLimit, linkedTo: parent)
    return future
  }

  /// Starts a request for a URL, whose body is written to a file, which appears complete or not at all.
  ///
  /// - Parameters:
  ///   - url: The URL to load.
  ///   - destination: A file URL. Its folder has to exist.
  ///   - isReplacing: True to replace a file that exists there.
  ///   - parent: Work whose cancellation cancels this future.
  ///   - bodyLimit: The maximum number of bytes of the file.
  ///   - progress: Receives the numbers of `onProgress`, for a task to read.
  ///   - onProgress: Called with the number of bytes of the body that have arrived.
  ///   - checkResponse: Called when the head of the response has arrived; throwing fails the transfer.
  ///   - delay: Called after a failure; returns the time after which the rest of the body is requested. For details see
  ///     ``downloadFuture(for:to:replacing:linkedTo:bodyLimit:reporting:onProgress:checkResponse:resuming:fileID:line:)``.
  ///   - fileID: Leave it out: the file in which the future is made.
  ///   - line: Leave it out: the line on which the future is made.
  /// - Returns: The future, with the response.
  public func downloadFuture(
    from url: URL,
    to destination: URL,
    replacing isReplacing: Bool = false,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    reporting progress: TransferProgress? = nil,
    onProgress: (@Sendable (_ completed: Int64, _ total: Int64?) -> Void)? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    resuming delay: (@Sendable (_ failure: any Error, _ failures: Int) -> Duration?)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<URLResponse> {
    downloadFuture(
      for: URLRequest(url: url),
      to: destination,
      replacing: isReplacing,
      linkedTo: parent,
      bodyLimit: bodyLimit,
      reporting: progress,
      onProgress: onProgress,
      checkResponse: checkResponse,
      resuming: delay,
      fileID: fileID,
      line: line
    )
  }
}
