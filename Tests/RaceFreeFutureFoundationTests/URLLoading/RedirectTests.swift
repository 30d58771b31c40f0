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

/// Is asked where redirects lead, and lets the test answer.
private final class Asked: NSObject, URLSessionTaskDelegate, Sendable {
  struct Question: Sendable {
    let task: URLSessionTask
    let request: URLRequest
    let answer: @Sendable (URLRequest?) -> Void
  }

  let questions = EventLog<Question>()

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    questions.add(Question(task: task, request: request, answer: completionHandler))
  }
}

@Suite struct `Redirects` {
  private static func makeServer() -> TestServer {
    TestServer { connection in
      if connection.path == "/end" {
        connection.respond(200, Data("there".utf8))
      } else {
        connection.respond(302, Data("moved".utf8), "Location: /end")
      }
    }
  }

  private func makeSession(_ delegate: Asked, timeout: TimeInterval = 3_600) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = timeout
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test func `are refused by the session's delegate, and are the response then`() async throws {
    let server = Self.makeServer()
    defer { server.stop() }
    let delegate = Asked()
    let future = makeSession(delegate).dataFuture(from: server.url("/start"))
    try await delegate.questions.wait(for: 1)
    delegate.questions.events.first?.answer(nil)
    #expect(try await status(future.value.1) == 302)
  }

  @Test(arguments: Sessions.allCases)
  func `are relative to the old address: RFC 9110, section 10.2.2`(sessions: Sessions) async throws {
    let locations = [
      "end": "/a/end", "./end?x=1": "/a/end?x=1", "../end": "/end", "/end": "/end", "?x=1": "/a/start?x=1",
      "b//../end%20": "/a/b/end%20", "/a:b": "/a:b",
    ]
    for (location, path) in locations {
      let server = TestServer { connection in
        guard connection.path == "/a/start" else { return _ = connection.respond(200, Data(connection.path.utf8)) }
        connection.respond(302, Data(), "Location: \(location)")
      }
      defer { server.stop() }
      let (data, response) = try await sessions.session.dataFuture(from: server.url("/a/start")).value
      #expect(String(decoding: data, as: UTF8.self) == path)
      #expect(response.url == server.url(path))
    }
  }

  @Test func `of a task that is suspended while it waits for the answer lead there when it is resumed`() async throws {
    let server = Self.makeServer()
    defer { server.stop() }
    let delegate = Asked()
    let future = makeSession(delegate).dataFuture(from: server.url("/start"))
    let question = try #require(await delegate.questions.wait(for: 1).first)
    question.task.suspendAndWait()
    question.answer(question.request)
    question.task.resume()
    try await eventually("the suspended task has ended") { !future.isPending }
    #expect(try await future.value.0 == Data("there".utf8))
  }

  @Test(arguments: Sessions.allCases, [true, false])
  func `of a task that is suspended before it is told lead there`(sessions: Sessions, isResumedFirst: Bool) async throws
  {
    let (isAsked, mayAnswer, mayTell) = (Gate("asked"), Gate("may answer"), Gate("may tell"))
    let server = TestServer { connection in
      if connection.path == "/end" { return _ = connection.respond(200, Data("there".utf8)) }
      isAsked.open()
      mayAnswer.wait()
      connection.respond(302, Data("moved".utf8), "Location: /end")
    }
    defer { server.stop() }
    let session = sessions.makeSession()
    let future = session.dataFuture(from: server.url("/start"))
    await isAsked.passed()
    let tasks = await session.tasks()
    session.delegateQueue.addOperation { mayTell.wait() }
    mayAnswer.open()
    #if canImport(FoundationNetworking)
      try await eventually("the redirect is queued behind the gate") { session.delegateQueue.operationCount > 1 }
    #endif
    for task in tasks { task.suspendAndWait() }
    if isResumedFirst { for task in tasks { task.resume() } }
    mayTell.open()
    // On the same queue: so the redirect has been reported.
    await session.hasReported()
    if !isResumedFirst { for task in tasks { task.resume() } }
    try await eventually("the suspended task has ended") { !future.isPending }
    #expect(try await future.value.0 == Data("there".utf8))
  }

