// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server that sends the head of 1000 bytes and the first four, and waits until it is left.
private final class HalfServer: Sendable {
  let isMidway = Gate("midway")
  let hasHungUp = Gate("hung up")
  let server: TestServer

  init() {
    server = TestServer { [isMidway, hasHungUp] connection in
      connection.sendHead(length: 1000)
      connection.send("half")
      isMidway.open()
      connection.waitForHangUp()
      hasHungUp.open()
    }
  }

  deinit { server.stop() }
}

/// Reads to the end.
private func all(_ stream: BodyStream) async throws -> Data {
  try await stream.reduce(into: Data()) { $0 += $1 }
}

@Suite struct `Streams of bodies` {
  @Test(arguments: Sessions.allCases, [0, 1, 5_000_000])
  func `bring the whole body, in order`(sessions: Sessions, size: Int) async throws {
    let expected = body(of: size)
    let server = TestServer { $0.respond(200, expected) }
    defer { server.stop() }
    let stream = sessions.session.bodyStream(from: server.url())
    #expect(try await status(stream.response) == 200)
    #expect(stream.isPending)
    #expect(try await all(stream) == expected)
    #expect(await stream.outcome == .completed)
    // Nothing comes after the end.
    #expect(try await all(stream) == Data())
  }

  @Test(arguments: Sessions.tellingPieces)
  func `bring a piece before the next one is sent`(sessions: Sessions) async throws {
    let isRead = Gate("read")
    let server = TestServer { connection in
      connection.sendHead(length: 8)
      connection.send("half")
      isRead.wait()
      connection.send("full")
    }
    defer { server.stop() }
    var pieces: [String] = []
    for try await piece in sessions.session.bodyStream(from: server.url()) {
      pieces.append(String(decoding: piece, as: UTF8.self))
      isRead.open()
    }
    #expect(pieces == ["half", "full"])
  }

  // MARK: Failures

