// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The body of a response, piece by piece, as it arrives.
///
/// ```swift
/// let body = session.bodyStream(from: url, checkResponse: { try $0.checkStatus() })
/// for try await piece in body { try output.write(contentsOf: piece) }
/// ```
///
/// The pieces come in order, with arbitrary boundaries; none is empty. After the last one the sequence ends, or throws
/// the error of the transfer: the pieces that have arrived before are delivered first. Only the end tells whether the
/// body was complete and correct.
///
/// **Stopping.** The stream is work that can be cancelled until its reader has reached the end: then it is completed,
/// with or without an error. After a cancellation it throws the reason instead of the next piece, even if more has
/// arrived. A task that is cancelled while it waits gets a `CancellationError`, and the stream continues. When the last
/// copy of the stream and of its iterators is released, the stream is cancelled: leaving the loop without keeping a
/// copy stops the transfer.
///
/// **Slow readers.** Up to a megabyte is kept in memory for a slow reader. On Apple platforms the rest waits at the
/// server: the task is suspended until the reader has caught up. On Linux, where Foundation can't slow down one task, the
/// rest waits in unnamed files in the temporary folder (at most one and a half times the most that was unread, plus
/// 16 MB), and no other transfer waits. That needs a session with a ``TransferDelegate``: in others the whole body is kept
/// in memory until it is complete.
///
/// Made for one reader: each of several readers gets a part, and each the end or the error. Thread-safe.
public struct BodyStream: AsyncSequence, CancellableWork, Sendable {
  private let transfer: StreamTransfer
  private let life: AutoCancel

  init(_ transfer: StreamTransfer) {
    self.transfer = transfer
    life = transfer.cancelOnDeinit()
  }

  /// The token of the transfer, which is completed when its reader has reached the end.
  public var cancelToken: CancelToken { transfer.cancelToken }

  /// The head of the response, once it has arrived and was accepted.
  ///
  /// Throws the error of the transfer, or the reason of the cancellation. A task that is cancelled meanwhile gets a
  /// `CancellationError`.
  public var response: URLResponse {
    get async throws { try await transfer.response }
  }

  /// Begins to read, or continues where another iterator has stopped.
  ///
  /// - Returns: An iterator, which keeps the stream.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// A reader of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let stream: BodyStream
    private var isOver = false

    fileprivate init(_ stream: BodyStream) { self.stream = stream }

    /// Waits for the next piece.
    ///
    /// - Returns: The piece; nil at the end, and after this iterator has thrown the error of the transfer.
    /// - Throws: The error of the transfer, the reason of its cancellation, or `CancellationError` if the task that
    ///   waits is cancelled.
    public mutating func next() async throws -> Data? { try await stream.transfer.next(&isOver) }
  }
}

// MARK: - Stream

extension URLSession {
  /// Starts a request whose body is read as it arrives.
  ///
  /// The request is made at once; for late or slow readers see ``BodyStream``. For its name, errors, lengths, status
  /// codes and the session see ``dataFuture(for:linkedTo:bodyLimit:reporting:onProgress:checkResponse:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - parent: Work whose cancellation cancels the stream. If it has been cancelled, no request is made.
  ///   - bodyLimit: The maximum number of bytes of the body; beyond it the reader gets a ``BodyTooLongError``.
  ///   - checkResponse: Called when the head of the response has arrived; throwing fails the transfer. No piece is
  ///     delivered before.
  /// - Returns: The stream. Dropping it stops the transfer.
  public func bodyStream(
    for request: URLRequest,
    linkedTo parent: (any CancellableWork)? = nil,
    bodyLimit: Int64? = nil,
    checkResponse: (@Sendable (URLResponse) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> BodyStream {
    let end = ValueFuture<Void>(label: request.url?.name, fileID: fileID, line: line)
    let transfer = StreamTransfer(end, checkResponse)
    start(transfer, for: request, .ofRequest, bodyLimit: bodyLimit, linkedTo: parent)
    return BodyStream(transfer)
  }

  /// Starts a request for a URL, whose body is read as it arrives.
  ///
  /// - Parameters:
  ///   - url: The URL to load.
  ///   - parent: Work whose cancellation cancels the stream.
  ///   - bodyLimit: The maximum number of bytes of the body.
  ///   - checkResponse: Called when the head of the response has arrived; throwing fails the transfer. For details see
  ///     ``bodyStream(for:linkedTo:bodyLimit:checkResponse:fileID:line:)``.
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
