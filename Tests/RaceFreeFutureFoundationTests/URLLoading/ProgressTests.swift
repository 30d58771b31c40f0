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

/// What a progress handler was told.
private struct Progress: Equatable {
  var completed: Int64
  var total: Int64?
}

@Suite struct `Progress of transfers` {
  @Test(arguments: Sessions.allCases)
  func `is told, the end of it always`(sessions: Sessions) async throws {
    let (mayEnd, isTold) = (Gate("may end"), Gate("told"))
    let server = TestServer { connection in
      connection.sendHead(length: 8)
      connection.send("half")
      if sessions.tellsPieces { isTold.wait() }
      connection.send("half")
      mayEnd.wait()
    }
    defer { server.stop() }
    let log = EventLog<Progress>()
    let future = sessions.session.dataFuture(from: server.url()) { completed, total in
      log.add(Progress(completed: completed, total: total))
      isTold.open()
    }
    mayEnd.open()
    _ = try await future.value
    let expected = [Progress(completed: 4, total: 8), Progress(completed: 8, total: 8)]
    #expect(log.events == (sessions.tellsPieces ? expected : [expected[1]]))
  }

  @Test(arguments: Sessions.allCases)
  func `has no total if that isn't known`(sessions: Sessions) async throws {
    let server = TestServer { connection in
      connection.sendHead(length: nil, "Transfer-Encoding: chunked")
      connection.send("4\r\nbody\r\n0\r\n\r\n")
    }
    defer { server.stop() }
    let log = EventLog<Progress>()
    _ = try await sessions.session.dataFuture(from: server.url()) {
      log.add(Progress(completed: $0, total: $1))
    }.value
    #expect(log.events.last == Progress(completed: 4, total: nil))
  }

  @Test(arguments: Sessions.tellingPieces)
  func `is never told after a cancellation, which waits for no more than one handler`(sessions: Sessions) async throws {
    let (isInside, mayLeave, isOver) = (Gate("inside"), Gate("may leave"), Gate("over"))
    let server = TestServer { connection in
      connection.sendHead(length: 200_000)
      var isSent = true
      for _ in 0..<100 where isSent { isSent = connection.send(body(of: 1000)) }
      connection.waitForHangUp()
      isOver.open()
    }
    defer { server.stop() }
    let calls = EventLog<Void>()
    let future = sessions.session.dataFuture(from: server.url()) { _, _ in
      calls.add(())
      isInside.open()
      mayLeave.wait()
    }
    await isInside.passed()
    future.cancel()
    let count = calls.events.count
    mayLeave.open()
    #expect(await future.handlersFinished == .cancelled)
    await isOver.passed()
    // At most one other call was queued before the cancellation.
    #expect(count == 1)
    #expect(calls.events.count <= 2)
  }

  @Test(arguments: Sessions.tellingPieces)
  func `of a slow handler leaves out what is out of date`(sessions: Sessions) async throws {
    let (isInside, mayLeave) = (Gate("inside"), Gate("may leave"))
    let server = TestServer { connection in
      connection.sendHead(length: 1_000_000)
      connection.send(body(of: 1000))
      isInside.wait()
      connection.send(body(of: 999_000))
    }
    defer { server.stop() }
    let log = EventLog<Int64>()
    let folder = try TemporaryFolder()
    let future = sessions.session.downloadFuture(from: server.url(), to: folder.file("file")) { completed, _ in
      log.add(completed)
      isInside.open()
      if completed < 1_000_000 { mayLeave.wait() }
    }
    await isInside.passed()
    // All pieces have been told, or dropped, when the session's queue has come to the end of the transfer.
    mayLeave.open()
    _ = try await future.value
    #expect(log.events.last == 1_000_000)
    #expect(log.events == log.events.sorted())
  }
}
