// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Delivers a body to a reader as it arrives.
///
/// The future is completed by the reader when it has reached the end: until then a cancellation counts.
final class StreamTransfer: Transfer {
  /// The number of bytes in memory from which on the reader is too slow.
  static let memoryLimit = 1 << 20

  private enum End {
    case whole
    case failed(any Error)
  }

  private struct State {
    var buffer = StreamTransfer.emptyBuffer
    /// True if the buffer holds the body that the reader wants.
    var isOpen = false
    /// The end that follows the buffer.
    var end: End?
    /// Completed when there may be new data: readers wait for it.
    var news: Future?
  }

  /// The result of a read.
  private enum Finding {
    case piece(Data)
    case end(End)
    case nothing(news: Future?)
  }

  private let result: ValueFuture<Void>
  private let head = ValueFuture<URLResponse>(label: "the head of a response")
  private let checkResponse: (@Sendable (URLResponse) throws -> Void)?
  /// Guards the unread part of the body, and who waits for more; inside are system calls on the buffer's file.
  private let state = Locked(State())
  private let pause = TaskPause()

  init(_ result: ValueFuture<Void>, _ checkResponse: (@Sendable (URLResponse) throws -> Void)?) {
    self.result = result
    self.checkResponse = checkResponse
    result.cascadeCancellation(to: head)
    // On another queue, since readers aren't resumed by a thread that has the turn of a future.
    result.onCleanUp(on: DispatchQueue.global()) { [self] in
      pause.finish()
      let (buffer, news) = state.withLock { state in
        defer { (state.buffer, state.news) = (Self.emptyBuffer, nil) }
        return (state.buffer, state.news)
      }
      _ = consume buffer
      news?.complete()
    }
  }

  private static var emptyBuffer: BodyBuffer {
    BodyBuffer(memoryLimit: memoryLimit, spilling: !TaskPause.isPossible)
  }

  var cancelToken: CancelToken { result.cancelToken }

  // MARK: The session's side

  func prepare(_ request: inout URLRequest) {}

  func isMade(_ task: URLSessionTask, in session: URLSession) { pause.control(task, in: session) }

  func begin(with response: URLResponse, expecting length: Int64?) throws -> Int64 {
    let old: BodyBuffer? = state.withLock { state in
      if state.isOpen { return nil }
      defer { state.buffer = Self.emptyBuffer }
      return state.buffer
    }
    guard old != nil else {
      // Data that has been read can't be revoked.
      let text = "The request has been made again, and a part of the body may have been read."
      throw URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: text])
    }
    return 0
  }

  func check(_ response: URLResponse) throws {
    try checkResponse?(response)
    tellReaders { $0.isOpen = true }
    head.complete(with: response)
  }

  func receive(_ data: Data) throws {
    // The file of the buffer is written under the lock, since a reader may read it; nothing else is called there.
    let isFull = try state.withLock { state in
      try state.buffer.append(data)
      return state.buffer.isFull
    }
    tellReaders { _ in }
    guard isFull else { return }
    pause.begin { [self] in state.withLock { $0.buffer.bytesInMemory > Self.memoryLimit / 2 } }
  }

  func send(_ completed: Int64, of total: Int64) {}

  func end(with response: URLResponse) { tellReaders { $0.end = .whole } }

  func fail(with error: any Error) {
    if isCancellation(error) { return result.cancel(throwing: error) }
    head.complete(throwing: error)
    // The data of a response that wasn't accepted.
    let unwanted = state.withLock { state in
      defer { if !state.isOpen { state.buffer = Self.emptyBuffer } }
      return state.isOpen ? nil : state.buffer
    }
    _ = consume unwanted
    tellReaders { state in
      state.isOpen = true
      state.end = .failed(error)
    }
  }

  func refuse(with error: any Error) { fail(with: error) }

  private func tellReaders(_ change: (inout State) -> Void) {
    let news = state.withLock { state in
      change(&state)
      defer { if state.isOpen { state.news = nil } }
      return state.isOpen ? state.news : nil
    }
    news?.complete()
  }

  // MARK: The reader's side

  var response: URLResponse {
    get async throws { try await head.value }
  }

  /// Returns the next piece; nil at the end, and after the error.
  ///
  /// The reader keeps `isOver`, which becomes true when it has had either.
  func next(_ isOver: inout Bool) async throws -> Data? {
    while !isOver {
      try result.checkCancellation()
      var finding = find(orWaitFor: nil)
      // Made without the lock.
      if case .nothing(nil) = finding { finding = find(orWaitFor: Future(label: "more of a body")) }
      switch finding {
      case .piece(let data):
        pause.end()
        return data
      case .end(let end):
        // A cancellation drops the rest, and then nothing is left to be read.
        try result.checkCancellation()
        isOver = true
        switch end {
        case .whole:
          result.complete(with: ())
          return nil
        case .failed(let error):
          result.complete(throwing: error)
          throw error
        }
      case .nothing(let news):
        // An earlier clean-up is over, and one that comes now finds the waiters.
        guard result.isPending else {
          try result.checkCancellation()
          isOver = true
          try result.result?.get()
          return nil
        }
        try await news?.value
      }
    }
    return nil
  }

  private func find(orWaitFor new: Future?) -> Finding {
    do {
      return try state.withLock { state in
        if state.isOpen {
          if let piece = try state.buffer.removeFirst() { return .piece(piece) }
          if let end = state.end { return .end(end) }
        }
        state.news = state.news ?? new
        return .nothing(news: state.news)
      }
    } catch {
      // The file can't be read.
      return .end(.failed(error))
    }
  }
}
