// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Delegate queues` {
  private func session(_ delegate: (any URLSessionDelegate)?, _ count: Int?) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let queue = OperationQueue()
    if let count { queue.maxConcurrentOperationCount = count }
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  @Test(arguments: [true, false], [nil, 2])
  func `that aren't serial are refused before any request`(hasDelegate: Bool, count: Int?) async throws {
    let server = TestServer { $0.respond(200, body(of: 3_000_000)) }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let session = session(hasDelegate ? TransferDelegate() : nil, count)
    let future = session.downloadFuture(from: server.url(), to: folder.file("file"))
    #expect(future.isCompleted)
    let error = await #expect(throws: ConcurrentDelegateQueueError.self) { try await future.value }
    #expect(error?.maxConcurrentOperationCount == count ?? OperationQueue.defaultMaxConcurrentOperationCount)
    #expect(error?.description.contains("maxConcurrentOperationCount") == true)
    await #expect(throws: ConcurrentDelegateQueueError.self) {
      try await session.dataFuture(from: server.url()).value
    }
    #expect(folder.contents == [])
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: [true, false])
  func `that are serial bring bodies as they are`(hasDelegate: Bool) async throws {
    let expected = body(of: 3_000_000)
    let server = TestServer { $0.respond(200, expected) }
    defer { server.stop() }
    let session = session(hasDelegate ? TransferDelegate() : nil, 1)
    #expect(try await session.dataFuture(from: server.url()).value.0 == expected)
  }
}
