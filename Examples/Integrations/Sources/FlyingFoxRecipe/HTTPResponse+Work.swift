// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A recipe: copy this file.

public import FlyingFox
internal import FlyingSocks
public import RaceFreeFuture

extension HTTPResponse {
  /// Makes a response whose body is sent in pieces, and whose work is cancelled when the client has disconnected.
  ///
  /// FlyingFox notices that a client is gone when it sends to it. It then releases the body, and that cancels the work.
  /// It also releases a body that it has sent; work that has completed by then ignores it. A handler that hasn't returned
  /// its response yet doesn't learn that its client is gone; it has the time limit of the server.
  ///
  /// - Parameters:
  ///   - chunks: The pieces.
  ///   - work: The work that makes them, such as a scope.
  public init(streaming chunks: AsyncStream<[UInt8]>, cancelling work: some CancellableWork) {
    let body = BodyOfWork(chunks: chunks, reader: work.cancelOnDeinit())
    self.init(statusCode: .ok, body: HTTPBodySequence(from: body))
  }
}

/// Bytes of chunks; releasing the last copy cancels the work.
private struct BodyOfWork: AsyncBufferedSequence {
  let chunks: AsyncStream<[UInt8]>
  let reader: AutoCancel

  func makeAsyncIterator() -> Iterator {
    Iterator(chunks: chunks.makeAsyncIterator(), reader: reader)
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var chunks: AsyncStream<[UInt8]>.Iterator
    let reader: AutoCancel
    var rest: ArraySlice<UInt8> = []

    mutating func next() async -> UInt8? {
      await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
      while rest.isEmpty {
        guard let chunk = await chunks.next(isolation: #isolation) else { return nil }
        rest = chunk[...]
      }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}
