// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct TransferNameTests {
  private enum Kind: CaseIterable {
    case data, download, upload, uploadOfFile, stream

    func start(_ url: URL, in session: URLSession, _ folder: TemporaryFolder) throws -> any CancellableWork {
      var post = URLRequest(url: url)
      post.httpMethod = "POST"
      switch self {
      case .data: return session.dataFuture(from: url)
      case .download: return session.downloadFuture(from: url, to: folder.file("result"))
      case .upload: return session.uploadFuture(for: post, from: Data("body".utf8))
      case .uploadOfFile:
        try Data("body".utf8).write(to: folder.file("body"))
        return session.uploadFuture(for: post, fromFile: folder.file("body"))
      case .stream: return session.bodyStream(from: url)
      }
    }
  }

  @Test(arguments: Sessions.allCases, Kind.allCases)
  private func `a transfer is named after its URL, without what may be secret`(
    sessions: Sessions,
    kind: Kind
  ) async throws {
    let folder = try TemporaryFolder()
    let server = TestServer { $0.waitForHangUp() }
    defer { server.stop() }
    let name = "http://127.0.0.1:\(server.port)/list/a%20b"
    let secret = name.replacing("http://", with: "http://me:password@") + "?token=1#part"
    let transfer = try kind.start(try #require(URL(string: secret)), in: sessions.session, folder)
    let scope = Scope(label: "requests")
    scope.add(transfer)
    let stuck = try await #require(throws: DrainError.self) { try await scope.drain(within: .zero) }
    transfer.cancel(after: .zero)
    let late = try #require(transfer.cancellationReason as? TimeoutError)
    for text in ["\(transfer.cancelToken)", "\(stuck)", "\(late)"] {
      #expect(text.contains(name))
      #expect(!text.contains("password") && !text.contains("token=") && !text.contains("#part"))
    }
    await scope.drain()
  }

  @Test(arguments: [
    ("http://host", "http://host"),
    ("https://me:secret@host:8080/a/b?c=d&e=f#g", "https://host:8080/a/b"),
    ("https://me@host/?#", "https://host/"),
    ("http://[::1]:80/a%20b;c", "http://[::1]:80/a%20b;c"),
    ("file:///tmp/a", "file:///tmp/a"),
    ("data:text/plain,secret", "data:"),
    ("DATA:,secret", "data:"),
  ])
  func `a name keeps scheme, host, port and path`(text: String, name: String) throws {
    #expect(try #require(URL(string: text)).name == name)
  }

  @Test func `a relative URL has the name of the whole one`() throws {
    let base = try #require(URL(string: "http://me:secret@host/a/b?c"))
    #expect(try #require(URL(string: "d?e", relativeTo: base)).name == "http://host/a/d")
  }

  @Test func `the error of a status says nothing that may be secret`() throws {
    let url = try #require(URL(string: "http://me:secret@host/a?token=1"))
    let response = try #require(HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: nil))
    #expect("\(HTTPStatusError(response: response))" == "the server answered with status 404: http://host/a")
  }
}
