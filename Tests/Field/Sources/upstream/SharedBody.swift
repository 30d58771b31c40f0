// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingFox
import FlyingSocks

@Sendable func sharedBody() async -> String? {
  struct Bytes: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    let stream: AsyncStream<UInt8>
    func makeAsyncIterator() -> Bytes { self }
    func next() async -> UInt8? { await stream.first { _ in true } }
    func nextBuffer(suggested count: Int) async -> [UInt8]? { await next().map { [$0] } }
  }
  let (ends, end) = AsyncStream.makeStream(of: Bool.self)
  let (stream, source) = AsyncStream.makeStream(of: UInt8.self)
  source.onTermination = { _ in end.yield(true) }
  let reader = Task { for try await _ in HTTPBodySequence(shared: Bytes(stream: stream), count: 1) {} }
  try? await Task.sleep(for: .milliseconds(200))
  reader.cancel()
  _ = await reader.result
  try? await Task.sleep(for: .seconds(1))
  end.yield(false)
  return await ends.first { _ in true } == true ? nil : "a second after its only reader had ended the read went on"
}
