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

private let atOnce: @Sendable (any Error, Int) -> Duration? = { _, failures in failures < 10 ? .zero : nil }

@Suite struct `Downloads that are resumed` {
  private let folder: TemporaryFolder
  private let whole = body(of: 200_000)
  private var file: URL { folder.file("file") }

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Sessions.allCases)
  func `ask for the rest`(sessions: Sessions) async throws {
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { [whole] in $0.headers["range"] == nil ? _ = $0.respond(200, whole, "ETag: \"1\"") : $0.sendRest(of: whole) }
    )
    let progress = TransferProgress()
    let future = sessions.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      reporting: progress,
      resuming: atOnce
    )
    #expect(try await status(future.value) == 200)
    #expect(try Data(contentsOf: file) == whole)
    #expect(folder.contents == ["file"])
    #expect(answers.asked == [.all, sessions.tellsPieces ? .rest("\"1\"") : .all])
    var last: TransferProgress.Step?
    for await step in progress { last = step }
    #expect(last == TransferProgress.Step(completed: 200_000, total: 200_000))
  }

  @Test func `go on as often as the connection is lost`() async throws {
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { _ in },
      { [whole] in $0.sendRest(of: whole, to: 150_000) },
      { [whole] connection in
        let range = "Content-Range: bytes \(connection.start)-\(whole.count - 1)/\(whole.count)"
        connection.sendHead(206, length: whole.count - connection.start, range, "ETag: \"1\"")
        connection.send(whole[connection.start..<180_000])
      },
      { [whole] in $0.sendRest(of: whole) }
    )
    let failures = EventLog<Int>()
    let future = Sessions.transferring.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      resuming: { error, count in
        #expect(error is URLError)
        failures.add(count)
        return .zero
      }
    )
    #expect(try await status(future.value) == 200)
    #expect(try Data(contentsOf: file) == whole)
    #expect(failures.events == [1, 2, 3, 4])
    #expect(answers.asked == [.all] + Array(repeating: .rest("\"1\""), count: 4))
  }

  @Test func `start over if the body has changed`() async throws {
    let other = body(of: 100_000) + Data("other".utf8)
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { $0.respond(200, other, "ETag: \"2\"") }
    )
    let future = Sessions.transferring.session.downloadFuture(from: answers.server.url(), to: file, resuming: atOnce)
    let response = try await future.value as? HTTPURLResponse
    #expect(response?.value(forHTTPHeaderField: "ETag") == "\"2\"")
    #expect(try Data(contentsOf: file) == other)
    #expect(answers.asked == [.all, .rest("\"1\"")])
  }

  @Test(arguments: [
    (["ETag: \"1\""], "\"1\""),
    (
      ["Last-Modified: Sun, 22 Nov 2026 11:00:00 GMT", "Date: Sun, 22 Nov 2026 11:00:01 GMT"],
      "Sun, 22 Nov 2026 11:00:00 GMT"
    ),
    (["Last-Modified: Sun, 22 Nov 2026 11:00:00 GMT", "Date: Sun, 22 Nov 2026 11:00:00 GMT"], nil),
    (["Last-Modified: Sun, 22 Nov 2026 11:00:00 GMT"], nil),
    (["Last-Modified: yesterday", "Date: today"], nil),
    (["ETag: W/\"1\""], nil),
    (["ETag: \"1\"", "ETag: \"2\""], nil),
    (["ETag: \"1\"", "Accept-Ranges: none"], nil),
    (["ETag: \"1\"", "Content-Encoding: unheard-of"], nil),
    (["X: y"], nil),
  ])
  func `ask for the rest only where it is certain that it fits`(headers: [String], condition: String?) async throws {
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole, headers[0], headers.count > 1 ? headers[1] : "X: y") },
      { [whole] in $0.headers["range"] == nil ? _ = $0.respond(200, whole) : $0.sendRest(of: whole, headers[0]) }
    )
    let future = Sessions.transferring.session.downloadFuture(from: answers.server.url(), to: file, resuming: atOnce)
    _ = try await future.value
    #expect(try Data(contentsOf: file) == whole)
    #expect(answers.asked == [.all, condition.map(AskedRange.rest) ?? .all])
  }

  @Test func `leave requests alone that have a method or a range of their own`() async throws {
    for field in ["method", "Range"] {
      let answers = Answers({ [whole] in $0.sendBeginning(of: whole) }, { [whole] in $0.respond(200, whole) })
      var request = URLRequest(url: answers.server.url())
      if field == "method" {
        request.httpMethod = "POST"
      } else {
        request.setValue("bytes=0-", forHTTPHeaderField: field)
      }
      let session = Sessions.transferring.session
      _ = try await session.downloadFuture(for: request, to: file, replacing: true, resuming: atOnce).value
      #expect(try Data(contentsOf: file) == whole)
      #expect(answers.asked.map(\.condition) == [nil, nil])
    }
  }

  /// Answers to a request for the rest after the first half of a body with the tag "1".
  private static let mistakes: [(name: String, answer: @Sendable (Connection, Data) -> Void)] = [
    ("another start", { $0.sendRest(of: $1, from: 1) }),
    ("another length", { $0.sendRest(of: $1, total: "\($1.count + 1)") }),
    ("no length", { $0.sendRest(of: $1, total: "") }),
    (
      "an end before the start",
      { $0.respond(206, $1, "Content-Range: bytes \($0.start)-1/\($1.count)", "ETag: \"1\"") }
    ),
    ("an end after the last byte", { $0.sendRest(of: $1 + Data([0]), total: "\($1.count)") }),
    ("no part", { connection, _ in connection.respond(416, Data("no".utf8)) }),
    ("no range", { $0.respond(206, $1, "ETag: \"1\"") }),
    ("another tag", { $0.sendRest(of: $1, "ETag: \"2\"") }),
    ("a weak tag", { $0.sendRest(of: $1, "ETag: W/\"1\"") }),
    ("two tags", { $0.sendRest(of: $1, "ETag: \"1\"", "ETag: \"2\"") }),
    ("no tag", { $0.sendRest(of: $1, "Last-Modified: Sun, 22 Nov 2026 11:00:00 GMT") }),
    ("an encoding", { $0.sendRest(of: $1, "ETag: \"1\"", "Content-Encoding: unheard-of") }),
    (
      "more than it says",
      { connection, body in
        let range = "Content-Range: bytes \(connection.start)-\(connection.start + 9)/\(body.count)"
        connection.sendHead(206, length: nil, "Transfer-Encoding: chunked", "ETag: \"1\"", range)
        connection.send("b\r\n" + String(repeating: "x", count: 11) + "\r\n0\r\n\r\n")
      }
    ),
  ]

  @Test(arguments: mistakes.indices)
  func `start over if a server sends what may be a part of another body`(index: Int) async throws {
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { [whole] in Self.mistakes[index].answer($0, whole) },
      { [whole] in $0.respond(200, whole) }
    )
    let codes = EventLog<URLError.Code?>()
    let future = Sessions.transferring.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      resuming: { error, _ in
        codes.add(code(error))
        return .zero
      }
    )
    _ = try await future.value
    #expect(try Data(contentsOf: file) == whole)
    #expect(codes.events == [.networkConnectionLost, .badServerResponse])
    #expect(answers.asked == [.all, .rest("\"1\""), .all])
  }

  @Test func `keep what they have when an answer isn't accepted`() async throws {
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { $0.respond(503, Data("later".utf8)) },
      { [whole] in $0.sendRest(of: whole) }
    )
    let statuses = EventLog<Int?>()
    let future = Sessions.transferring.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      checkResponse: { response in
        statuses.add(status(response))
        try response.checkStatus()
      },
      resuming: atOnce
    )
    _ = try await future.value
    #expect(try Data(contentsOf: file) == whole)
    // The rest isn't asked about: it belongs to the first response.
    #expect(statuses.events == [200, 503])
    #expect(answers.asked == [.all, .rest("\"1\""), .rest("\"1\"")])
  }

  @Test func `don't need to know how long the body is`() async throws {
    let answers = Answers(
      { [whole] connection in
        connection.sendHead(length: nil, "Transfer-Encoding: chunked", "ETag: \"1\"")
        connection.send("186a0\r\n")
        connection.send(whole.prefix(100_000) + Data("\r\n".utf8))
      },
      { [whole] in $0.sendRest(of: whole) }
    )
    _ = try await Sessions.transferring.session.downloadFuture(from: answers.server.url(), to: file, resuming: atOnce)
      .value
    #expect(try Data(contentsOf: file) == whole)
    #expect(answers.asked == [.all, .rest("\"1\"")])
  }

  /// An `ETag` identifies a body among those of one address only: RFC 9110, section 8.8.3.
  @Test(arguments: ["/one?signature=2", "/two"])
  func `start over if a redirect leads elsewhere than before, but for the query`(location: String) async throws {
    let (isSame, other) = (location.hasPrefix("/one"), Data(whole.reversed()))
    let answers = Answers(
      { $0.respond(302, Data(), "Location: /one?signature=1") },
      { [whole] in $0.sendBeginning(of: whole) },
      { $0.respond(302, Data(), "Location: \(location)") },
      { [whole] in $0.sendRest(of: isSame ? whole : other) },
      { [whole] in $0.respond(200, whole) }
    )
    let future = Sessions.transferring.session.downloadFuture(
      from: answers.server.url("/start"),
      to: file,
      resuming: atOnce
    )
    _ = try await future.value
    #expect(try Data(contentsOf: file) == whole)
    #expect(answers.asked.map(\.isRange) == [false, false, true, true] + (isSame ? [] : [false]))
  }

  @Test func `start over if it stays unknown how long the body is`() async throws {
    let answers = Answers(
      { [whole] connection in
        connection.sendHead(length: nil, "Transfer-Encoding: chunked", "ETag: \"1\"")
        connection.send("186a0\r\n")
        connection.send(whole.prefix(100_000) + Data("\r\n".utf8))
      },
      // There might be more.
      { [whole] in $0.sendRest(of: whole, to: 150_000, total: "*") },
      { [whole] in $0.respond(200, whole) }
    )
    _ = try await Sessions.transferring.session.downloadFuture(from: answers.server.url(), to: file, resuming: atOnce)
      .value
    #expect(try Data(contentsOf: file) == whole)
    #expect(answers.asked == [.all, .rest("\"1\""), .all])
  }

  @Test func `start over after a page that asks for a password`() async throws {
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { $0.respond(401, Data("who?".utf8), "WWW-Authenticate: Basic realm=\"test\"", "ETag: \"1\"") },
      { [whole] in $0.respond(200, whole) }
    )
    let future = Sessions.transferring.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      checkResponse: { try $0.checkStatus() },
      resuming: atOnce
    )
    _ = try await future.value
    #expect(try Data(contentsOf: file) == whole)
    #expect(answers.asked == [.all, .rest("\"1\""), .all])
  }

  #if canImport(FoundationNetworking)
    @Test func `have each byte once though their task starts over`() async throws {
      let (isMidway, mayEnd) = (Gate("midway"), Gate("may end"))
      let answers = Answers(
        { [whole] in $0.sendBeginning(of: whole) },
        { [whole] connection in
          let range = "Content-Range: bytes \(connection.start)-\(whole.count - 1)/\(whole.count)"
          connection.sendHead(206, length: whole.count - connection.start, range, "ETag: \"1\"")
          connection.send(whole[connection.start..<150_000])
          mayEnd.wait()
        },
        { [whole] in $0.sendRest(of: whole) }
      )
      let session = Sessions.transferring.makeSession()
      let future = session.downloadFuture(
        from: answers.server.url(),
        to: file,
        onProgress: { completed, _ in if completed > 100_000 { isMidway.open() } },
        resuming: atOnce
      )
      await isMidway.passed()
      let tasks = await session.tasks()
      for task in tasks { task.suspendAndWait() }
      for task in tasks { task.resume() }
      _ = try await future.value
      mayEnd.open()
      #expect(try Data(contentsOf: file) == whole)
      #expect(answers.asked == [.all, .rest("\"1\""), .rest("\"1\"")])
    }
  #endif

  // MARK: Ends

  @Test(arguments: Sessions.allCases)
  func `fail with the last error when nobody wants to go on`(sessions: Sessions) async throws {
    let answers = Answers({ [whole] in $0.sendBeginning(of: whole) }, { $0.respond(404) })
    let failures = EventLog<Int>()
    let future = sessions.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      checkResponse: { try $0.checkStatus() },
      resuming: { error, count in
        failures.add(count)
        return error is HTTPStatusError ? nil : .zero
      }
    )
    await #expect(throws: HTTPStatusError.self) { try await future.value }
    _ = await future.handlersFinished
    #expect(failures.events == [1, 2])
    #expect(folder.contents == [])
  }

  @Test(arguments: Sessions.allCases)
  func `have a limit for all requests together`(sessions: Sessions) async throws {
    let answers = Answers(
      { [whole] connection in
        connection.sendHead(length: nil, "Transfer-Encoding: chunked", "ETag: \"1\"")
        connection.send("186a0\r\n")
        connection.send(whole.prefix(100_000))
        connection.send("\r\n")
      },
      { [whole] in $0.headers["range"] == nil ? _ = $0.respond(200, whole) : $0.sendRest(of: whole) }
    )
    let session = sessions.session
    let future = session.downloadFuture(
      from: answers.server.url(),
      to: file,
      bodyLimit: 199_999,
      resuming: { error, _ in error is BodyTooLongError ? nil : .zero }
    )
    await #expect(throws: BodyTooLongError(limit: 199_999, expected: 200_000)) { try await future.value }
  }

  @Test(arguments: Sessions.allCases)
  func `can be cancelled while they wait`(sessions: Sessions) async throws {
    let answers = Answers({ [whole] in $0.sendBeginning(of: whole) })
    let isAsked = Gate("asked")
    let future = sessions.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      resuming: { _, _ in
        isAsked.open()
        return .seconds(3_600)
      }
    )
    await isAsked.passed()
    #expect(future.isPending)
    #expect(folder.contents.count == 1)
    future.cancel()
    #expect(await future.handlersFinished == .cancelled)
    #expect(folder.contents == [])
    #expect(answers.asked == [.all])
  }

  @Test(arguments: [true, false])
  func `are cancelled when their session ends while they wait`(isCancelling: Bool) async throws {
    let answers = Answers({ [whole] in $0.sendBeginning(of: whole) })
    let isAsked = Gate("asked")
    let session = Sessions.transferring.makeSession()
    let future = session.downloadFuture(
      from: answers.server.url(),
      to: file,
      resuming: { _, _ in
        isAsked.open()
        return .seconds(3_600)
      }
    )
    await isAsked.passed()
    // The first task has reported its end, and the session has forgotten it.
    await session.hasReported()
    _ = await session.tasks()
    if isCancelling { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
    await #expect(throws: URLError(.cancelled)) { try await future.value }
    #expect(await future.handlersFinished == .cancelled)
    #expect(folder.contents == [])
    #expect(answers.asked == [.all])
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: Sessions.allCases)
    func `are cancelled when their session accepts no more requests`(sessions: Sessions) async throws {
      let (isAsked, mayGoOn) = (Gate("asked"), Gate("may go on"))
      let answers = Answers({ [whole] in $0.sendBeginning(of: whole) })
      let session = sessions.makeSession()
      // While there is one, the session isn't at its end, and doesn't tell its delegate.
      let other = session.dataTask(with: answers.server.url())
      let future = session.downloadFuture(
        from: answers.server.url(),
        to: file,
        resuming: { _, _ in
          isAsked.open()
          mayGoOn.wait()
          return .zero
        }
      )
      await isAsked.passed()
      session.finishTasksAndInvalidate()
      // Goes through the queue of the session.
      _ = other.priority
      mayGoOn.open()
      await #expect(throws: URLError(.cancelled)) { try await future.value }
      #expect(await future.handlersFinished == .cancelled)
      #expect(folder.contents == [])
      #expect(answers.asked == [.all])
      other.cancel()
    }

    @Test(arguments: Sessions.allCases)
    func `are cancelled from the start in a session that has ended`(sessions: Sessions) async throws {
      let session = sessions.makeSession()
      session.invalidateAndCancel()
      let future = session.downloadFuture(from: URL(fileURLWithPath: "/"), to: file, resuming: atOnce)
      #expect(await future.handlersFinished == .cancelled)
      #expect(folder.contents == [])
    }
  #endif

  @Test(arguments: Sessions.allCases)
  func `can be cancelled while the rest comes`(sessions: Sessions) async throws {
    let (isMidway, hasHungUp) = (Gate("midway"), Gate("hung up"))
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { connection in
        isMidway.open()
        connection.waitForHangUp()
        hasHungUp.open()
      }
    )
    let future = sessions.session.downloadFuture(from: answers.server.url(), to: file, resuming: atOnce)
    await isMidway.passed()
    future.cancel()
    #expect(await future.handlersFinished == .cancelled)
    #expect(folder.contents == [])
    await hasHungUp.passed()
  }

  @Test(arguments: Sessions.allCases)
  func `aren't asked about cancellations, nor about the file`(sessions: Sessions) async throws {
    let server = TestServer { [file] connection in
      if connection.path == "/file" { try? Data("other".utf8).write(to: file) }
      connection.respond(200, Data("new".utf8))
    }
    defer { server.stop() }
    let failures = EventLog<Int>()
    func download(_ path: String) -> ValueFuture<URLResponse> {
      sessions.session.downloadFuture(
        from: server.url(path),
        to: file,
        checkResponse: { _ in if path == "/cancel" { throw CancellationError() } },
        resuming: { _, count in
          failures.add(count)
          return .zero
        }
      )
    }
    #expect(await download("/cancel").outcome == .cancelled)
    await #expect(throws: CocoaError.self) { try await download("/file").value }
    #expect(failures.events == [])
  }
}