  @Test(arguments: Sessions.allCases)
  func `bring what has come before they throw what went wrong`(sessions: Sessions) async throws {
    let server = TestServer { connection in
      connection.sendHead(length: 1000)
      connection.send("half")
    }
    defer { server.stop() }
    let stream = sessions.session.bodyStream(from: server.url())
    var (read, iterator) = (Data(), stream.makeAsyncIterator())
    let error = await #expect(throws: URLError.self) { while let piece = try await iterator.next() { read += piece } }
    #expect(error?.code == .networkConnectionLost)
    if sessions.tellsPieces { #expect(read == Data("half".utf8)) }
    #expect(await stream.outcome == .completed)
    #expect(try await iterator.next() == nil)
    // Whoever else reads it is told, too.
    await #expect(throws: URLError.self) { _ = try await all(stream) }
  }

  @Test(arguments: Sessions.allCases)
  func `bring nothing of a response that isn't accepted`(sessions: Sessions) async throws {
    let server = TestServer { connection in
      let header = connection.path == "/401" ? ["WWW-Authenticate: Basic realm=\"test\""] : []
      connection.respond(connection.number, Data("page".utf8), header.first ?? "X: y")
    }
    defer { server.stop() }
    for code in [404, 401] {
      let stream = sessions.session.bodyStream(from: server.url("/\(code)"), checkResponse: { try $0.checkStatus() })
      let error = await #expect(throws: HTTPStatusError.self) { _ = try await stream.response }
      #expect(error?.statusCode == code)
      var iterator = stream.makeAsyncIterator()
      await #expect(throws: HTTPStatusError.self) { _ = try await iterator.next() }
      #expect(try await iterator.next() == nil)
    }
  }

  @Test(arguments: Sessions.allCases)
  func `bring no more than the limit`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(200, body(of: 1000)) }
    defer { server.stop() }
    let stream = sessions.session.bodyStream(from: server.url(), bodyLimit: 999)
    await #expect(throws: BodyTooLongError(limit: 999, expected: 1000)) { _ = try await all(stream) }
  }

  @Test func `of a session that isn't serial fail`() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
    let stream = session.bodyStream(from: URL(fileURLWithPath: "/"))
    await #expect(throws: ConcurrentDelegateQueueError.self) { _ = try await stream.response }
    await #expect(throws: ConcurrentDelegateQueueError.self) { _ = try await all(stream) }
  }

  // MARK: Stopping

  @Test(arguments: Sessions.allCases)
  func `throw the reason of a cancellation, however much has come`(sessions: Sessions) async throws {
    let half = HalfServer()
    let stream = sessions.session.bodyStream(from: half.server.url())
    await half.isMidway.passed()
    if sessions.tellsPieces { _ = try await stream.response }
    stream.cancel(throwing: Reason("enough"))
    await #expect(throws: Reason("enough")) { _ = try await all(stream) }
    await half.hasHungUp.passed()
    if !sessions.tellsPieces { await #expect(throws: Reason("enough")) { _ = try await stream.response } }
  }

  @Test(arguments: Sessions.allCases)
  func `wake a reader who waits when they are cancelled`(sessions: Sessions) async throws {
    let half = HalfServer()
    let parent = Future()
    let stream = sessions.session.bodyStream(from: half.server.url(), linkedTo: parent)
    let reader = Task { try await all(stream) }
    await half.isMidway.passed()
    parent.cancel(throwing: Reason("parent"))
    await #expect(throws: Reason("parent")) { try await reader.value }
    await half.hasHungUp.passed()
  }

  @Test(arguments: Sessions.allCases)
  func `stop the transfer when nobody has them any more`(sessions: Sessions) async throws {
    let half = HalfServer()
    let (token, reached): (CancelToken, Bool) = try await {
      let stream = sessions.session.bodyStream(from: half.server.url())
      if sessions.tellsPieces {
        for try await piece in stream where !piece.isEmpty { return (stream.cancelToken, true) }
      }
      await half.isMidway.passed()
      return (stream.cancelToken, !sessions.tellsPieces)
    }()
    #expect(reached)
    #expect(await token.outcome == .cancelled)
    await half.hasHungUp.passed()
  }

  @Test func `go on when a task that waits is cancelled`() async throws {
    let mayGoOn = Gate("may go on")
    let server = TestServer { connection in
      connection.sendHead(length: 8)
      mayGoOn.wait()
      connection.send("complete")
    }
    defer { server.stop() }
    let stream = Sessions.transferring.session.bodyStream(from: server.url())
    _ = try await stream.response
    let reader = Task { try await all(stream) }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    #expect(stream.isPending)
    mayGoOn.open()
    #expect(try await all(stream) == Data("complete".utf8))
  }

  @Test func `make no request when the parent has been cancelled`() async throws {
    let server = TestServer { $0.respond() }
    defer { server.stop() }
    let parent = Future()
    parent.cancel(throwing: Reason("before"))
    let stream = Sessions.transferring.session.bodyStream(from: server.url(), linkedTo: parent)
    await #expect(throws: Reason("before")) { _ = try await stream.response }
    await #expect(throws: Reason("before")) { _ = try await all(stream) }
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: Sessions.allCases)
  func `can be cancelled until their end is read`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(200, Data("body".utf8)) }
    defer { server.stop() }
    let session = sessions.makeSession()
    let stream = session.bodyStream(from: server.url())
    _ = try await stream.response
    await stream.taskIsOver()
    #expect(stream.isPending)
    stream.cancel(throwing: Reason("late"))
    await #expect(throws: Reason("late")) { _ = try await all(stream) }
  }

  // MARK: Who is slow

  @Test(arguments: Sessions.allCases)
  func `of a slow reader hold up no other transfer`(sessions: Sessions) async throws {
    let expected = body(of: 20_000_000)
    let server = TestServer { $0.respond(200, $0.path == "/large" ? expected : Data("small".utf8)) }
    defer { server.stop() }
    let session = sessions.makeSession()
    let stream = session.bodyStream(from: server.url("/large"))
    _ = try await stream.response
    // Nobody reads the stream until these are there.
    for _ in 0..<10 {
      #expect(try await session.dataFuture(from: server.url("/small")).value.0 == Data("small".utf8))
    }
    #expect(try await all(stream) == expected)
  }

  #if canImport(FoundationNetworking)
    /// A task that is suspended begins anew when it is resumed, and what has been read can't be taken back.
    @Test func `fail rather than bring a part twice`() async throws {
      let mayEnd = Gate("may end")
      let server = TestServer { connection in
        connection.sendHead(length: 8)
        connection.send("half")
        mayEnd.wait()
        connection.send("HALF")
      }
      defer { server.stop() }
      let session = Sessions.transferring.makeSession()
      let stream = session.bodyStream(from: server.url())
      var iterator = stream.makeAsyncIterator()
      #expect(try await iterator.next() == Data("half".utf8))
      let tasks = await session.tasks()
      for task in tasks { task.suspendAndWait() }
      mayEnd.open()
      for task in tasks { task.resume() }
      let error = await #expect(throws: URLError.self) { while try await iterator.next() != nil {} }
      #expect(error?.code == .networkConnectionLost)
    }

    /// A limit of the size of files does what a full disk would do; it holds for a whole program.
    @Test(.exitTests) func `fail when what a slow reader hasn't read fills the disk`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 50_000, rlim_max: 50_000)
        // Safe: the variable lives through the call.
        #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let hasHungUp = Gate("hung up")
        let server = TestServer { connection in
          connection.respond(200, body(of: 10_000_000))
          connection.waitForHangUp()
          hasHungUp.open()
        }
        defer { server.stop() }
        let stream = Sessions.transferring.session.bodyStream(from: server.url())
        _ = try await stream.response
        await hasHungUp.passed()
        let error = await #expect(throws: CocoaError.self) { _ = try await all(stream) }
        #expect(systemCode(error) == EFBIG)
      }
    }
  #endif
}
