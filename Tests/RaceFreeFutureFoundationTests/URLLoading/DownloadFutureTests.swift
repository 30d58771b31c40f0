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

@Suite struct `Download futures` {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("file") }

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Sessions.allCases, [0, 1, 3_000_000])
  func `write the body to the file`(sessions: Sessions, size: Int) async throws {
    let expected = body(of: size)
    let server = TestServer { $0.respond(200, expected) }
    defer { server.stop() }
    let response = try await sessions.session.downloadFuture(from: server.url(), to: file).value
    #expect(status(response) == 200)
    #expect(try Data(contentsOf: file) == expected)
    #expect(folder.contents == ["file"])
  }

  @Test(arguments: Sessions.allCases)
  func `show the file when the future completes, and not before`(sessions: Sessions) async throws {
    let (mayEnd, isMidway) = (Gate("may end"), Gate("midway"))
    let server = TestServer { connection in
      connection.sendHead(length: 8)
      connection.send("half")
      isMidway.open()
      mayEnd.wait()
      connection.send("half")
    }
    defer { server.stop() }
    let future = sessions.session.downloadFuture(from: server.url(), to: file)
    let wasThere = EventLog<Bool>()
    future.onComplete(on: .inline) { [file] in
      wasThere.add(FileManager.default.fileExists(atPath: file.path))
    }
    await isMidway.passed()
    #expect(!folder.contents.contains("file"))
    mayEnd.open()
    _ = try await future.value
    _ = await future.handlersFinished
    #expect(wasThere.events == [true])
    #expect(try Data(contentsOf: file) == Data("halfhalf".utf8))
  }

  @Test(arguments: Sessions.allCases)
  func `leave no file when they fail`(sessions: Sessions) async {
    let server = TestServer { connection in
      if connection.path == "/nothing" { return }
      connection.sendHead(length: 1000)
      if connection.path == "/half" { connection.send("half") }
    }
    defer { server.stop() }
    for path in ["/nothing", "/head", "/half"] {
      let future = sessions.session.downloadFuture(from: server.url(path), to: file)
      let contents = EventLog<[String]>()
      future.onComplete(on: .inline) { [folder] in contents.add(folder.contents) }
      await #expect(throws: URLError.self) { try await future.value }
      _ = await future.handlersFinished
      #expect(contents.events == [[]], "\(path)")
    }
  }

  @Test(arguments: Sessions.allCases)
  func `leave no file when they are cancelled`(sessions: Sessions) async {
    let (isMidway, hasHungUp) = (Gate("midway"), Gate("hung up"))
    let server = TestServer { connection in
      connection.sendHead(length: 1000)
      connection.send("half")
      isMidway.open()
      connection.waitForHangUp()
      hasHungUp.open()
    }
    defer { server.stop() }
    let future = sessions.session.downloadFuture(from: server.url(), to: file)
    await isMidway.passed()
    #expect(folder.contents.count == 1)
    future.cancel()
    #expect(future.isCancelled)
    #expect(await future.handlersFinished == .cancelled)
    #expect(folder.contents == [])
    await hasHungUp.passed()
  }

  @Test(arguments: Sessions.allCases)
  func `make neither request nor file when the parent has been cancelled`(sessions: Sessions) async {
    let server = TestServer { $0.respond() }
    defer { server.stop() }
    let parent = Future()
    parent.cancel()
    let future = sessions.session.downloadFuture(from: server.url(), to: file, linkedTo: parent.cancelToken)
    #expect(future.isCancelled)
    #expect(folder.contents == [])
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: Sessions.allCases)
  func `either show the file or are cancelled, if both come with the last byte`(sessions: Sessions) async {
    // The server cancels when it has sent the last byte: sometimes earlier, sometimes later than the file is complete.
    let futures = EventLog<ValueFuture<URLResponse>>()
    let cancelled = EventLog<Void>()
    let server = TestServer { connection in
      connection.sendHead(length: 4)
      connection.send("done")
      spin(microseconds: UInt64(connection.number % 40) * 20)
      if let future = futures.events.last {
        future.cancel()
        cancelled.add(())
      }
    }
    defer { server.stop() }
    for round in 0..<iterations(200) {
      let name = "file\(round)"
      let parent = Future()
      let future = sessions.session.downloadFuture(
        from: server.url("/\(round)"),
        to: folder.file(name),
        linkedTo: parent.cancelToken
      )
      futures.add(future)
      let outcome = await future.handlersFinished
      #expect(folder.contents == (outcome == .completed ? [name] : []))
      try? FileManager.default.removeItem(at: folder.file(name))
    }
  }

  // MARK: The response

  @Test(arguments: Sessions.allCases)
  func `leave no file when the response is no good`(sessions: Sessions) async {
    let server = TestServer { $0.respond(404, body(of: 100_000)) }
    defer { server.stop() }
    let cases: [(any Error, Future.Outcome)] = [(Reason("404"), .completed), (CancellationError(), .cancelled)]
    for (thrown, outcome) in cases {
      let seen = EventLog<Int?>()
      let check = { @Sendable (response: URLResponse) in
        seen.add(status(response))
        throw thrown
      }
      let future = sessions.session.downloadFuture(from: server.url(), to: file, checkResponse: check)
      #expect(await future.handlersFinished == outcome)
      #expect(seen.events == [404])
      #expect(folder.contents == [])
    }
  }

  @Test(arguments: Sessions.allCases)
  func `check the response also when nobody knows the password`(sessions: Sessions) async {
    let server = TestServer { $0.respond(401, Data("who?".utf8), "WWW-Authenticate: Basic realm=\"test\"") }
    defer { server.stop() }
    let check = { @Sendable (response: URLResponse) in throw Reason("\(status(response) ?? 0)") }
    let future = sessions.session.downloadFuture(from: server.url(), to: file, checkResponse: check)
    await #expect(throws: Reason("401")) { try await future.value }
    #expect(folder.contents == [])
  }

  // MARK: The destination

  @Test func `don't touch a file that exists`() async throws {
    try Data("old".utf8).write(to: file)
    let server = TestServer { $0.respond(200, Data("new".utf8)) }
    defer { server.stop() }
    let future = Sessions.plain.session.downloadFuture(from: server.url(), to: file)
    let error = await #expect(throws: CocoaError.self) { try await future.value }
    #expect(error?.code == .fileWriteFileExists)
    #expect(try String(contentsOf: file, encoding: .utf8) == "old")
    #expect(folder.contents == ["file"])
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: Sessions.allCases)
  func `don't touch a file that has appeared meanwhile`(sessions: Sessions) async throws {
    let server = TestServer { [file] connection in
      try? Data("other".utf8).write(to: file)
      connection.respond(200, Data("new".utf8))
    }
    defer { server.stop() }
    let future = sessions.session.downloadFuture(from: server.url(), to: file)
    let error = await #expect(throws: CocoaError.self) { try await future.value }
    #expect(error?.code == .fileWriteFileExists)
    #expect(try String(contentsOf: file, encoding: .utf8) == "other")
    #expect(folder.contents == ["file"])
  }

  @Test(arguments: Sessions.allCases)
  func `replace a file as a whole, if asked to`(sessions: Sessions) async throws {
    let seen = EventLog<String>()
    let server = TestServer { [file] connection in
      connection.sendHead(length: 3)
      connection.send("ne")
      seen.add((try? String(contentsOf: file, encoding: .utf8)) ?? "nothing")
      if connection.path == "/whole" { connection.send("w") }
    }
    defer { server.stop() }
    try Data("old".utf8).write(to: file)
    let cut = sessions.session.downloadFuture(from: server.url("/cut"), to: file, replacing: true)
    await #expect(throws: URLError.self) { try await cut.value }
    #expect(try String(contentsOf: file, encoding: .utf8) == "old")
    _ = try await sessions.session.downloadFuture(from: server.url("/whole"), to: file, replacing: true).value
    #expect(try String(contentsOf: file, encoding: .utf8) == "new")
    #expect(seen.events == ["old", "old"])
    #expect(folder.contents == ["file"])
  }

  @Test func `never replace what isn't a file`() async throws {
    let server = TestServer { $0.respond(200, Data("new".utf8)) }
    defer { server.stop() }
    // Safe: the string lives through the call.
    #expect(unsafe mkfifo(file.path, 0o600) == 0)
    let future = Sessions.plain.session.downloadFuture(from: server.url(), to: file, replacing: true)
    #expect(future.isCompleted)
    let error = await #expect(throws: CocoaError.self) { try await future.value }
    #expect(error?.code == .fileWriteFileExists)
    #expect(type(of: file) == S_IFIFO)
    #expect(folder.contents == ["file"])
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: Sessions.allCases)
  func `never replace what isn't a file and has appeared meanwhile`(sessions: Sessions) async throws {
    let server = TestServer { [file] connection in
      // Safe: the string lives through the call.
      _ = unsafe mkfifo(file.path, 0o600)
      connection.respond(200, Data("new".utf8))
    }
    defer { server.stop() }
    let future = sessions.session.downloadFuture(from: server.url(), to: file, replacing: true)
    let error = await #expect(throws: CocoaError.self) { try await future.value }
    #expect(error?.code == .fileWriteFileExists)
    #expect(type(of: file) == S_IFIFO)
    #expect(folder.contents == ["file"])
  }

  @Test func `replace a symbolic link, and not what it points to`() async throws {
    let server = TestServer { $0.respond(200, Data("new".utf8)) }
    defer { server.stop() }
    let pointedTo = folder.file("pointed to")
    try Data("old".utf8).write(to: pointedTo)
    for target in [pointedTo.path, folder.url.path, "/dev/full", "nothing"] {
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: target)
      let kept = Sessions.plain.session.downloadFuture(from: server.url(), to: file)
      let error = await #expect(throws: CocoaError.self) { try await kept.value }
      #expect(error?.code == .fileWriteFileExists)
      _ = try await Sessions.plain.session.downloadFuture(from: server.url(), to: file, replacing: true).value
      #expect(type(of: file) == S_IFREG)
      #expect(try String(contentsOf: file, encoding: .utf8) == "new")
      try FileManager.default.removeItem(at: file)
    }
    #expect(try String(contentsOf: pointedTo, encoding: .utf8) == "old")
    #expect(folder.contents == ["pointed to"])
  }

  /// What kind of file it is; the link itself if it is one.
  private func type(of file: URL) -> mode_t? {
    var status = stat()
    // Safe: the variable and the string live through the call.
    return unsafe lstat(file.path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  @Test func `fail without a request when the file can't be made`() async throws {
    let server = TestServer { $0.respond() }
    defer { server.stop() }
    try Data().write(to: folder.file("plain"))
    let destinations = [
      folder.file("missing/file"), folder.file("plain/file"), URL(fileURLWithPath: "/proc/file"), folder.url,
    ]
    for destination in destinations + [URL(string: "http://localhost/file")].compactMap(\.self) {
      let future = Sessions.plain.session.downloadFuture(from: server.url(), to: destination, replacing: true)
      #expect(future.isCompleted)
      await #expect(throws: CocoaError.self, "\(destination)") { try await future.value }
    }
    #expect(folder.contents == ["plain"])
    #expect(server.connectionCount == 0)
  }

  /// A limit of the size of files does what a full disk would do; it holds for a whole program.
  @Test(.exitTests) func `fail when the disk is full`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 50_000, rlim_max: 50_000)
      // Safe: the variable lives through the call.
      #expect(unsafe setrlimit(fileSizeLimit, &limit) == 0)
      let hasHungUp = Gate("hung up")
      let server = TestServer { connection in
        connection.sendHead(length: 1_000_000)
        connection.send(body(of: 100_000))
        connection.waitForHangUp()
        hasHungUp.open()
      }
      defer { server.stop() }
      let folder = try TemporaryFolder()
      let session = Sessions.transferring.session
      let future = session.downloadFuture(from: server.url(), to: folder.file("file"))
      let error = await #expect(throws: CocoaError.self) { try await future.value }
      #expect(systemCode(error) == EFBIG)
      #expect(folder.contents == [])
      await hasHungUp.passed()
    }
  }

  @Test(arguments: Sessions.allCases)
  func `fail when the folder goes meanwhile`(sessions: Sessions) async throws {
    let server = TestServer { [folder] connection in
      try? FileManager.default.removeItem(at: folder.url)
      connection.respond(200, Data("new".utf8))
    }
    defer { server.stop() }
    let future = sessions.session.downloadFuture(from: server.url(), to: file)
    let error = await #expect(throws: CocoaError.self) { try await future.value }
    #expect(error?.code == .fileNoSuchFile)
  }

  @Test(arguments: Sessions.allCases)
  func `can have the longest name that there is`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(200, Data("x".utf8)) }
    defer { server.stop() }
    let name = String(repeating: "n", count: 255)
    _ = try await sessions.session.downloadFuture(from: server.url(), to: folder.file(name)).value
    #expect(folder.contents == [name])
  }
}

#if canImport(Darwin)
  private let fileSizeLimit = RLIMIT_FSIZE
#else
  private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#endif
