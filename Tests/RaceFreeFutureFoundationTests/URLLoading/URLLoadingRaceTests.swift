// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Many requests at once, which are cancelled at random moments by several threads.
@Suite struct `Races of transfers` {
  /// One of them, and what became of it.
  private struct Started: Sendable {
    let future: CancelToken
    let file: URL?
    let outcomes = EventLog<Future.Outcome>()
  }

  /// Answers well, badly or not at all, by the number in the path.
  private static func answer(_ connection: Connection) {
    switch connection.number % 8 {
    case 0: connection.respond(200, body(of: 200_000))
    case 1: connection.respond(404, Data("no".utf8))
    case 2: connection.respond(302, Data(), "Location: /redirected/5")
    case 3: connection.waitForHangUp()
    case 4:
      // What is resumed asks for the rest, and gets all, cut again.
      connection.sendHead(length: 1000, "ETag: \"1\"")
      connection.send("cut")
    case 5: connection.respond(200, Data("small".utf8))
    case 6:
      connection.sendHead(length: 300_000)
      // Throttled: one piece after the other, with the other threads in between.
      for _ in 0..<30 where connection.send(body(of: 10_000)) { sched_yield() }
    default: connection.respond(200, Data())
    }
  }

  @Test(arguments: Sessions.allCases)
  func `end each request once, leave nothing behind, and leave the session usable`(sessions: Sessions) async throws {
    let server = TestServer(Self.answer)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    for round in 0..<iterations(5) {
      // Captured by every handler: it goes when the session and the futures have let go of all of them.
      let isReleased = Gate("all handlers of round \(round) released")
      let all = startAll(in: sessions.session, server, folder, round, OnDeinit { isReleased.open() })
      await onThreads((0..<3).map { thread in { cancel(all, UInt64(round * 3 + thread)) } })
      for started in all {
        let outcome = await started.future.handlersFinished
        #expect(started.outcomes.events == [outcome], "seed \(testSeed)")
        if let file = started.file {
          if outcome == .cancelled { #expect(!isThere(file), "seed \(testSeed)") }
        }
      }
      #expect(folder.contents.filter { $0.hasPrefix(".") } == [], "seed \(testSeed)")
      await isReleased.passed()
    }
    let (data, _) = try await sessions.session.dataFuture(from: server.url("/5")).value
    #expect(data == Data("small".utf8))
  }

  @Test(arguments: Sessions.allCases)
  func `end each request once that is cancelled while it is redirected`(sessions: Sessions) async throws {
    let futures = EventLog<CancelToken>()
    let server = TestServer { connection in
      connection.respond(302, Data(), "Location: /\(connection.number)")
      spin(microseconds: UInt64(connection.number % 50) * 10)
      futures.events.last?.cancel()
    }
    defer { server.stop() }
    for round in 0..<iterations(100) {
      // What is cancelled is there before the request, which ends by itself after so many answers.
      let parent = Future()
      futures.add(parent.cancelToken)
      let future = sessions.session.dataFuture(from: server.url("/\(round)"), linkedTo: parent)
      #expect(await future.handlersFinished == .cancelled)
    }
  }

  private func startAll(
    in session: URLSession,
    _ server: TestServer,
    _ folder: TemporaryFolder,
    _ round: Int,
    _ witness: OnDeinit
  ) -> [Started] {
    (0..<40).map { index in
      start(index, in: session, server.url("/\(round)/\(index)"), folder.file("\(round)-\(index)"), witness)
    }
  }

  private func start(
    _ index: Int,
    in session: URLSession,
    _ url: URL,
    _ file: URL,
    _ witness: OnDeinit
  ) -> Started {
    let onProgress = { @Sendable (_: Int64, _: Int64?) in witness.touch() }
    let started: Started
    switch index % 4 {
    case 0:
      started = Started(future: session.dataFuture(from: url, onProgress: onProgress).cancelToken, file: nil)
    case 1:
      var request = URLRequest(url: url)
      request.httpMethod = "PUT"
      let data = body(of: 50_000)
      let future = session.uploadFuture(for: request, from: data, onProgress: onProgress)
      started = Started(future: future.cancelToken, file: nil)
    case 2:
      let stream = session.bodyStream(from: url, checkResponse: { _ in witness.touch() })
      Task { for try await _ in stream { witness.touch() } }
      started = Started(future: stream.cancelToken, file: nil)
    default:
      let check = { @Sendable (_: URLResponse) in witness.touch() }
      let delay = { @Sendable (_: any Error, failures: Int) -> Duration? in
        witness.touch()
        return failures < 3 ? .microseconds(100) : nil
      }
      let future = session.downloadFuture(
        from: url,
        to: file,
        onProgress: onProgress,
        checkResponse: check,
        resuming: delay
      )
      started = Started(future: future.cancelToken, file: file)
    }
    started.future.onComplete { [outcomes = started.outcomes] in
      witness.touch()
      outcomes.add(.completed)
    }
    started.future.onCancel { [outcomes = started.outcomes] in
      witness.touch()
      outcomes.add(.cancelled)
    }
    return started
  }

  /// Cancels all, most of them at some moment after others have been waited for.
  private func cancel(_ all: [Started], _ number: UInt64) {
    var generator = SeededGenerator(seed: testSeed &+ number)
    for started in all.shuffled(using: &generator) {
      switch generator.next() % 4 {
      case 0: spin(microseconds: generator.next() % 500)
      case 1: _ = started.future.wait(timeout: .milliseconds(Int(generator.next() % 4)))
      default: break
      }
      started.future.cancel()
    }
  }

  private func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
}
