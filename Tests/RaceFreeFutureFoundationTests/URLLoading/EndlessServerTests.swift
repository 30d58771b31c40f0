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

  /// A server that sends without an end and without a gap, by the path in one of two ways.
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
        let piece = isBomb ? Bomb.piece : body(of: 1 << 20)
        while connection.send(piece) { sent.bytes.add(piece.count, ordering: .relaxed) }
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

  /// The ways to stop a transfer.
  private enum Stop: CaseIterable {
    case cancel
    case drop
    case exceedLimit
  }

  /// Stops a transfer, and returns when it has ended and the session can be used.
  private func end(_ path: String, by stop: Stop) async throws {
    let session = Sessions.transferring.makeSession()
    let server = EndlessServer()
    let token: CancelToken
    if stop == .exceedLimit {
      let data = session.dataFuture(from: server.url(path), bodyLimit: 10_000_000)
      await #expect(throws: BodyTooLongError(limit: 10_000_000)) { try await data.value }
      token = data.cancelToken
    } else {
      let stream = session.bodyStream(from: server.url(path))
      var read = 0
      for try await piece in stream {
        read += piece.count
        if read > 10_000_000 { break }
      }
      if stop == .cancel { stream.cancel() }
      token = stream.cancelToken
      // Otherwise it is dropped here.
    }
    await server.hasHungUp.passed()
    let reason = await token.handlersFinished
    #expect((reason == .cancelled) == (stop != .exceedLimit))
    #expect(try await session.dataFuture(from: server.url("/small")).value.0 == Data("small".utf8))
    server.server.stop()
  }

  /// Cancels a transfer in a session that keeps the body.
  private func cancelKeeping(_ path: String) async throws {
    let session = Sessions.plain.makeSession()
    let server = EndlessServer()
    let data = session.dataFuture(from: server.url(path))
    try await server.hasSent(20_000_000)
    data.cancel()
    await server.hasHungUp.passed()
    _ = await data.handlersFinished
    #expect(try await session.dataFuture(from: server.url("/small")).value.0 == Data("small".utf8))
    server.server.stop()
  }

  /// Loads something in this and other sessions while an endless body arrives.
  private func loadBesideEndless() async throws {
    let session = Sessions.transferring.makeSession()
    let server = EndlessServer()
    let stream = session.bodyStream(from: server.url("/endless"))
    for other in [session, Sessions.transferring.makeSession(), Sessions.plain.makeSession()] {
      var read = 0
      for try await piece in stream {
        read += piece.count
        if read > 1_000_000 { break }
      }
      #expect(try await other.dataFuture(from: server.url("/small")).value.0 == Data("small".utf8))
    }
    #expect(!server.hasHungUp.isOpen)
    stream.cancel()
    await server.hasHungUp.passed()
  }

  @Suite struct `Transfers without an end` {
    @Test(.exitTests) func `take no more memory than their limit and a little, however fast the server is`() async {
      await #expect(processExitsWith: .success) { try await loadTooMuch("/endless", until: 300_000_000) }
    }

    @Test(.exitTests) func `take no more memory than their limit and a little when they are decompressed`() async {
      await #expect(processExitsWith: .success) { try await loadTooMuch("/bomb", until: 12_000_000) }
    }

    @Test(.exitTests) func `end when they are stopped although the server sends without a gap`() async {
      await #expect(processExitsWith: .success) {
        // The session is slower than the server, most of all if it decompresses.
        for path in ["/endless", "/bomb"] {
          for stop in Stop.allCases { try await end(path, by: stop) }
        }
        try await cancelKeeping("/endless")
      }
    }

    @Test(.exitTests) func `let other requests through although the server sends without a gap`() async {
      await #expect(processExitsWith: .success) { try await loadBesideEndless() }
    }
  }
#endif
