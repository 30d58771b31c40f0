// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import RaceFreeFuture
  import RaceFreeFutureFoundation
  import RaceFreeFutureTesting
  import Synchronization
  import TestSupport
  import Testing

  /// Serial code that is LSB first, as a deflated block is: its fixed codes begin with their highest bit.
  private func bytes(_ bits: String) -> Data {
    let bits = bits.filter { $0 != " " }.map { $0 == "1" ? UInt8(1) : 0 }
    return Data(
      stride(from: 0, to: bits.count, by: 8).map { start in
        (0..<8).reduce(0) { $0 | bits[start + $1] << $1 }
      }
    )
  }

  /// A compressed body of zeros, 160 times as long as what is sent: a block in fixed codes of the byte 0, and then of
  /// repetitions, each of the last 258 bytes but one, which take 13 bits.
  private enum Bomb {
    private static let repetition = "11000101 00000"
    static let head = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + bytes("0 10 00110000" + repetition)
    static let piece = (0..<4096).reduce(into: Data()) { data, _ in data += eight }
    private static let eight = bytes(String(repeating: repetition, count: 8))
  }

  /// A server that sends without an end, by the path in one of three ways.
  private final class EndlessServer: Sendable {
    private final class Count: Sendable {
      let bytes = Atomic(0)
    }

    let server: TestServer
    let hasHungUp = Gate("hung up")
    private let sent = Count()

    init() {
      server = TestServer { [sent, hasHungUp] connection in
        if connection.path == "/small" { return _ = connection.respond(200, Data("small".utf8)) }
        let isBomb = connection.path == "/bomb"
        connection.sendHead(length: nil, isBomb ? "Content-Encoding: gzip" : "X: y")
        if isBomb { connection.send(Bomb.head) }
        let piece = isBomb ? Bomb.piece : body(of: connection.path == "/steady" ? 10_000 : 1 << 20)
        while connection.send(piece) {
          sent.bytes.add(piece.count, ordering: .relaxed)
          // As fast as a network: the session has read all that there is, now and then.
          if connection.path == "/steady" { sched_yield() }
        }
        hasHungUp.open()
      }
    }

    func url(_ path: String) -> URL { server.url(path) }

    /// Returns when so many bytes have been sent, or the session has hung up.
    func hasSent(_ count: Int) async throws {
      try await eventually("\(count) bytes are sent") {
        self.sent.bytes.load(ordering: .relaxed) > count || self.hasHungUp.isOpen
      }
    }
  }

  /// The most memory that this process has had, in bytes.
  private func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }

  /// Loads a body of more than its limit, in a process that has done nothing else.
  private func loadTooMuch(_ path: String, until sent: Int) async throws {
    let server = EndlessServer()
    let session = Sessions.transferring.makeSession()
    _ = try await session.dataFuture(from: server.url("/small")).value
    let before = try peak()
    let data = session.dataFuture(from: server.url(path), bodyLimit: 10_000_000)
    await #expect(throws: BodyTooLongError(limit: 10_000_000)) { try await data.value }
    try await server.hasSent(sent)
    #expect(try peak() - before < 100_000_000)
  }

  @Suite struct `Transfers without an end` {
    @Test(.exitTests) func `take no more memory than their limit and a little, however fast the server is`() async {
      await #expect(processExitsWith: .success) { try await loadTooMuch("/endless", until: 300_000_000) }
    }

    @Test(.exitTests) func `take no more memory than their limit and a little when they are decompressed`() async {
      await #expect(processExitsWith: .success) { try await loadTooMuch("/bomb", until: 12_000_000) }
    }

    @Test func `let others through, and hang up when they are stopped`() async throws {
      let session = Sessions.transferring.makeSession()
      for isCancelled in [true, false] {
        let server = EndlessServer()
        let token = try await {
          let stream = session.bodyStream(from: server.url("/steady"))
          var (read, small) = (0, 0)
          for try await piece in stream {
            read += piece.count
            guard read > 1_000_000 * small else { continue }
            #expect(try await session.dataFuture(from: server.url("/small")).value.0 == Data("small".utf8))
            small += 1
            if small > 10 { break }
          }
          if isCancelled { stream.cancel() }
          // Otherwise it is dropped.
          return stream.cancelToken
        }()
        await server.hasHungUp.passed()
        #expect(await token.handlersFinished == .cancelled)
        server.server.stop()
      }
      let server = EndlessServer()
      let data = session.dataFuture(from: server.url("/steady"), bodyLimit: 1_000_000)
      await #expect(throws: BodyTooLongError(limit: 1_000_000)) { try await data.value }
      await server.hasHungUp.passed()
      _ = await data.handlersFinished
      server.server.stop()
    }
  }
#endif
