// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The body of a response, piece by piece, while it comes.
///
/// ```swift
/// let body = session.bodyStream(from: url, checkResponse: { try $0.checkStatus() })
/// for try await piece in body { try output.write(contentsOf: piece) }
/// ```
///
/// The pieces come in order, and their ends mean nothing; none is empty. After the last one the sequence ends, or
/// throws what went wrong: what has come before is delivered first. Whether all of it was right is known at the end
/// only.
///
/// **Stopping.** The stream is work that can be cancelled until its reader has come to the end: that is when it is
/// completed, with or without an error. Cancelled, it throws the reason instead of the next piece, however much has
/// come. A task that is cancelled while it waits leaves with `CancellationError`, and the stream goes on. The last copy
/// of the stream and of its iterators cancels it when it goes: who leaves the loop, and keeps nothing, has stopped the
/// transfer.
///
/// **Who is slow.** Up to a megabyte is kept in memory for a reader who is slow. What comes beyond that has to wait: on
/// Apple platforms at the server, since the task is suspended until the reader has caught up. On Linux Foundation can't
/// slow down one task, so it waits in a file without a name in the temporary folder; no other transfer waits, and
/// memory is bounded all the same (in a session with a ``TransferDelegate``: in others the whole body is kept in memory
/// until it has come).
///
/// Made for one reader: of several each gets a part. Thread-safe.
public struct BodyStream: AsyncSequence, CancellableWork, Sendable {
  private let transfer: StreamTransfer
  private let life: AutoCancel

  init(_ transfer: StreamTransfer) {
    self.transfer = transfer
    life = transfer.cancelOnDeinit()
  }

  /// The token of the transfer, which is completed when its reader has come to the end.
  public var cancelToken: CancelToken { transfer.cancelToken }

  /// The head of the response, when it has come and was accepted.
  ///
  /// Throws what went wrong, or the reason of the cancellation. A task that is cancelled meanwhile leaves with
  /// `CancellationError`.
  public var response: URLResponse {
    get async throws { try await transfer.response }
  }

  /// Begins to read, or goes on where another iterator has stopped.
  ///
  /// - Returns: An iterator, which keeps the stream.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }

  /// A reader of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let stream: BodyStream

    /// Waits for the next piece.
    ///
    /// - Returns: The piece; nil at the end, and after an error.
    /// - Throws: What went wrong with the transfer, the reason of its cancellation, or `CancellationError` if the task
    ///   that waits is cancelled.
    public mutating func next() async throws -> Data? { try await stream.transfer.next() }
  }
}

// MARK: - Stream

extension URLSession {
  /// Starts a request whose body is read while it comes.
  ///
  /// The request is made at once; for who reads late, or slowly, see ``BodyStream``. For errors,
  /// lengths, status codes and the session see
  /// ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - request: What to ask for.
  ///   - parent: Work whose cancellation cancels the stream. If it has been cancelled, no request is made.
  ///   - bodyLimit: How many bytes the body may have; the reader gets no more, but a ``BodyTooLongError``.
  ///   - checkResponse: Called when the head of the response has come; throwing gives up. No piece is delivered before.
  ///   - fileID: Leave it out: the file in which the stream is made.
  ///   - line: Leave it out: the line on which the stream is made.
  /// - Returns: The stream. Dropping it stops the transfer.
  public func bodyStream(
    for request: URLRequest,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> BodyStream {
    let transfer = StreamTransfer(ValueFuture<Void>(fileID: fileID, line: line), checkResponse)
    start(transfer, for: request, .ofRequest, bodyLimit: bodyLimit, linkedTo: parent)
    return BodyStream(transfer)
  }

  /// Starts a request for a URL, whose body is read while it comes.
  ///
  /// - Parameters:
  ///   - url: What to ask for.
  ///   - parent: Work whose cancellation cancels the stream.
  ///   - bodyLimit: How many bytes the body may have.
  ///   - checkResponse: Called when the head of the response has come; throwing gives up. For the rest see
  ///     ``bodyStream(for:linkedTo:bodyLimit:checkResponse:fileID:line:)``.
  ///   - fileID: Leave it out: the file in which the stream is made.
  ///   - line: Leave it out: the line on which the stream is made.
  /// - Returns: The stream. Dropping it stops the transfer.
  public func bodyStream(
    from url: URL,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> BodyStream {
    bodyStream(
      for: URLRequest(url: url),
      linkedTo: parent,
      bodyLimit: bodyLimit,
      checkResponse: checkResponse,
      fileID: fileID,
      line: line
    )
  }
}
