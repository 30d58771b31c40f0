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

@Suite struct `Downloads that keep their part` {
  private let folder: TemporaryFolder
  private let whole = body(of: 200_000)
  private var file: URL { folder.file("file") }
  private var part: URL { folder.file(".file.part") }
  private var record: URL { folder.file(".file.part.record") }
  private static let both = [".file.part", ".file.part.record"]

  init() throws { folder = try TemporaryFolder() }

  private func start(
    _ answers: Answers,
    replacing: Bool = false,
    resuming: (@Sendable (any Error, Int) -> Duration?)? = nil
  ) -> ValueFuture<URLResponse> {
    Sessions.transferring.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      replacing: replacing,
      checkResponse: { try $0.checkStatus() },
      resuming: resuming,
      keepingPart: true
    )
  }

  /// Downloads the body, and returns what was asked for after the first request.
  private func complete(_ answers: Answers) async throws -> [AskedRange] {
    _ = try await start(answers).value
    #expect(try Data(contentsOf: file) == whole)
    #expect(folder.contents.filter { $0.hasPrefix(".file") } == [])
    return Array(answers.asked.dropFirst())
  }

  /// A server that loses its first connection after the first half, and then sends the whole or its rest.
  private func makeServer() -> Answers {
    Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { [whole] in $0.headers["range"] == nil ? _ = $0.respond(200, whole, "ETag: \"1\"") : $0.sendRest(of: whole) }
    )
  }

  /// Such a server, after its first connection: an identification counts for one address only.
  private func makeServerWithHalf() async throws -> Answers {
    let answers = makeServer()
    await #expect(throws: URLError.self) { try await start(answers).value }
    try #require(folder.contents == Self.both)
    try #require(try Data(contentsOf: part) == whole.prefix(100_000))
    return answers
  }

  // MARK: Going on

  @Test func `are paused by a cancellation, and go on`() async throws {
    let isMidway = Gate("midway")
    let answers = Answers(
      { [whole] connection in
        connection.sendBeginning(of: whole)
        connection.waitForHangUp()
      },
      { [whole] in $0.sendRest(of: whole) }
    )
    let first = Sessions.transferring.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      onProgress: { completed, _ in if completed == 100_000 { isMidway.open() } },
      keepingPart: true
    )
    await isMidway.passed()
    first.cancel()
    #expect(await first.handlersFinished == .cancelled)
    #expect(folder.contents == Self.both)

    let progress = TransferProgress()
    let second = Sessions.transferring.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      reporting: progress,
      keepingPart: true
    )
    #expect(try await status(second.value) == 206)
    #expect(try Data(contentsOf: file) == whole)
    #expect(folder.contents == ["file"])
    #expect(answers.asked == [.all, .rest("\"1\"")])
    var steps: [TransferProgress.Step] = []
    for await step in progress { steps.append(step) }
    #expect(steps.last == TransferProgress.Step(completed: 200_000, total: 200_000))
    #expect(steps.allSatisfy { $0.completed > 100_000 })
  }

  @Test func `go on as soon as the one before has ended`() async throws {
    let answers = Answers(
      { [whole] connection in
        connection.sendBeginning(of: whole)
        connection.waitForHangUp()
      },
      { [whole] in $0.sendRest(of: whole) }
    )
    let library = Library(Sessions.transferring.session)
    let first = library.download(answers.server.url(), to: file)
    try await eventually("half of it has arrived") { (try? Data(contentsOf: part).count) == 100_000 }
    first.cancel()
    #expect(try await status(library.download(answers.server.url(), to: file).value) == 206)
    #expect(try Data(contentsOf: file) == whole)
    #expect(folder.contents == ["file"])
    try library.forget(file)
  }

  @Test func `go on after a failure`() async throws {
    #expect(try await complete(makeServerWithHalf()) == [.rest("\"1\"")])
  }

  @Test func `go on by themselves, too`() async throws {
    let answers = makeServer()
    #expect(try await status(start(answers, resuming: { _, failures in failures < 10 ? .zero : nil }).value) == 200)
    #expect(try Data(contentsOf: file) == whole)
    #expect(folder.contents == ["file"])
    #expect(answers.asked == [.all, .rest("\"1\"")])
  }

  @Test func `keep their part as often as the connection is lost`() async throws {
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { _ in },
      { $0.respond(503, Data("later".utf8)) },
      { [whole] in $0.sendRest(of: whole, to: 150_000) },
      { [whole] in $0.sendRest(of: whole) }
    )
    for _ in 0..<4 {
      await #expect(throws: (any Error).self) { try await start(answers).value }
      #expect(folder.contents == Self.both)
    }
    #expect(try Data(contentsOf: part).count == 150_000)
    #expect(try await complete(answers) == Array(repeating: .rest("\"1\""), count: 4))
  }

  @Test func `have only the last byte sent again if all were there`() async throws {
    let isMidway = Gate("midway")
    let answers = Answers(
      { [whole] connection in
        connection.sendHead(length: whole.count + 1, "ETag: \"1\"")
        connection.send(whole)
        connection.waitForHangUp()
      },
      { [whole] in $0.sendRest(of: whole + Data([7])) },
      { $0.respond(416) }
    )
    let first = Sessions.transferring.session.downloadFuture(
      from: answers.server.url(),
      to: file,
      onProgress: { completed, _ in if completed == 200_000 { isMidway.open() } },
      keepingPart: true
    )
    await isMidway.passed()
    first.cancel()
    _ = await first.handlersFinished
    // As if it had been killed after the last byte.
    let handle = try FileHandle(forWritingTo: part)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([8]))
    try handle.close()
    let text = try String(contentsOf: record, encoding: .utf8)
    try Data((text + "200001\n").utf8).write(to: record)
    _ = try await start(answers).value
    #expect(try Data(contentsOf: file) == whole + Data([7]))
    #expect(answers.asked == [.all, .rest("\"1\"")])
  }

  // MARK: Starting over

  private static let changes: [(name: String, answer: @Sendable (Connection, Data) -> Void)] = [
    ("another body", { $0.respond(200, $1, "ETag: \"2\"") }),
    ("the whole", { $0.respond(200, $1, "ETag: \"1\"") }),
    ("no such part", { connection, _ in connection.respond(416, Data("no".utf8)) }),
    ("another tag", { $0.sendRest(of: $1, "ETag: \"2\"") }),
    ("no tag", { $0.sendRest(of: $1, "X: y") }),
    ("another start", { $0.sendRest(of: $1, from: 1) }),
    ("another length", { $0.sendRest(of: $1, total: "\($1.count + 1)") }),
  ]

  @Test(arguments: changes.indices)
  func `start over if the server has another body by then, or can't send a rest`(index: Int) async throws {
    let other = Data(whole.reversed())
    let answers = Answers(
      { [whole] in $0.sendBeginning(of: whole) },
      { Self.changes[index].answer($0, other) },
      { $0.respond(200, other, "ETag: \"2\"") }
    )
    await #expect(throws: URLError.self) { try await start(answers).value }
    let failures = EventLog<Int>()
    let second = start(
      answers,
      resuming: { _, count in
        failures.add(count)
        return nil
      }
    )
    #expect(try await status(second.value) == 200)
    #expect(try Data(contentsOf: file) == other)
    #expect(folder.contents == ["file"])
    #expect(failures.events == [])
    #expect(answers.asked == [.all, .rest("\"1\"")] + (index < 2 ? [] : [.all]))
  }

  @Test(arguments: ["shorter", "gone", "another", "a link", "linked"])
  func `start over if their part isn't what it was`(change: String) async throws {
    let answers = try await makeServerWithHalf()
    switch change {
    case "shorter": try FileHandle(forWritingTo: part).truncate(atOffset: 99_999)
    case "gone": try FileManager.default.removeItem(at: part)
    case "another": try Data(contentsOf: part).write(to: part, options: .atomic)
    case "a link":
      try FileManager.default.moveItem(at: part, to: folder.file("other"))
      try FileManager.default.createSymbolicLink(at: part, withDestinationURL: folder.file("other"))
    default: try FileManager.default.linkItem(at: part, to: folder.file("other"))
    }
    #expect(try await complete(answers) == [.all])
    // What it was is nobody's to change.
    if change.contains("link") { #expect(try Data(contentsOf: folder.file("other")) == whole.prefix(100_000)) }
  }

  @Test func `drop what their record doesn't name`() async throws {
    let answers = try await makeServerWithHalf()
    let handle = try FileHandle(forWritingTo: part)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("not of this body".utf8))
    try handle.close()
    // A number that isn't written to its end.
    try (Data(contentsOf: record) + Data("100008".utf8)).write(to: record)
    #expect(try await complete(answers) == [.rest("\"1\"")])
  }

  // MARK: Ends

  @Test(arguments: ["X: y", "ETag: W/\"1\""])
  func `leave nothing that can't be continued`(header: String) async throws {
    let answers = Answers({ [whole] in $0.sendBeginning(of: whole, header) })
    await #expect(throws: URLError.self) { try await start(answers).value }
    #expect(folder.contents == [])
    let refused = Answers({ $0.respond(404) })
    await #expect(throws: HTTPStatusError.self) { try await start(refused).value }
    #expect(folder.contents == [])
  }

  @Test func `keep their part if they can't get their name`() async throws {
    let answers = Answers(
      { [whole, file] connection in
        try? Data("other".utf8).write(to: file)
        connection.respond(200, whole, "ETag: \"1\"")
      },
      { [whole] in $0.sendRest(of: whole) }
    )
    let error = await #expect(throws: CocoaError.self) { try await start(answers).value }
    #expect(error?.code == .fileWriteFileExists)
    #expect(folder.contents == Self.both + ["file"])
    await #expect(throws: CocoaError.self) { try await start(answers).value }
    _ = try await start(answers, replacing: true).value
    #expect(try Data(contentsOf: file) == whole)
    #expect(folder.contents == ["file"])
    #expect(answers.asked == [.all, .rest("\"1\"")])
  }

  @Test func `have their part removed`() async throws {
    try URLSession.removePart(of: file)
    #expect(folder.contents == [])
    let answers = try await makeServerWithHalf()
    try URLSession.removePart(of: file)
    #expect(folder.contents == [])
    #expect(try await complete(answers) == [.all])
  }

  // MARK: Processes

  @Test(.exitTests) func `are alone`() async throws {
    let (isMidway, mayEnd) = (Gate("midway"), Gate("may end"))
    let answers = Answers({ [whole] connection in
      connection.sendBeginning(of: whole)
      isMidway.open()
      mayEnd.wait()
      connection.send(whole.suffix(whole.count / 2))
    })
    let first = start(answers)
    await isMidway.passed()
    let error = await #expect(throws: CocoaError.self) { try await start(answers).value }
    #expect(error?.code == .fileLocking)
    #expect(throws: CocoaError.self) { try URLSession.removePart(of: file) }
    let (url, path) = (answers.server.url().absoluteString, file.path)
    await #expect(processExitsWith: .success) { [url = url as String, path = path as String] in
      let future = Sessions.transferring.session.downloadFuture(
        from: try #require(URL(string: url)),
        to: URL(fileURLWithPath: path),
        keepingPart: true
      )
      let error = await #expect(throws: CocoaError.self) { try await future.value }
      #expect(error?.code == .fileLocking)
    }
    mayEnd.open()
    _ = try await first.value
    #expect(try Data(contentsOf: file) == whole)
    #expect(answers.asked == [.all])
  }

  /// The server kills its client after having sent a seeded number of bytes, whatever that is doing then.
  @Test(.exitTests) func `have the whole file though their process is killed again and again`() async throws {
    let whole = body(of: 60_000_000)
    var generator = SeededGenerator(seed: testSeed)
    for round in 0..<iterations(3) {
      // The first time something has surely been kept.
      let limits = [38_000_000] + (0..<5).map { _ in Int.random(in: 0..<40_000_000, using: &generator) }
      let starts = EventLog<Int>()
      let server = TestServer { connection in
        let number = starts.events.count
        starts.add(connection.start)
        let rest = whole[connection.start...]
        if connection.start > 0 {
          let range = "Content-Range: bytes \(connection.start)-\(whole.count - 1)/\(whole.count)"
          connection.sendHead(206, length: rest.count, range, "ETag: \"1\"")
        } else {
          connection.sendHead(length: whole.count, "ETag: \"1\"")
        }
        guard number < limits.count else { return _ = connection.send(rest) }
        connection.send(rest.prefix(min(limits[number], rest.count - 1)))
        if let client = pid_t(connection.headers["x-process"] ?? ""), client > 1 { kill(client, SIGKILL) }
      }
      defer { server.stop() }
      let (url, path) = (server.url().absoluteString, folder.file("\(round)").path)
      while !FileManager.default.fileExists(atPath: path) {
        try #require(starts.events.count <= limits.count)
        let end: ExitTest.Condition = starts.events.count < limits.count ? .signal(SIGKILL) : .success
        await #expect(processExitsWith: end) { [url = url as String, path = path as String] in
          var request = URLRequest(url: try #require(URL(string: url)))
          request.setValue("\(getpid())", forHTTPHeaderField: "X-Process")
          let session = Sessions.transferring.session
          _ = try await session.downloadFuture(for: request, to: URL(fileURLWithPath: path), keepingPart: true).value
        }
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole, "seed \(testSeed)")
      #expect(starts.events.contains { $0 > 0 }, "seed \(testSeed): \(limits), \(starts.events)")
    }
    #expect(folder.contents.allSatisfy { !$0.hasPrefix(".") })
  }
}
