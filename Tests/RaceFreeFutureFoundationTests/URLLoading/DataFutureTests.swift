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

@Suite struct `Data futures` {
  @Test(arguments: Sessions.allCases)
  func `bring the body and the response`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(200, Data("hello".utf8)) }
    defer { server.stop() }
    let (data, response) = try await sessions.session.dataFuture(from: server.url()).value
    #expect(String(decoding: data, as: UTF8.self) == "hello")
    #expect(status(response) == 200)
  }

  @Test(arguments: Sessions.allCases, [404, 500, 204])
  func `leave it to the caller what a status means`(sessions: Sessions, code: Int) async throws {
    let server = TestServer { $0.respond(code, code == 204 ? Data() : Data("sorry".utf8)) }
    defer { server.stop() }
    let (data, response) = try await sessions.session.dataFuture(from: server.url()).value
    #expect(status(response) == code)
    #expect(data.count == (code == 204 ? 0 : 5))
  }

  @Test(arguments: Sessions.allCases, [0, 1, 70_000, 8_000_000])
  func `bring bodies of every size`(sessions: Sessions, size: Int) async throws {
    let body = body(of: size)
    let server = TestServer { $0.respond(200, body) }
    defer { server.stop() }
    let (data, _) = try await sessions.session.dataFuture(from: server.url()).value
    #expect(data == body)
  }

  @Test(arguments: Sessions.allCases)
  func `follow redirects`(sessions: Sessions) async throws {
    let server = TestServer { connection in
      if connection.path == "/end" {
        connection.respond(200, Data("there".utf8))
      } else {
        connection.respond(302, Data("moved".utf8), "Location: /end")
      }
    }
    defer { server.stop() }
    let (data, response) = try await sessions.session.dataFuture(from: server.url("/start")).value
    #expect(String(decoding: data, as: UTF8.self) == "there")
    #expect(response.url?.path == "/end")
  }

  @Test(arguments: Sessions.allCases)
  func `send the request as it is`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(200, Data(($0.headers["x-test"] ?? "").utf8) + $0.body) }
    defer { server.stop() }
    var request = URLRequest(url: server.url())
    request.httpMethod = "POST"
    request.setValue("yes", forHTTPHeaderField: "X-Test")
    request.httpBody = Data("body".utf8)
    let (data, _) = try await sessions.session.dataFuture(for: request).value
    #expect(String(decoding: data, as: UTF8.self) == "yesbody")
  }

  @Test(arguments: Sessions.allCases)
  func `fail when the connection is cut`(sessions: Sessions) async {
    let server = TestServer { connection in
      switch connection.path {
      case "/head": connection.sendHead(length: 1000)
      case "/body":
        connection.sendHead(length: 1000)
        connection.send("only this")
      case "/chunks":
        connection.sendHead(length: nil, "Transfer-Encoding: chunked")
        connection.send("4\r\nonly\r\n")
      case "/garbage": connection.send("\u{1}\u{2}what is this\r\n\r\n\u{3}")
      default: break
      }
    }
    defer { server.stop() }
    for path in ["/head", "/body", "/chunks", "/garbage", "/nothing"] {
      let future = sessions.session.dataFuture(from: server.url(path))
      await #expect(throws: URLError.self, "\(path)") { try await future.value }
      #expect(future.isCompleted, "\(path)")
    }
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: Sessions.allCases)
    func `say what went wrong where FoundationNetworking doesn't know`(sessions: Sessions) async throws {
      let server = TestServer { connection in
        switch connection.path {
        case "/body": connection.sendHead(length: 1000)
        case "/chunks":
          connection.sendHead(length: nil, "Transfer-Encoding: chunked")
          connection.send("4\r\nonly\r\n")
        case "/bad-chunk":
          connection.sendHead(length: nil, "Transfer-Encoding: chunked")
          connection.send("what is this\r\n")
        case "/gzip": connection.respond(200, Data("not compressed".utf8), "Content-Encoding: gzip")
        case "/headers":
          connection.send("HTTP/1.1 200 OK\r\n")
          for number in 0..<1000 { connection.send("X-\(number): " + String(repeating: "y", count: 1000) + "\r\n") }
        case "/header":
          connection.send("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 5_000_000) + "\r\n\r\n")
        case "/nul": connection.sendHead(length: 0, "X: a\u{0}b")
        case "/colon": connection.sendHead(length: 0, "X")
        case "/length": connection.sendHead(length: nil, "Content-Length: many")
        case "/status": connection.send("HTTP/1.1 000 ?\r\n\r\n")
        case "/unknown": connection.respond(200, Data("unknown".utf8), "Content-Encoding: unheard-of")
        default: connection.send("\u{1}\u{2}what is this\r\n\r\n\u{3}")
        }
      }
      defer { server.stop() }
      let cases: [(String, URLError.Code)] = [
        ("/body", .networkConnectionLost), ("/chunks", .networkConnectionLost), ("/bad-chunk", .cannotParseResponse),
        ("/gzip", .cannotDecodeContentData), ("/unknown", .cannotDecodeContentData), ("/garbage", .badServerResponse),
        ("/headers", .dataLengthExceedsMaximum), ("/header", .dataLengthExceedsMaximum), ("/nul", .cannotParseResponse),
        ("/colon", .cannotParseResponse), ("/length", .cannotParseResponse), ("/status", .badServerResponse),
      ]
      for (path, expected) in cases {
        let future = sessions.session.dataFuture(from: server.url(path))
        let error = await #expect(throws: URLError.self, "\(path)") { try await future.value }
        #expect(error?.code == expected, "\(path)")
        // What the session said is there.
        #expect(error?.userInfo[NSUnderlyingErrorKey] is URLError, "\(path)")
        #expect(error?.failingURL == server.url(path))
        #expect(error?.localizedDescription.isEmpty == false)
      }
    }

    @Test(arguments: Sessions.allCases)
    func `say that it is about TLS`(sessions: Sessions) async throws {
      let server = TestServer(reading: false) { $0.send("HTTP/1.1 400 This isn't TLS\r\n\r\n") }
      defer { server.stop() }
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let error = await #expect(throws: URLError.self) { try await sessions.session.dataFuture(from: url).value }
      #expect(error?.code == .secureConnectionFailed)
    }
  #endif

  @Test(arguments: Sessions.allCases)
  func `fail when nobody listens`(sessions: Sessions) async {
    let server = TestServer { _ in }
    let url = server.url()
    server.stop()
    // The port is closed by another thread; until then a connection is closed without an answer.
    let future = sessions.session.dataFuture(from: url)
    await #expect(throws: URLError.self) { try await future.value }
    #expect(future.isCompleted)
  }

  @Test(arguments: Sessions.allCases)
  func `answer with the response when nobody knows the password`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(401, Data("who?".utf8), "WWW-Authenticate: Basic realm=\"test\"") }
    defer { server.stop() }
    let (data, response) = try await sessions.session.dataFuture(from: server.url()).value
    #expect(status(response) == 401)
    if sessions.tellsPieces { #expect(String(decoding: data, as: UTF8.self) == "who?") }
  }

  // MARK: Cancelling

  @Test(arguments: Sessions.allCases)
  func `make no request when the parent has been cancelled`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond() }
    defer { server.stop() }
    let parent = Future()
    parent.cancel(throwing: Reason("before"))
    let future = sessions.session.dataFuture(from: server.url(), linkedTo: parent.cancelToken)
    #expect(future.isCancelled)
    #expect(reason(future.cancellationReason) == Reason("before"))
    // A request that is made later is the first one that the server sees.
    _ = try await sessions.session.dataFuture(from: server.url()).value
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: Sessions.allCases)
  func `don't wait for the task when they are cancelled at the start`(sessions: Sessions) async {
    let server = TestServer { $0.waitForHangUp() }
    defer { server.stop() }
    let future = sessions.session.dataFuture(from: server.url())
    future.cancel(throwing: Reason("at once"))
    #expect(future.isCancelled)
    await #expect(throws: Reason("at once")) { try await future.value }
  }

  @Test(arguments: Sessions.allCases)
  func `hang up when they are cancelled midway`(sessions: Sessions) async {
    let (isMidway, hasHungUp) = (Gate("midway"), Gate("hung up"))
    let server = TestServer { connection in
      connection.sendHead(length: 1000)
      connection.send("half")
      isMidway.open()
      connection.waitForHangUp()
      hasHungUp.open()
    }
    defer { server.stop() }
    let parent = Future()
    let future = sessions.session.dataFuture(from: server.url(), linkedTo: parent.cancelToken)
    await isMidway.passed()
    parent.cancel(throwing: Reason("midway"))
    #expect(reason(future.cancellationReason) == Reason("midway"))
    await hasHungUp.passed()
  }

  @Test(arguments: Sessions.allCases)
  func `are cancelled when somebody else cancels the task`(sessions: Sessions) async {
    let isAsked = Gate("asked")
    let server = TestServer { connection in
      isAsked.open()
      connection.waitForHangUp()
    }
    defer { server.stop() }
    // A session of its own: the others' tasks belong to other tests.
    let session = sessions.makeSession()
    let future = session.dataFuture(from: server.url())
    await isAsked.passed()
    session.getAllTasks { tasks in for task in tasks { task.cancel() } }
    #expect(await future.handlersFinished == .cancelled)
    #expect(code(future.cancellationReason) == .cancelled)
  }

  @Test func `change nothing when they are cancelled after the end`() async throws {
    let server = TestServer { $0.respond(200, Data("late".utf8)) }
    defer { server.stop() }
    let future = Sessions.plain.session.dataFuture(from: server.url())
    _ = try await future.value
    future.cancel()
    #expect(future.isCompleted)
    #expect(try await future.value.0.count == 4)
  }

  @Test(arguments: Sessions.allCases)
  func `release everything at the outcome`(sessions: Sessions) async throws {
    let server = TestServer { connection in
      if connection.path == "/" { connection.respond(200, Data("x".utf8)) } else { connection.waitForHangUp() }
    }
    defer { server.stop() }
    for path in ["/", "/hang"] {
      let isReleased = Gate("released")
      do {
        let witness = OnDeinit { isReleased.open() }
        let future = sessions.session.dataFuture(from: server.url(path)) { _, _ in witness.touch() }
        future.onCleanUp { witness.touch() }
        if path == "/hang" { future.cancel() }
        _ = await future.handlersFinished
      }
      await isReleased.passed()
    }
  }
}
