// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What becomes of what one task brings.
///
/// Its token is that of the future which gets the result.
///
/// The calls come one after the other, most of them on the session's delegate queue; none comes after one of the last
/// two.
protocol Transfer: CancellableWork {
  /// The task is about to be made.
  func prepare() throws
  /// The task has been made, and is going to be started.
  func isMade(_ task: URLSessionTask, in session: URLSession)
  /// This is the response that counts; throwing gives up.
  func check(_ response: URLResponse) throws
  /// The head of a response has come; throwing gives up.
  ///
  /// - Returns: How many bytes of what has come before belong to the same body: none, unless the request left them out.
  func begin(with response: URLResponse, expecting length: Int64?) throws -> Int64
  /// A piece of the body has come; throwing gives up.
  func receive(_ data: Data) throws
  /// So much has been sent.
  func send(_ completed: Int64, of total: Int64)
  /// Nothing more will come.
  func end(with response: URLResponse)
  /// Nothing more will come, and what has come is of no use.
  func fail(with error: any Error)
  /// There won't be a task. Called instead of all the others but `prepare`.
  func refuse(with error: any Error)
}

extension Transfer {
  func isMade(_ task: URLSessionTask, in session: URLSession) {}
}

extension ValueFuture {
  /// Ends it with what a session, a file or a user's check had to say.
  func end(with error: any Error) {
    if isCancellation(error) { cancel(throwing: error) } else { complete(throwing: error) }
  }

  /// Does so in the turn that the calling thread has.
  func endInTurn(with error: any Error) {
    if isCancellation(error) { tryCancel(throwing: error) } else { tryComplete(throwing: error) }
  }
}

/// Whether an error says that a transfer was cancelled.
func isCancellation(_ error: any Error) -> Bool {
  error is CancellationError || (error as? URLError)?.code == .cancelled
}
