// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Collects a body in memory.
final class BodyTransfer: Transfer {
  /// The direction that progress reports.
  enum Direction: Sendable {
    case sending
    case receiving
  }

  private struct State {
    var body = Data()
    var expected: Int64?
  }

  private let result: ValueFuture<(Data, URLResponse)>
  private let direction: Direction
  private let checkResponse: (@Sendable (URLResponse) throws -> Void)?
  private let progress: Progressing
  /// Guards the body so far; inside it grows.
  private let state = Locked(State())

  init(
    _ result: ValueFuture<(Data, URLResponse)>,
    _ direction: Direction,
    _ checkResponse: (@Sendable (URLResponse) throws -> Void)?,
    _ progress: Progressing
  ) {
    self.result = result
    self.direction = direction
    self.checkResponse = checkResponse
    self.progress = progress
  }

  var cancelToken: CancelToken { result.cancelToken }

  func prepare(_ request: inout URLRequest) {}

  func check(_ response: URLResponse) throws { try checkResponse?(response) }

  func begin(with response: URLResponse, expecting length: Int64?) -> Int64 {
    // Returned and released here, after the lock.
    state.release { state in
      defer { state = State(expected: length) }
      return state
    }
    return 0
  }

  func receive(_ data: Data) {
    let (completed, total) = state.withLock { state in
      state.body.append(data)
      return (Int64(state.body.count), state.expected)
    }
    if direction == .receiving { progress.tell(completed, of: total) }
  }

  func send(_ completed: Int64, of total: Int64) {
    if direction == .sending { progress.tell(completed, of: total > 0 ? total : nil) }
  }

  func end(with response: URLResponse) {
    result.complete(with: (takeBody(), response))
  }

  func fail(with error: any Error) {
    _ = takeBody()
    result.end(with: error)
  }

  func refuse(with error: any Error) { result.end(with: error) }

  private func takeBody() -> Data {
    state.withLock { state in
      defer { state.body = Data() }
      return state.body
    }
  }
}