  #if canImport(FoundationNetworking)
    /// FoundationNetworking ends the task then, and would stop the program at the answer.
    @Test func `that are answered after the timeout are a failure`() async throws {
      let server = Self.makeServer()
      defer { server.stop() }
      let delegate = Asked()
      let asked = { makeSession(delegate, timeout: 1).dataFuture(from: server.url("/start")) }
      var future = asked()
      // A busy machine may need the whole second for the first answer.
      for _ in 0..<10 {
        try await eventually("it is asked, or too late") { !delegate.questions.events.isEmpty || !future.isPending }
        if !delegate.questions.events.isEmpty { break }
        future = asked()
      }
      let question = try #require(delegate.questions.events.first)
      try await eventually("the task has run into its timeout") { question.task.response != nil }
      question.answer(question.request)
      await #expect(throws: URLError.self) { try await future.value }
      #expect(code(future.result?.error) == .timedOut)
      // The task comes to its end, too.
      await future.drain()
    }
  #endif
}

/// What a server was asked after a redirect.
private struct Arrival: Equatable {
  var method: String
  var body: Data
  var headers: [String: String]
}

/// A server that redirects `/start`, and notes what comes elsewhere; it may ask for a password at one path.
private final class Redirecting: Sendable {
  let server: TestServer
  let starts: EventLog<Arrival>
  let arrivals: EventLog<Arrival>

  init(_ status: Int = 302, to location: String = "/end", _ header: String = "X: y", asking path: String? = nil) {
    let (starts, arrivals) = (EventLog<Arrival>(), EventLog<Arrival>())
    (self.starts, self.arrivals) = (starts, arrivals)
    server = TestServer { connection in
      let arrival = Arrival(method: connection.method, body: connection.body, headers: connection.headers)
      if connection.path == "/start" { starts.add(arrival) }
      if connection.path == path, connection.headers["authorization"] == nil {
        return _ = connection.respond(401, Data(), "WWW-Authenticate: Basic realm=\"test\"")
      }
      if connection.path == "/start" {
        return _ = connection.respond(status, Data("moved".utf8), "Location: \(location)", header)
      }
      arrivals.add(arrival)
      connection.respond(200, Data("there".utf8))
    }
  }

  deinit { server.stop() }
}

@Suite struct `Redirects of requests with a body` {
  private let folder: TemporaryFolder
  /// More than libcurl sends at once, and less than a socket takes.
  ///
  /// An upload that had to wait for its socket was seen to wait for good: the system watched it for reading alone.
  private let payload = body(of: 30_000)

  init() throws {
    folder = try TemporaryFolder()
    try payload.write(to: folder.file("payload"))
  }

  private func request(_ server: TestServer, _ method: String, body: Data? = nil) -> URLRequest {
    var request = URLRequest(url: server.url("/start"))
    request.httpMethod = method
    request.httpBody = body
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    return request
  }

  @Test(arguments: Sessions.allCases, [(307, "POST"), (308, "POST"), (308, "PATCH"), (301, "PUT"), (302, "PUT")])
  func `send it again`(sessions: Sessions, redirect: (status: Int, method: String)) async throws {
    let redirecting = Redirecting(redirect.status)
    let (server, session) = (redirecting.server, sessions.session)
    let request = request(server, redirect.method)
    let full = self.request(server, redirect.method, body: payload)
    let answers = [
      session.uploadFuture(for: request, from: payload),
      session.uploadFuture(for: request, fromFile: folder.file("payload")),
      session.dataFuture(for: full),
    ]
    for answer in answers {
      let (data, response) = try await answer.value
      #expect(String(decoding: data, as: UTF8.self) == "there")
      #expect(response.url == server.url("/end"))
      #expect(await answer.handlersFinished == .completed)
    }
    let download = session.downloadFuture(for: full, to: folder.file("answer"))
    #expect(try await status(download.value) == 200)
    #expect(folder.contents == ["answer", "payload"])
    var streamed = Data()
    for try await piece in session.bodyStream(for: full) { streamed += piece }
    #expect(String(decoding: streamed, as: UTF8.self) == "there")
    #expect(redirecting.arrivals.events.count == 5)
    for arrival in redirecting.arrivals.events {
      #expect(arrival.method == redirect.method)
      #expect(arrival.body == payload)
      #expect(arrival.headers["content-type"] == "text/plain")
    }
  }

