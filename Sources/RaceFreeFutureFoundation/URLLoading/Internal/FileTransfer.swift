// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Writes a body to a file.
///
/// Whether the file is kept is part of the decision, and made in its turn: whoever else decides, decides against it.
final class FileTransfer: Transfer {
  private let result: ValueFuture<URLResponse>
  private let file: PartialFile
  private let checkResponse: (@Sendable (URLResponse) throws -> Void)?
  private let progress: Progressing
  private let count = Locked<(received: Int64, expected: Int64?)>((0, nil))

  init(
    _ result: ValueFuture<URLResponse>,
    _ file: PartialFile,
    _ checkResponse: (@Sendable (URLResponse) throws -> Void)?,
    _ progress: Progressing
  ) {
    self.result = result
    self.file = file
    self.checkResponse = checkResponse
    self.progress = progress
  }

  var cancelToken: CancelToken { result.cancelToken }

  func prepare() throws {
    try file.create()
    // On the private queue, because it waits for a write that is under way. Behind a decision of this transfer it finds
    // nothing to do.
    result.onCleanUp { [file] in file.discard() }
  }

  func check(_ response: URLResponse) throws { try checkResponse?(response) }

  func begin(expecting length: Int64?) throws {
    try file.empty()
    count.withLock { $0 = (0, length) }
  }

  func receive(_ data: Data) throws {
    try file.write(data)
    let (completed, total) = count.withLock { count in
      count.received += Int64(data.count)
      return count
    }
    progress.tell(completed, of: total)
  }

  func send(_ completed: Int64, of total: Int64) {}

  func end(with response: URLResponse) {
    decide { [self] in
      try file.keep()
      // In place, since this runs in a turn.
      result.tryComplete(with: response)
    }
  }

  func fail(with error: any Error) {
    decide { throw error }
  }

  func refuse(with error: any Error) {
    file.discard()
    result.end(with: error)
  }

  /// Makes the file appear and completes the future, or discards it and ends the future with the error, in one turn:
  /// nobody can cancel in between, and of two calls the first one counts.
  private func decide(_ body: @escaping @Sendable () throws -> Void) {
    result.perform { [self] state in
      guard state.isPending else { return }
      do {
        try body()
      } catch {
        file.discard()
        result.endInTurn(with: error)
      }
    }
  }
}
