// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FetchKit
import Foundation
import RaceFreeFuture
import Testing

/// How downloads end that nobody stops.
@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
  @Test func `files have the bytes that the server sent`() async throws {
    let bodies = [0, 1, 1000, 65_536, 1_000_000, 3_333_333].enumerated().map { number, size in
      Data.generated(size, seed: UInt64(number))
    }
    var pages = Dictionary(uniqueKeysWithValues: bodies.enumerated().map { ("/\($0.offset).bin", Page($0.element)) })
    pages["/unsized.bin"] = Page(length: nil, steps: [.send(bodies[4])])
    try await withServer(pages) { setting in
      let fetcher = setting.fetcher(jobs: 3)
      for path in pages.keys.sorted() { fetcher.add(DownloadRequest(setting.url(path))) }
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == Array(repeating: "completed", count: pages.count))
      #expect(reports.exitStatus == 0)
      #expect(setting.files == Set(pages.keys.map { String($0.dropFirst()) }))
      for (number, body) in bodies.enumerated() { #expect(setting.content("\(number).bin") == body) }
      #expect(setting.content("unsized.bin") == bodies[4])
    }
  }

  @Test(arguments: [1, 2, 3]) func `no more than so many downloads run at a time`(jobs: Int) async throws {
    let open = Future(label: "gate")
    let pages = Dictionary(
      uniqueKeysWithValues: (1...7).map {
        (
          "/\($0)",
          Page(length: 2000, steps: [.send(Data(count: 1000)), .wait(open.cancelToken), .send(Data(count: 1000))])
        )
      }
    )
    try await withServer(pages) { setting in
      let fetcher = setting.fetcher(jobs: jobs)
      for number in 1...7 { fetcher.add(DownloadRequest(setting.url("\(number)"))) }
      try await setting.server.arrival(of: jobs).value
      open.complete()
      let reports = await fetcher.reports()
      #expect(reports.exitStatus == 0)
      #expect(setting.server.mostRequestsAtOnce == jobs)
      if jobs == 1 { #expect(setting.server.requests == (1...7).map { "/\($0)" }) }
    }
  }

  @Test func `a status other than 2xx is a failure and leaves no file`() async throws {
    let page = Page(status: 503, length: 1000, steps: [.send(Data(count: 1000))])
    try await withServer(["/busy": page]) { setting in
      let fetcher = setting.fetcher()
      fetcher.add(DownloadRequest(setting.url("missing")))
      fetcher.add(DownloadRequest(setting.url("busy")))
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == ["failed: HTTP 404", "failed: HTTP 503"])
      #expect(reports.exitStatus == 1)
      #expect(setting.files.isEmpty)
    }
  }

  @Test func `a connection that is cut midway is a failure and leaves no file`() async throws {
    let page = Page(length: 100_000, steps: [.send(Data(count: 40_000)), .cut])
    try await withServer(["/cut": page]) { setting in
      let fetcher = setting.fetcher()
      fetcher.add(DownloadRequest(setting.url("cut")))
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == ["failed: connection lost at 40,000 of 100,000 bytes"])
      #expect(reports.exitStatus == 1)
      #expect(setting.files.isEmpty)
    }
  }

  @Test func `a host that cannot be reached is a failure`() async throws {
    try await withServer([:]) { setting in
      let fetcher = setting.fetcher()
      // A port on which nobody listens. (Not one of a server that has stopped: a process that is being started at that
      // moment may still hold it.)
      fetcher.add(DownloadRequest(try #require(URL(string: "http://127.0.0.1:1/file"))))
      fetcher.add(DownloadRequest(try #require(URL(string: "http://nobody.invalid/file"))))
      let reports = await fetcher.reports()
      #expect(
        reports.map(\.words) == [
          "failed: cannot connect to 127.0.0.1:1", "failed: cannot find the host nobody.invalid",
        ]
      )
      #expect(reports.exitStatus == 1)
      #expect(setting.files.isEmpty)
    }
  }

  @Test func `a folder that goes away is a failure, and the others get their turn`() async throws {
    try await withServer(["/a": Page(Data(count: 10))]) { setting in
      let fetcher = Fetcher(into: setting.folder.appendingPathComponent("gone"), jobs: 1, reporter: setting.events)
      for _ in 1...3 { fetcher.add(DownloadRequest(setting.url("a"))) }
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == Array(repeating: "failed: cannot write: No such file or directory", count: 3))
      #expect(setting.server.requests.isEmpty)
    }
  }

  @Test func `equal names get numbers, and a file that was there stays`() async throws {
    let body = Data.generated(1000, seed: 1)
    try await withServer(["/a/photo.jpg": Page(body), "/b/photo.jpg": Page(body)]) { setting in
      try Data("mine".utf8).write(to: setting.folder.appendingPathComponent("photo.jpg"))
      let fetcher = setting.fetcher()
      fetcher.add(DownloadRequest(setting.url("a/photo.jpg")))
      fetcher.add(DownloadRequest(setting.url("b/photo.jpg")))
      let reports = await fetcher.reports()
      #expect(reports.map(\.name) == ["photo-1.jpg", "photo-2.jpg"])
      #expect(setting.files == ["photo.jpg", "photo-1.jpg", "photo-2.jpg"])
      #expect(setting.content("photo.jpg") == Data("mine".utf8))
      #expect(setting.content("photo-2.jpg") == body)
    }
  }

  @Test func `a file that appears meanwhile under the same name is not replaced`() async throws {
    let (open, body) = (Future(label: "gate"), Data.generated(1000, seed: 1))
    try await withServer(["/a": Page(length: 1000, steps: [.wait(open.cancelToken), .send(body)])]) { setting in
      let fetcher = setting.fetcher()
      fetcher.add(DownloadRequest(setting.url("a")))
      try await setting.server.arrival(of: 1).value
      try Data("mine".utf8).write(to: setting.folder.appendingPathComponent("a"))
      open.complete()
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == ["failed: cannot write: File exists"])
      #expect(setting.files == ["a"])
      #expect(setting.content("a") == Data("mine".utf8))
    }
  }
}
