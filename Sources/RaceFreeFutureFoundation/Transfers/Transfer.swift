// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The receiver of the data of one task.
///
/// Its token is that of the future which gets the result.
///
/// The calls come one after the other, most of them on the session's delegate queue; none comes after one of the last
/// two.
protocol Transfer: CancellableWork {
  /// Called before the task is made, with its request.
  func prepare(_ request: inout URLRequest) throws
  /// Called when the task has been made, before it is started.
  func isMade(_ task: URLSessionTask, in session: URLSession)
  /// Called with the response that counts; throwing fails the transfer.
  func check(_ response: URLResponse) throws
  /// Called when the head of a response has arrived; throwing fails the transfer.
  ///
  /// - Returns: The number of previously received bytes that belong to the same body: 0, unless the request left them
  ///   out.
  func begin(with response: URLResponse, expecting length: Int64?) throws -> Int64
  /// Called when a piece of the body has arrived; throwing fails the transfer.
  func receive(_ data: Data) throws
  /// Called with the number of bytes that have been sent.
  func send(_ completed: Int64, of total: Int64)
  /// Called when no more data will arrive.
  func end(with response: URLResponse)
  /// Called when no more data will arrive, and the received data is of no use.
  func fail(with error: any Error)
  /// Called when no task will be made, instead of all the others but `prepare`.
  func refuse(with error: any Error)
}

extension Transfer {
  func isMade(_ task: URLSessionTask, in session: URLSession) {}
}

extension ValueFuture {
  /// Ends the work with an error of a session, a file or a user's check.
  func end(with error: any Error) {
    if isCancellation(error) { cancel(throwing: error) } else { complete(throwing: error) }
  }

  /// Ends the work with an error, in the turn that the calling thread has.
  func endInTurn(with error: any Error) {
    if isCancellation(error) { tryCancel(throwing: error) } else { tryComplete(throwing: error) }
  }
}

/// Returns true if an error indicates that a transfer was cancelled.
///
/// On purpose wider than `ValueFuture.end(throwing:)`, which accepts a `CancellationError` only: a session reports the
/// cancellation of a task as `URLError.cancelled`.
func isCancellation(_ error: any Error) -> Bool {
  error is CancellationError || (error as? URLError)?.code == .cancelled
}
