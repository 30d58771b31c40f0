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
  /// ```swift
  /// let download = session.downloadFuture(for: request, to: file, checkResponse: { try $0.checkStatus() })
  /// download.onValue { response in print("saved") }
  /// ```
  ///
  /// The body goes to a hidden file in the folder of the destination (its name begins with a dot and ends with `.part`).
  /// It gets its final name in the same turn in which the future completes, so the destination exists exactly if the
  /// download has completed. After a failure the hidden file is removed before the handlers start. If other code cancels
  /// or completes the future, a handler of the future removes it: it is gone after `handlersFinished`. Only a program
  /// that ends before that leaves it behind.
  ///
  /// Cancelling or completing the future cancels the task. Its name, errors, lengths and status codes are those of
  /// ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``; the page that comes with a
  /// status like 404 is a file like any other, unless `checkResponse` throws.
  ///
  /// The hidden file is created before the request is made, on the calling thread. If that can't be done, because the
  /// folder is missing for example, the future fails with a `CocoaError`, and no request is made. It fails later if the
  /// disk becomes full, if the hidden file is removed or replaced (`CocoaError.fileNoSuchFile`), and if the destination
  /// exists and isn't to be replaced (`CocoaError.fileWriteFileExists`). On a file system with neither hard links nor
  /// exclusive renaming, an empty file has the final name for an instant.
  ///
  /// **Resuming.** With `resuming`, a request that has failed is made again: for the rest of the body, if the method is
  /// `GET`, the body isn't compressed, and the server has identified it by a strong `ETag` or by a `Last-Modified` at least
  /// a second before its `Date`. The server may send the rest or all of it; the file has one body in both cases, and the
  /// result is the response with which that began. A rest has to come from the same address, but for the query, and has
  /// to fit by `ETag` or `Last-Modified` and by `Content-Range`. If it doesn't, that is a failure
  /// (`URLError.badServerResponse`), and the request after that is for the whole body.
  ///
  /// **Continuing later.** With `keepingPart`, a download that is cancelled, fails or ends with its program leaves its part
  /// behind, and the next one for this destination, in this or another process, requests the rest under the same conditions,
  /// or the whole body if that has changed; if it gets a rest, that response is the result. The part is in a hidden file
  /// `.name.part`, and what it is a part of in `.name.part.record`: both are there until a download has completed, or
  /// ``removePart(of:)`` is called. It stays only if it can be continued. A program that is killed loses its last 4 MB at
  /// most. The part has one writer: a second download fails with `CocoaError.fileLocking` until `handlersFinished` of the
  /// first.
  ///
  /// If the session is invalidated while the download waits for its next request, it is cancelled
  /// (`URLError.cancelled`): at once in a session with a ``TransferDelegate``, else when that request is due. On Apple
  /// platforms, without a `TransferDelegate`, that request would stop the program. Background sessions don't run these
  /// requests, which are data tasks.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - destination: A file URL. Its folder has to exist.
  ///   - isReplacing: True to replace a file at the destination, atomically, when the download is complete. A symbolic
  ///     link is replaced itself, not its target; what is neither a regular file nor a link is never replaced.
  ///   - parent: Work whose cancellation cancels this future. If it has been cancelled, no request is made.
  ///   - bodyLimit: The maximum number of bytes of the file; more is a failure with a ``BodyTooLongError``.
  ///   - progress: Receives the numbers of `onProgress`, for a task to read.
  ///   - onProgress: Called with the number of bytes of the body that have arrived.
  ///   - checkResponse: Called when the head of the response has arrived, but not for a rest; throwing fails the
  ///     transfer. For these three see
  ///     ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///   - delay: Called when the request has failed, with the error and the number of failures so far. Returns the time
  ///     after which the request is made again, or nil to fail with that error. It runs on the session's delegate queue
  ///     and should be short. It isn't called for cancellations, nor for errors of the file (`CocoaError`).
  ///   - keepsPart: True to leave a part for a later download, and to continue one that is there.
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
    keepingPart keepsPart: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<URLResponse> {
    let future = ValueFuture<URLResponse>(label: request.url?.name, fileID: fileID, line: line)
    let file = PartialFile(for: destination, replacing: isReplacing, keepingPart: keepsPart)
    var restarting: FileTransfer.Restarting?
    if keepsPart || delay != nil {
      restarting = FileTransfer.Restarting(request: request, delay: delay) { [self] transfer, request in
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
  ///   - delay: Called after a failure; returns the time after which the rest of the body is requested.
  ///   - keepsPart: True to leave a part for a later download, and to continue one that is there. For details see
  ///     ``downloadFuture(for:to:replacing:linkedTo:bodyLimit:reporting:onProgress:checkResponse:resuming:keepingPart:fileID:line:)``.
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
    keepingPart keepsPart: Bool = false,
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
      keepingPart: keepsPart,
      fileID: fileID,
      line: line
    )
  }

  /// Removes the part that a download with `keepingPart` has left, if there is one.
  ///
  /// It works on files alone, on the calling thread, and blocks for as long as the file system does. It waits for no download.
  ///
  /// - Parameter destination: The destination of the download, which isn't touched.
  /// - Throws: `CocoaError.fileLocking` while a download is writing the part, or another `CocoaError`.
  public static func removePart(of destination: URL) throws { try PartialFile.removePart(for: destination) }
}