  @Test(arguments: Sessions.allCases, [301, 302, 303])
  func `lead to a page without one, if they say so`(sessions: Sessions, status: Int) async throws {
    let redirecting = Redirecting(status)
    _ = try await sessions.session.uploadFuture(for: request(redirecting.server, "POST"), from: payload).value
    #expect(redirecting.arrivals.events.map(\.method) == ["GET"])
    #expect(redirecting.arrivals.events.map(\.body) == [Data()])
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: Sessions.allCases, [307, 308])
    func `are a failure if it can't be read again`(sessions: Sessions, status: Int) async throws {
      let redirecting = Redirecting(status)
      var request = request(redirecting.server, "POST")
      request.httpBodyStream = InputStream(data: payload)
      let future = sessions.session.dataFuture(for: request)
      let error = await #expect(throws: URLError.self) { try await future.value }
      #expect(error?.code == .requestBodyStreamExhausted)
      #expect(await future.handlersFinished == .completed)
      #expect(redirecting.arrivals.events.isEmpty)
    }

    @Test(arguments: Sessions.allCases)
    func `are cancelled in a session that makes no more requests`(sessions: Sessions) async throws {
      let (isThere, mayAnswer) = (Gate("there"), Gate("may answer"))
      let server = TestServer { connection in
        isThere.open()
        mayAnswer.wait()
        connection.respond(307, Data(), "Location: /end")
      }
      defer { server.stop() }
      let session = sessions.makeSession()
      let future = session.uploadFuture(for: request(server, "POST"), from: payload)
      await isThere.passed()
      session.finishTasksAndInvalidate()
      // The session takes note of it on a queue of its own.
      try await eventually("it makes no more requests") {
        Mirror(reflecting: session).descendant("invalidated") as? Bool != false
      }
      mayAnswer.open()
      await #expect(throws: URLError(.cancelled)) { try await future.value }
      #expect(await future.handlersFinished == .cancelled)
      #expect(server.connectionCount == 1)
    }

    @Test(arguments: Sessions.allCases)
    func `are a failure if the file has gone`(sessions: Sessions) async throws {
      let file = folder.file("payload")
      let server = TestServer { connection in
        try? FileManager.default.removeItem(at: file)
        connection.respond(307, Data(), "Location: /end")
      }
      defer { server.stop() }
      let future = sessions.session.uploadFuture(for: request(server, "POST"), fromFile: file)
      await #expect(throws: CocoaError.self) { try await future.value }
      #expect(await future.handlersFinished == .completed)
      #expect(server.connectionCount == 1)
    }
  #endif

  @Test(arguments: Sessions.allCases)
  func `come to an end`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(307, Data(), "Location: /again") }
    defer { server.stop() }
    let future = sessions.session.uploadFuture(for: request(server, "POST"), from: payload)
    await #expect(throws: URLError(.httpTooManyRedirects)) { try await future.value }
    #expect(await future.handlersFinished == .completed)
  }

  @Test(arguments: Sessions.allCases)
  func `can be cancelled on their way`(sessions: Sessions) async throws {
    let (isThere, hasHungUp) = (Gate("there"), Gate("hung up"))
    let server = TestServer { connection in
      if connection.path == "/start" { return _ = connection.respond(307, Data(), "Location: /end") }
      isThere.open()
      connection.waitForHangUp()
      hasHungUp.open()
    }
    defer { server.stop() }
    let future = sessions.session.uploadFuture(for: request(server, "POST"), from: payload)
    await isThere.passed()
    future.cancel()
    #expect(await future.handlersFinished == .cancelled)
    await hasHungUp.passed()
  }
}

@Suite struct `Redirects to another origin` {
  private static let secrets = ["Authorization": "secret", "cOOkie": "a=secret", "Proxy-Authorization": "secret"]

  private func secrets(_ arrival: Arrival?) -> [String: String]? {
    arrival?.headers.filter { header in Self.secrets.keys.contains { $0.lowercased() == header.key } }
  }

