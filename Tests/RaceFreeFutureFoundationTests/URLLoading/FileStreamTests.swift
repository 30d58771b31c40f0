// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import RaceFreeFuture
  import RaceFreeFutureFoundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  @Suite struct `Streams of files` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(of size: Int) throws -> URL {
      let file = folder.file("file")
      try body(of: size).write(to: file)
      return file
    }

    /// Reads to the end; nil after an error.
    private func all(_ stream: InputStream) -> Data? {
      var (all, piece) = (Data(), [UInt8](repeating: 0, count: 10_000))
      while stream.hasBytesAvailable {
        // Safe, as below: no more than there is room for is read.
        let count = unsafe stream.read(&piece, maxLength: piece.count)
        guard count >= 0 else { return nil }
        all += piece[..<count]
      }
      return all
    }

    @Test(arguments: [0, 1, 100_000])
    func `begin from the start each time they are opened`(size: Int) throws {
      let stream = FileStream(try file(of: size), length: Int64(size))
      #expect(stream.streamStatus == .notOpen)
      for _ in 0..<2 {
        stream.open()
        #expect(all(stream) == body(of: size))
        #expect(stream.streamStatus == .atEnd)
      }
      stream.open()
      var byte: UInt8 = 0
      let count = unsafe stream.read(&byte, maxLength: 1)
      #expect(count == min(1, size))
      stream.open()
      #expect(all(stream) == body(of: size))
    }

    @Test func `bring the declared length, or an error`() throws {
      let file = try file(of: 1000)
      let (longer, shorter) = (FileStream(file, length: 999), FileStream(file, length: 1001))
      longer.open()
      #expect(all(longer) == body(of: 1000).prefix(999))
      shorter.open()
      #expect(all(shorter) == nil)
      #expect(shorter.streamStatus == .error)
      #expect(shorter.streamError is CocoaError)
      try FileManager.default.removeItem(at: file)
      longer.open()
      #expect(all(longer) == nil)
    }

    // MARK: Uploads

    private func upload(_ sessions: Sessions, _ file: URL, to url: URL, _ method: String) -> ValueFuture<Int?> {
      var request = URLRequest(url: url)
      request.httpMethod = method
      return sessions.session.uploadFuture(for: request, fromFile: file).map { status($0.1) }
    }

    @Test(arguments: Sessions.allCases, ["POST", "PUT"])
    func `are sent with a length and no other new field, not in chunks`(sessions: Sessions, method: String) async throws
    {
      let headers = EventLog<[String: String]>()
      let server = TestServer { connection in
        headers.add(connection.headers)
        connection.respond(connection.body == body(of: 300_000) ? 200 : 400)
      }
      defer { server.stop() }
      #expect(try await upload(sessions, file(of: 300_000), to: server.url(), method).value == 200)
      var data = URLRequest(url: server.url())
      data.httpMethod = method
      _ = try await sessions.session.uploadFuture(for: data, from: body(of: 300_000)).value
      #expect(headers.events.first?["content-length"] == "300000")
      #expect(headers.events.first?.keys.sorted() == headers.events.last?.keys.sorted())
    }

    @Test(arguments: Sessions.allCases)
    func `are sent again with a password`(sessions: Sessions) async throws {
      let bodies = EventLog<Data>()
      let server = TestServer { connection in
        bodies.add(connection.body)
        if connection.headers["authorization"] == nil {
          connection.respond(401, Data(), "WWW-Authenticate: Basic realm=\"test\"")
        } else {
          connection.respond()
        }
      }
      defer { server.stop() }
      let session = sessions.makeSession { $0.urlCredentialStorage = OnePassword() }
      var request = URLRequest(url: server.url())
      request.httpMethod = "POST"
      let (_, response) = try await session.uploadFuture(for: request, fromFile: file(of: 300_000)).value
      #expect(status(response) == 200)
      #expect(bodies.events == [body(of: 300_000), body(of: 300_000)])
    }

    @Test(arguments: Sessions.allCases)
    func `are sent again when a connection that is used once more has been closed`(sessions: Sessions) async throws {
      let bodies = EventLog<Data>()
      let server = TestServer { connection in
        if connection.path == "/small" {
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
          connection.readRequest()
          bodies.add(connection.body)
          return
        }
        bodies.add(connection.body)
        connection.respond()
      }
      defer { server.stop() }
      let session = sessions.makeSession()
      var request = URLRequest(url: server.url("/upload"))
      request.httpMethod = "PUT"
      _ = try await session.dataFuture(from: server.url("/small")).value
      let (_, response) = try await session.uploadFuture(for: request, fromFile: file(of: 300_000)).value
      #expect(status(response) == 200)
      #expect(bodies.events == [body(of: 300_000), body(of: 300_000)])
    }

    @Test(arguments: Sessions.allCases)
    func `leave no field to the page to which an answer leads`(sessions: Sessions) async throws {
      let headers = EventLog<[String: String]>()
      let server = TestServer { connection in
        if connection.path == "/form" { return _ = connection.respond(303, Data(), "Location: /page") }
        headers.add(connection.headers)
        connection.respond()
      }
      defer { server.stop() }
      #expect(try await upload(sessions, file(of: 300_000), to: server.url("/form"), "POST").value == 200)
      #expect(headers.events.first?.keys.filter { $0.hasPrefix("content-") || $0.hasPrefix("transfer-") } == [])
    }

    @Test(arguments: Sessions.allCases)
    func `that become shorter meanwhile make an upload fail`(sessions: Sessions) async throws {
      let file = try file(of: 5_000_000)
      let (isAsked, isCut) = (Gate("asked"), Gate("cut"))
      let server = TestServer(reading: false) { connection in
        isAsked.open()
        isCut.wait()
        connection.waitForHangUp()
      }
      defer { server.stop() }
      let future = upload(sessions, file, to: server.url(), "POST")
      await isAsked.passed()
      try body(of: 1000).write(to: file)
      isCut.open()
      await #expect(throws: URLError.self) { try await future.value }
    }

    @Test(arguments: Sessions.allCases)
    func `that become longer meanwhile are sent as they were, and progress has that total`(
      sessions: Sessions
    ) async throws {
      let file = try file(of: 5_000_000)
      let (isAsked, isLonger) = (Gate("asked"), Gate("longer"))
      let server = TestServer(reading: false) { connection in
        isAsked.open()
        isLonger.wait()
        connection.readRequest()
        connection.respond(connection.body == body(of: 5_000_000) ? 200 : 400)
      }
      defer { server.stop() }
      var request = URLRequest(url: server.url())
      request.httpMethod = "POST"
      let totals = EventLog<Int64?>()
      let future = sessions.session.uploadFuture(for: request, fromFile: file) { _, total in totals.add(total) }
      await isAsked.passed()
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("more".utf8))
      try handle.close()
      isLonger.open()
      #expect(try await status(future.value.1) == 200)
      _ = await future.handlersFinished
      #expect(Set(totals.events) == [5_000_000])
    }

    /// Otherwise it stops the program, at one of some twenty files on an idle machine.
    @Test(.exitTests) func `can be cancelled at any moment of an upload`() async {
      await #expect(processExitsWith: .success) {
        let server = TestServer { $0.respond() }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        try body(of: 3_000_000).write(to: folder.file("file"))
        let session = Sessions.transferring.makeSession()
        var request = URLRequest(url: server.url())
        request.httpMethod = "POST"
        for number in 0..<80 {
          let token = Future()
          let future = session.uploadFuture(for: request, fromFile: folder.file("file"), linkedTo: token) { sent, _ in
            if sent > number * 30_000 { token.cancel() }
          }
          _ = await future.handlersFinished
        }
      }
    }
  }
#endif
