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

/// The kinds of transfers, each started with a request that isn't answered.
private enum Kind: CaseIterable {
  case data, upload, fileUpload, download, resumedDownload, stream

  func start(_ session: URLSession, _ url: URL, in folder: TemporaryFolder) throws -> any CancellableWork {
    var request = URLRequest(url: url)
    switch self {
    case .data: return session.dataFuture(for: request)
    case .upload:
      request.httpMethod = "POST"
      return session.uploadFuture(for: request, from: Data("sent".utf8))
    case .fileUpload:
      request.httpMethod = "POST"
      try Data("sent".utf8).write(to: folder.file("sent"))
      return session.uploadFuture(for: request, fromFile: folder.file("sent"))
    case .download: return session.downloadFuture(for: request, to: folder.file("file"))
    case .resumedDownload:
      return session.downloadFuture(for: request, to: folder.file("file"), resuming: { _, _ in .zero })
    case .stream: return session.bodyStream(for: request)
    }
  }
}

/// A transfer is over when its session has reported the end of its task (L12).
@Suite struct `Open transfers` {
  @Test(arguments: Sessions.allCases, Kind.allCases)
  private func `that are cancelled stay open until the session has reported the end`(
    sessions: Sessions,
    kind: Kind
  ) async throws {
    let folder = try TemporaryFolder()
    let (isAsked, mayReport) = (Gate("asked"), Gate("the session may report"))
    let cuts = EventLog<Void>()
    let server = TestServer { connection in
      if kind == .resumedDownload, cuts.events.isEmpty {
        cuts.add(())
        connection.sendHead(length: 1000, "ETag: \"one\"")
        return _ = connection.send("cut")
      }
      isAsked.open()
      connection.waitForHangUp()
    }
    defer { server.stop() }
    let session = sessions.makeSession()
    let transfer = try kind.start(session, server.url(), in: folder)
    await isAsked.passed()
    session.delegateQueue.addOperation { mayReport.wait() }
    transfer.cancel()
    #expect(transfer.isCancelled)
    let error = try await #require(throws: DrainError.self) { try await transfer.drain(within: .zero) }
    let request = error.remaining.first { $0.kind == .activity("request") }
    #expect(request?.origin.place.hasPrefix("\(#fileID):") == true)
    mayReport.open()
    await transfer.drain()
  }

  @Test func `that a check has failed stay open until the session has reported the end`() async throws {
    let sessions = Sessions.transferring
    let mayReport = Gate("the session may report")
    let server = TestServer { connection in
      connection.sendHead(length: 1000)
      connection.waitForHangUp()
    }
    defer { server.stop() }
    let session = sessions.makeSession()
    let future = session.dataFuture(
      from: server.url(),
      checkResponse: { _ in
        session.delegateQueue.addOperation { mayReport.wait() }
        throw Reason("check")
      }
    )
    await #expect(throws: Reason("check")) { try await future.value }
    let error = try await #require(throws: DrainError.self) { try await future.drain(within: .zero) }
    // The delivery, too, may not have ended.
    #expect(error.remaining.contains { $0.kind == .activity("request") })
    mayReport.open()
    await future.drain()
  }

  @Test(arguments: Sessions.allCases, [true, false])
  func `that never reach a server come to their end`(sessions: Sessions, isCancelled: Bool) async throws {
    let session = sessions.makeSession()
    let server = TestServer { _ in }
    server.stop()
    for url in [server.url(), URL(string: "nothing://knows/this"), URL(fileURLWithPath: "/nonexistent")] {
      let future = session.dataFuture(from: try #require(url))
      if isCancelled { future.cancel() }
      await future.drain()
      #expect(!future.isPending)
    }
  }

  @Test(arguments: Sessions.allCases)
  func `of a session that is invalidated come to their end`(sessions: Sessions) async throws {
    let isAsked = Gate("asked")
    let server = TestServer { connection in
      isAsked.open()
      connection.waitForHangUp()
    }
    defer { server.stop() }
    let session = sessions.makeSession()
    let future = session.dataFuture(from: server.url())
    await isAsked.passed()
    session.invalidateAndCancel()
    await future.drain()
    #expect(code(future.cancellationReason) == .cancelled)
  }

  #if canImport(FoundationNetworking)
    @Test func `that a session forgets when it is invalidated are cancelled`() async throws {
      let isAsked = Gate("asked")
      let server = TestServer { connection in
        isAsked.open()
        connection.waitForHangUp()
      }
      defer { server.stop() }
      let delegate = TransferDelegate()
      let sessions = (0..<2).map { _ in URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil) }
      let futures = sessions.map { $0.dataFuture(from: server.url()) }
      await isAsked.passed()
      delegate.urlSession(sessions[0], didBecomeInvalidWithError: nil)
      #expect(code(futures[0].cancellationReason) == .cancelled)
      try await futures[0].drain(within: .zero)
      #expect(futures[1].isPending)
      for session in sessions { session.invalidateAndCancel() }
      await futures[1].drain()
    }
  #endif
}
