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

private typealias Step = TransferProgress.Step

@Suite struct `The progress of a transfer as a sequence` {
  @Test(arguments: Sessions.allCases)
  func `has the numbers, and ends with the transfer`(sessions: Sessions) async throws {
    let isRead = Gate("read")
    let server = TestServer { connection in
      connection.sendHead(length: 8)
      connection.send("half")
      if sessions.tellsPieces { isRead.wait() }
      connection.send("half")
    }
    defer { server.stop() }
    let progress = TransferProgress()
    let future = sessions.session.dataFuture(from: server.url(), reporting: progress)
    var steps: [Step] = []
    for await step in progress {
      steps.append(step)
      isRead.open()
    }
    #expect(future.isCompleted)
    let expected = [Step(completed: 4, total: 8), Step(completed: 8, total: 8)]
    #expect(steps == (sessions.tellsPieces ? expected : [expected[1]]))
  }

  @Test(arguments: Sessions.allCases)
  func `has the newest number only, for one who comes late`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond(200, body(of: 1_000_000)) }
    defer { server.stop() }
    let progress = TransferProgress()
    let folder = try TemporaryFolder()
    let future = sessions.session.downloadFuture(from: server.url(), to: folder.file("file"), reporting: progress)
    _ = try await future.value
    var steps: [Step] = []
    for await step in progress { steps.append(step) }
    #expect(steps == [Step(completed: 1_000_000, total: 1_000_000)])
  }

  @Test(arguments: Sessions.allCases)
  func `counts what is sent of an upload`(sessions: Sessions) async throws {
    let server = TestServer { $0.respond() }
    defer { server.stop() }
    let progress = TransferProgress()
    var request = URLRequest(url: server.url())
    request.httpMethod = "POST"
    let future = sessions.session.uploadFuture(for: request, from: body(of: 100_000), reporting: progress)
    var last: Step?
    for await step in progress { last = step }
    #expect(future.isCompleted)
    #expect(last == Step(completed: 100_000, total: 100_000))
  }

  @Test(arguments: Sessions.allCases)
  func `ends when the transfer is cancelled, or was never made`(sessions: Sessions) async throws {
    let isAsked = Gate("asked")
    let server = TestServer { connection in
      isAsked.open()
      connection.waitForHangUp()
    }
    defer { server.stop() }
    let progress = TransferProgress()
    let future = sessions.session.dataFuture(from: server.url(), reporting: progress)
    await isAsked.passed()
    future.cancel()
    for await _ in progress { Issue.record("nothing has come") }

    let parent = Future()
    parent.cancel()
    let never = TransferProgress()
    _ = sessions.session.dataFuture(from: server.url(), linkedTo: parent, reporting: never)
    for await _ in never { Issue.record("no request was made") }
  }

  @Test func `ends for a task that is cancelled, and the transfer goes on`() async throws {
    let (isAsked, mayAnswer) = (Gate("asked"), Gate("may answer"))
    let server = TestServer { connection in
      isAsked.open()
      mayAnswer.wait()
      connection.respond(200, Data("body".utf8))
    }
    defer { server.stop() }
    let progress = TransferProgress()
    let future = Sessions.transferring.session.dataFuture(from: server.url(), reporting: progress)
    await isAsked.passed()
    let reader = Task { for await _ in progress {} }
    reader.cancel()
    await reader.value
    #expect(future.isPending)
    mayAnswer.open()
    #expect(try await future.value.0 == Data("body".utf8))
  }

  @Test(.exitTests) func `of a second transfer stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let progress = TransferProgress()
      let parent = Future()
      parent.cancel()
      let url = URL(fileURLWithPath: "/")
      for _ in 0..<2 { _ = URLSession.shared.dataFuture(from: url, linkedTo: parent, reporting: progress) }
    }
  }

  @Test func `knows which part is completed`() {
    #expect(Step(completed: 1, total: 4).fraction == 0.25)
    #expect(Step(completed: 5, total: 4).fraction == 1)
    #expect(Step(completed: 1, total: nil).fraction == nil)
    #expect(Step(completed: 0, total: 0).fraction == nil)
  }
}
