// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects a body in memory.
///
/// `@unchecked Sendable`: `lock` guards `body` and `expected`, and nothing is called while it is held.
final class BodyTransfer: Transfer, @unchecked Sendable {
  /// What progress is told of.
  enum Direction {
    case sending
    case receiving
  }

  private let result: ValueFuture<(Data, URLResponse)>
  private let direction: Direction
  private let progress: Progressing?
  private let lock = NSLock()
  private var body = Data()
  private var expected: Int64?

  init(
    _ result: ValueFuture<(Data, URLResponse)>,
    _ direction: Direction,
    _ onProgress: (@Sendable (Int64, Int64?) -> Void)?
  ) {
    self.result = result
    self.direction = direction
    progress = Progressing(result.future, onProgress)
  }

  var future: Future { result.future }

  func prepare() {}

  func begin(with response: URLResponse) {
    let length = expectedLength(response)
    lock.withLock { expected = length }
  }

  func receive(_ data: Data) {
    let (completed, total) = lock.withLock {
      body.append(data)
      return (Int64(body.count), expected)
    }
    if direction == .receiving { progress?.tell(completed, of: total) }
  }

  func send(_ completed: Int64, of total: Int64) {
    if direction == .sending { progress?.tell(completed, of: total > 0 ? total : nil) }
  }

  func end(with response: URLResponse) {
    result.complete(with: (takeBody(), response))
  }

  func fail(with error: any Error) {
    _ = takeBody()
    result.end(with: error)
  }

  private func takeBody() -> Data {
    lock.withLock {
      defer { body = Data() }
      return body
    }
  }
}
