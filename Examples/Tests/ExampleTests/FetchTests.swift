// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FlyingFox
import FlyingSocks
import Foundation
import Loopback
import RaceFreeFutureTesting
import Testing

/// The downloader, with the server of its demonstration, or one of a test.
struct FetchTests {
  @Test func `what takes too long is stopped, and the rest is downloaded`() async throws {
    let end = try await Child("fetch").end()
    let lines = end.output.split(separator: "\n").dropFirst().map(String.init)
    try #require(lines.map { $0.prefix { $0 != ":" } } == ["meadow", "river", "glacier", "desert", "harbor"])
    #expect(lines[0] == "meadow: 300000 bytes" && lines[2].contains("timed out after 2.0 seconds"), "\(end.output)")
    #expect(end.status == 0)
  }

  @Test func `an interrupt stops everything, and says so`() async throws {
    let child = try Child("fetch", ["--jobs", "5", "--timeout", "3600"])
    try await eventually("it downloads", within: .seconds(600)) { child.output.hasPrefix("downloading") }
    kill(child.process.processIdentifier, SIGINT)
    let end = try await child.end()
    let lines = end.output.split(separator: "\n")
    #expect(end.status == 130 && lines.count == 2 && lines[1].hasPrefix("stopped: "), "\(end.output)")
  }

  @Test func `a run that is killed is continued by the next one`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fetch-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = Data((0..<150_000).map { "line \($0), " }.joined().utf8) + Data(count: 10_000_000)
    let starts = EventLog<Int>()
    let server = try await LoopbackServer.start { request in
      let start = Int(request.headers[HTTPHeader("Range")]?.split { "=-".contains($0) }.last ?? "") ?? 0
      starts.add(start)
      let tag = [HTTPHeader("ETag"): "\"1\""]
      guard start > 0 else {
        let stalled = StalledBody(rest: whole.prefix(9_000_000))
        let body = HTTPBodySequence(from: stalled, count: whole.count, suggestedBufferSize: 100_000)
        return HTTPResponse(statusCode: .ok, headers: HTTPHeaders(tag), body: body)
      }
      let range = [HTTPHeader("Content-Range"): "bytes \(start)-\(whole.count - 1)/\(whole.count)"]
      return HTTPResponse(
        statusCode: .partialContent,
        headers: HTTPHeaders(tag.merging(range) { $1 }),
        body: Data(whole[start...])
      )
    }
    let arguments = [server.url.appendingPathComponent("file").absoluteString, "--keep-parts", "--output", folder.path]
    let first = try Child("fetch", arguments)
    let record = folder.appendingPathComponent(".file.part.record")
    try await eventually("some of it is certain", within: .seconds(600)) {
      (try? String(contentsOf: record, encoding: .utf8).split(separator: "\n").count) ?? 0 > 2
    }
    kill(first.process.processIdentifier, SIGKILL)
    #expect(try await first.end().status == SIGKILL)
    let end = try await Child("fetch", arguments).end()
    #expect(end.status == 0 && end.output.hasSuffix("file: \(whole.count) bytes\n"), "\(end.output)")
    #expect(try Data(contentsOf: folder.appendingPathComponent("file")) == whole)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    #expect(starts.events.count == 2 && starts.events.last ?? 0 > 4_000_000, "\(starts.events)")
    await server.stop()
  }
}

/// A body that doesn't come to its end.
private struct StalledBody: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
  var rest: Data

  func makeAsyncIterator() -> StalledBody { self }

  mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

  mutating func nextBuffer(suggested count: Int) async throws -> Data? {
    if rest.isEmpty { try await Task.sleep(for: .seconds(3_600)) }
    defer { rest = rest.dropFirst(count) }
    return Data(rest.prefix(count))
  }
}