  private func request(_ url: URL, _ method: String = "GET") -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method
    for (name, value) in Self.secrets { request.setValue(value, forHTTPHeaderField: name) }
    request.setValue("no secret", forHTTPHeaderField: "X-Other")
    return request
  }

  @Test(arguments: Sessions.allCases, ["GET", "POST"])
  func `bring no credentials there`(sessions: Sessions, method: String) async throws {
    let other = Redirecting()
    for location in ["http://127.0.0.1:\(other.server.port)/", "//127.0.0.1:\(other.server.port)/"] {
      let first = Redirecting(307, to: location)
      let request = request(first.server.url("/start"), method)
      let future =
        method == "GET"
        ? sessions.session.dataFuture(for: request)
        : sessions.session.uploadFuture(for: request, from: Data("body".utf8))
      #expect(try await String(decoding: future.value.0, as: UTF8.self) == "there")
      let arrival = other.arrivals.events.last
      #expect(secrets(arrival) == [:])
      #expect(arrival?.headers["x-other"] == "no secret")
      #expect(arrival?.body == (method == "GET" ? Data() : Data("body".utf8)))
    }
    #expect(other.arrivals.events.count == 2)
  }

  @Test(arguments: Sessions.allCases)
  func `and back bring none either`(sessions: Sessions) async throws {
    let origin = EventLog<TestServer>()
    let other = TestServer { $0.respond(302, Data(), "Location: http://127.0.0.1:\(origin.events[0].port)/end") }
    defer { other.stop() }
    let first = Redirecting(302, to: other.url("/start").absoluteString)
    origin.add(first.server)
    _ = try await sessions.session.dataFuture(for: request(first.server.url("/start"))).value
    #expect(secrets(first.arrivals.events.last) == [:])
  }

  @Test(arguments: Sessions.allCases)
  func `bring none there, though those to the same one do`(sessions: Sessions) async throws {
    let first = Redirecting()
    _ = try await sessions.session.dataFuture(for: request(first.server.url("/start"))).value
    #expect(secrets(first.arrivals.events.last)?.count == 3)
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: Sessions.allCases)
    func `bring neither those of the session nor those of the address`(sessions: Sessions) async throws {
      let other = Redirecting()
      let first = Redirecting(302, to: "//127.0.0.1:\(other.server.port)/")
      let session = sessions.makeSession {
        $0.httpAdditionalHeaders = ["authorization": "secret", "X-Other": "no secret"]
      }
      _ = try await session.dataFuture(from: first.server.url("/start")).value
      #expect(["", nil].contains(other.arrivals.events.last?.headers["authorization"]))
      #expect(other.arrivals.events.last?.headers["x-other"] == "no secret")
      let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(first.server.port)/start"))
      _ = try await sessions.session.dataFuture(from: url).value
      #expect(secrets(other.arrivals.events.last) == [:])
    }

    @Test(arguments: Sessions.allCases)
    func `bring the cookies that are stored for it`(sessions: Sessions) async throws {
      let first = Redirecting(302, to: "/end", "Set-Cookie: login=done; Path=/")
      _ = try await sessions.makeSession().dataFuture(for: request(first.server.url("/start"))).value
      #expect(first.arrivals.events.last?.headers["cookie"] == "login=done")
    }

    @Test(arguments: [
      ("https://a.b/x", "login=done"), ("https://a.b/x/y", "login=done"), ("https://a.b/xy", nil), ("https://a.b", nil),
      ("http://a.b/x", nil), ("https://c.b/x", nil),
    ])
    func `bring no cookie to another path, and none without encryption that needs it`(
      url: String,
      cookie: String?
    ) throws {
      let configuration = URLSessionConfiguration.ephemeral
      let properties: [HTTPCookiePropertyKey: Any] = [
        .domain: "a.b", .path: "/x", .name: "login", .value: "done", .secure: "TRUE",
      ]
      let storage = try #require(configuration.httpCookieStorage)
      storage.setCookie(try #require(HTTPCookie(properties: properties)))
      let request = URLRequest(url: try #require(URL(string: url)))
      let redirected = request.redirected(from: URL(string: "https://a.b/start"), by: configuration)
      #expect(redirected.value(forHTTPHeaderField: "Cookie") == cookie)
    }
  #endif

  @Test(arguments: [
    ("http://a/x", "http://a/y", true), ("http://a/", "http://A:80/", true), ("HTTPS://a:443/", "https://a/", true),
    ("http://a/", "https://a/", false), ("https://a/", "http://a/", false), ("http://a/", "http://b/", false),
    ("http://a/", "http://b.a/", false), ("http://a/", "http://a:8080/", false), ("http://a:443/", "https://a/", false),
    // Nobody knows from where.
    ("", "http://a/", false),
  ])
  func `are those whose scheme, host or port is another`(old: String, new: String, isSame: Bool) throws {
    let request = request(try #require(URL(string: new)))
    let redirected = request.redirected(from: URL(string: old), by: .ephemeral)
    #expect((redirected.value(forHTTPHeaderField: "Authorization") == "secret") == isSame)
    #expect((redirected.value(forHTTPHeaderField: "Cookie") == "a=secret") == isSame)
    #expect(redirected.value(forHTTPHeaderField: "X-Other") == "no secret")
  }
}

#if canImport(FoundationNetworking)
  /// Knows a password, and counts who asks.
  private final class Knowing: NSObject, URLSessionTaskDelegate, Sendable {
    let challenges = EventLog<Int>()

    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      challenges.add(challenge.previousFailureCount)
      completionHandler(.useCredential, URLCredential(user: "me", password: "x", persistence: .forSession))
    }
  }

  @Suite struct `Redirects and passwords` {
    private static let redirects = [(302, "GET"), (303, "POST"), (307, "POST")]

    private func answer(_ sessions: Sessions, _ first: Redirecting, _ method: String) async throws -> String {
      let session = sessions.makeSession { $0.urlCredentialStorage = OnePassword() }
      var request = URLRequest(url: first.server.url("/start"))
      request.httpMethod = method
      let future =
        method == "GET"
        ? session.dataFuture(for: request) : session.uploadFuture(for: request, from: Data("body".utf8))
      #expect(await future.handlersFinished == .completed)
      session.finishTasksAndInvalidate()
      return try await String(decoding: future.value.0, as: UTF8.self)
    }

    private func check(_ arrival: Arrival?, of status: Int, _ method: String) {
      #expect(arrival?.method == (status == 307 ? method : "GET"))
      #expect(arrival?.body == (status == 307 ? Data("body".utf8) : Data()))
    }

    @Test(arguments: Sessions.allCases, redirects)
    func `give it where they lead, and nowhere else`(
      sessions: Sessions,
      redirect: (status: Int, method: String)
    ) async throws {
      for isSame in [true, false] {
        let other = Redirecting(asking: "/end")
        let location = isSame ? "/end" : other.server.url("/end").absoluteString
        let first = Redirecting(redirect.status, to: location, asking: "/end")
        #expect(try await answer(sessions, first, redirect.method) == "there")
        let arrival = (isSame ? first : other).arrivals.events.last
        #expect(arrival?.headers["authorization"] != nil)
        check(arrival, of: redirect.status, redirect.method)
        #expect(first.starts.events.allSatisfy { $0.headers["authorization"] == nil })
      }
    }

    @Test(arguments: [true, false])
    func `ask the delegate for it once`(isAfter: Bool) async throws {
      let delegate = Knowing()
      let session = Sessions.plain.makeSession(asking: delegate)
      let first = Redirecting(asking: isAfter ? "/end" : "/start")
      let future = session.dataFuture(from: first.server.url("/start"))
      #expect(try await String(decoding: future.value.0, as: UTF8.self) == "there")
      #expect(await future.handlersFinished == .completed)
      #expect(delegate.challenges.events == [0])
      #expect((first.arrivals.events.last?.headers["authorization"] != nil) == isAfter)
    }

    @Test(arguments: Sessions.allCases, redirects)
    func `follow after it, and don't take it along to another origin`(
      sessions: Sessions,
      redirect: (status: Int, method: String)
    ) async throws {
      for isSame in [true, false] {
        let other = Redirecting()
        let location = isSame ? "/end" : other.server.url("/end").absoluteString
        let first = Redirecting(redirect.status, to: location, asking: "/start")
        #expect(try await answer(sessions, first, redirect.method) == "there")
        let arrival = (isSame ? first : other).arrivals.events.last
        if !isSame { #expect(arrival?.headers["authorization"] == nil) }
        check(arrival, of: redirect.status, redirect.method)
        #expect(first.starts.events.count == 2)
      }
    }
  }
#endif
