// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Writes a body to a file.
///
/// `@unchecked Sendable`: `lock` guards `received` and `expected`, and nothing is called while it is held.
final class FileTransfer: Transfer, @unchecked Sendable {
  private let result: ValueFuture<URLResponse>
  private let file: PartialFile
  private let checkResponse: (@Sendable (URLResponse) throws -> Void)?
  private let progress: Progressing?
  private let lock = NSLock()
  private var received: Int64 = 0
  private var expected: Int64?

  init(
    _ result: ValueFuture<URLResponse>,
    _ file: PartialFile,
    _ checkResponse: (@Sendable (URLResponse) throws -> Void)?,
    _ onProgress: (@Sendable (Int64, Int64?) -> Void)?
  ) {
    self.result = result
    self.file = file
    self.checkResponse = checkResponse
    progress = Progressing(result.future, onProgress)
  }

  var future: Future { result.future }

  func prepare() throws {
    try file.create()
    // On the private queue, because it waits for a write that is under way.
    future.onCancel { [file] in file.discard() }
  }

  func begin(with response: URLResponse) throws {
    try checkResponse?(response)
    let length = expectedLength(response)
    lock.withLock { expected = length }
  }

  func receive(_ data: Data) throws {
    try file.write(data)
    let (completed, total) = lock.withLock {
      received += Int64(data.count)
      return (received, expected)
    }
    progress?.tell(completed, of: total)
  }

  func send(_ completed: Int64, of total: Int64) {}

  /// Makes the file appear and completes the future, both or neither: nobody can cancel in between.
  func end(with response: URLResponse) {
    future.perform { [self] state in
      guard state.isPending else { return }
      do {
        try file.keep()
        // In place, since this block has the turn.
        result.tryComplete(with: response)
      } catch {
        file.discard()
        result.tryComplete(throwing: error)
      }
    }
  }

  func fail(with error: any Error) {
    file.discard()
    result.end(with: error)
  }
}
