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

/// What a caller may complete a download with.
private var someResponse: URLResponse {
  URLResponse(url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
}

/// How a session, a server or a check ends a download.
private enum SessionEnd: String, CaseIterable, CustomStringConvertible {
  case whole, cut, unauthorized, rejected, refused, stopped, invalidated

  var description: String { rawValue }

  /// Whether it brings a file.
  var isGood: Bool { self == .whole || self == .unauthorized }

  var outcome: Future.Outcome {
    switch self {
    case .rejected, .stopped, .invalidated: .cancelled
    case .whole, .cut, .unauthorized, .refused: .completed
    }
  }

  func answer(_ connection: Connection) {
    switch self {
    case .whole, .refused: connection.respond(200, Data("body".utf8))
    case .cut:
      connection.sendHead(length: 1000)
      connection.send("cut")
    case .unauthorized, .rejected: connection.respond(401, Data("body".utf8), "WWW-Authenticate: Basic realm=\"test\"")
    case .stopped, .invalidated: connection.waitForHangUp()
    }
  }
}

/// Gives no password, and gives up.
private final class Rejecting: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) { completionHandler(.cancelAuthenticationChallenge, nil) }
}

/// How whoever has the future ends it.
private enum CallerEnd: String, CaseIterable, CustomStringConvertible {
  case none, cancel, complete, fail

  var description: String { rawValue }

  var outcome: Future.Outcome { self == .cancel ? .cancelled : .completed }

  func end(_ future: ValueFuture<URLResponse>) {
    switch self {
    case .none: break
    case .cancel: future.cancel(throwing: Reason("caller"))
    case .complete: future.complete(with: someResponse)
    case .fail: future.complete(throwing: Reason("caller"))
    }
  }
}

/// Two ends meet while a block is queued: the first one counts, and the file is there if it brings one.
@Suite struct `Ends of downloads` {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("file") }

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Sessions.allCases, SessionEnd.allCases)
  private func `the session's, and then the caller's`(sessions: Sessions, first: SessionEnd) async {
    for second in CallerEnd.allCases {
      let future = await held(sessions, first, after: { future in second.end(future) })
      #expect(future.isCompleted == (first.outcome == .completed), "\(second)")
      #expect(folder.contents == (first.isGood ? ["file"] : []), "\(second)")
      #expect(reason(future.result?.error) == (first == .refused ? Reason("check") : nil), "\(second)")
      try? FileManager.default.removeItem(at: file)
    }
  }

  @Test(arguments: Sessions.allCases, SessionEnd.allCases)
  private func `the caller's, and then the session's`(sessions: Sessions, second: SessionEnd) async {
    for first in CallerEnd.allCases where first != .none {
      let future = await held(sessions, second, before: { future in first.end(future) })
      #expect(future.isCompleted == (first.outcome == .completed), "\(first)")
      #expect(folder.contents == [], "\(first)")
      #expect((future.result?.value != nil) == (first == .complete), "\(first)")
    }
  }

  /// Downloads in a session of its own, with a queued block until the session has reported the end, and all has been
  /// done that is to come before and after it.
  private func held(
    _ sessions: Sessions,
    _ end: SessionEnd,
    before: (ValueFuture<URLResponse>) -> Void = { _ in },
    after: (ValueFuture<URLResponse>) -> Void = { _ in }
  ) async -> ValueFuture<URLResponse> {
    let isAsked = Gate("asked")
    let (mayAnswer, mayDecide) = (Gate("may answer"), Gate("may decide"))
    let server = TestServer { connection in
      isAsked.open()
      mayAnswer.wait()
      end.answer(connection)
    }
    defer { server.stop() }
    // Who has a delegate that hands on pieces has no other one.
    let session = end == .rejected ? sessions.makeSession(asking: Rejecting()) : sessions.makeSession()
    let check = { @Sendable (_: URLResponse) in if end == .refused { throw Reason("check") } }
    let future = session.downloadFuture(from: server.url(), to: file, checkResponse: check)
    future.standStill(until: mayDecide)
    await isAsked.passed()
    before(future)
    let tasks = end == .stopped ? await session.tasks() : []
    mayAnswer.open()
    for task in tasks { task.cancel() }
    if end == .invalidated { session.invalidateAndCancel() }
    await future.taskIsOver()
    #expect(future.isPending)
    after(future)
    mayDecide.open()
    _ = await future.handlersFinished
    return future
  }

  @Test(arguments: Sessions.allCases)
  func `what the caller has completed isn't loaded any more`(sessions: Sessions) async {
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
    future.complete(with: someResponse)
    #expect(await future.handlersFinished == .completed)
    #expect(folder.contents == [])
    await hasHungUp.passed()
  }
}
