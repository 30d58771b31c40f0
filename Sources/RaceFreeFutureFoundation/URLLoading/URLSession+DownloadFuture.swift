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
  /// there. It is removed when the download fails, before the handlers of the failure start; and when somebody else
  /// decides, that is cancels or completes the future, by a handler of the future: after `handlersFinished` there is no
  /// file. Only a program that ends before leaves one behind.
  ///
  /// ```swift
  /// let download = session.downloadFuture(for: request, to: file, checkResponse: { try $0.checkStatus() })
  /// download.onValue { response in print("saved") }
  /// ```
  ///
  /// Before the request is made, on the calling thread, the hidden file is created. A folder that is missing or isn't
  /// writable is a failure then, with a `CocoaError`, and no request is made; a disk that becomes full is one later. So
  /// is a destination that exists (`CocoaError.fileWriteFileExists`), unless it is to be replaced. Not replacing is as
  /// certain as the file system allows: on one that has neither hard links nor a way of renaming that replaces nothing,
  /// an empty file takes the name for an instant.
  ///
  /// Deciding the future, by cancelling or completing it, cancels the task. For errors, cancellations, lengths and
  /// status codes see ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``; the page
  /// that comes with a status like 404 is a file like any other, unless `checkResponse` throws. The request is a data
  /// task, whatever the platform: sessions in the background don't run it.
  ///
  /// With `resuming` a request that has failed can be made again. The new one is for the rest of the body (`Range`,
  /// `If-Range`) if the server has said how to recognize the body, by a strong `ETag` or a `Last-Modified` at least a
  /// second before its `Date`, if the body isn't compressed, and if the method is `GET`. Whether the server sends the
  /// rest or, because it can't or the body has changed, all of it: the file has one body, and the result is the
  /// response with which that began. `checkResponse` isn't asked about a rest. What doesn't fit is a failure
  /// (`URLError.badServerResponse`), and the request after that is for all. The session must not be invalidated
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - request: What to ask for.
  ///   - destination: A file URL. Its folder exists.
  ///   - isReplacing: Whether a file that exists at the destination when the download is complete is replaced, at once
  ///     and as a whole. Of a symbolic link it is the link, and not what it points to. Folders, and what isn't a file,
  ///     as devices, pipes and sockets, are never replaced. If false, whatever has appeared there meanwhile makes the
  ///     download fail.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: How many bytes the file may have; more is a failure with a ``BodyTooLongError``.
  ///   - progress: Gets these numbers, for a task to read.
  ///   - onProgress: Told how many bytes of the body have come.
  ///   - checkResponse: Called when the head of the response has come; throwing gives up. For these three see
  ///     ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///   - delay: Asked when the request has failed, with the error and the number of failures so far, on the session's
  ///     delegate queue; it should be short. Returns after which time the request is made again; nil gives up, and the
  ///     future fails with that error. It isn't asked about cancellations, nor about errors of the file (`CocoaError`).
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
        if transfer.isPending { makeRequest(request, .ofRequest, for: transfer, bodyLimit: bodyLimit) }
      }
    }
    let progress = Progressing(future.cancelToken, progress, onProgress)
    let transfer = FileTransfer(future, file, checkResponse, progress, restarting)
    start(transfer, for: request, .ofRequest, bodyLimit: bodyLimit, linkedTo: parent)
    return future
  }

  /// Starts a request for a URL, whose body is written to a file, which appears complete or not at all.
  ///
  /// - Parameters:
  ///   - url: What to ask for.
  ///   - destination: A file URL. Its folder exists.
  ///   - isReplacing: Whether a file that exists there is replaced.
  ///   - parent: Work whose cancellation cancels this future.
  ///   - bodyLimit: How many bytes the file may have.
  ///   - progress: Gets these numbers, for a task to read.
  ///   - onProgress: Told how many bytes of the body have come.
  ///   - checkResponse: Called when the head of the response has come; throwing gives up.
  ///   - delay: Asked after a failure when the request is made again, for the rest of the body. For the rest see
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
