// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console
import Dispatch
import FetchKit
import Foundation
import RaceFreeFuture
import Testing

/// How downloads end that somebody stops.
@Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
  /// A page that sends something and then nothing more.
  private static let stalled = Page(length: 100_000, steps: [.send(Data(count: 40_000)), .wait(.never)])

  @Test func `a download that is cancelled while it waits never contacts the server`() async throws {
    let open = Future(label: "gate")
    let pages = [
      "/a": Page(length: 1, steps: [.wait(open.cancelToken), .send(Data(count: 1))]), "/b": Page(Data()),
      "/c": Page(Data()),
    ]
    try await withServer(pages) { setting in
      let fetcher = setting.fetcher(jobs: 1)
      let downloads = ["a", "b", "c"].map { fetcher.add(DownloadRequest(setting.url($0))) }
      try await setting.server.arrival(of: 1).value
      downloads[1].cancelToken.cancel()
      open.complete()
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == ["completed", "cancelled", "completed"])
      #expect(reports.map { $0.time == nil } == [false, true, false])
      #expect(setting.server.requests == ["/a", "/c"])
      #expect(setting.files == ["a", "c"])
    }
  }

  @Test func `a download that is cancelled midway leaves no file`() async throws {
    try await withServer(["/a": Self.stalled]) { setting in
      let fetcher = setting.fetcher()
      let download = fetcher.add(DownloadRequest(setting.url("a")))
      try await setting.events.firstBytes.value
      #expect(setting.files.count == 1)
      #expect(setting.files.allSatisfy { $0.hasPrefix(".a.") })
      download.cancelToken.cancel()
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == ["cancelled"])
      #expect(reports[0].bytes > 0)
      #expect(reports.exitStatus == 0)
      #expect(setting.files.isEmpty)
    }
  }

  @Test(arguments: [false, true]) func `a download that runs out of time leaves no file`(isAskedFor: Bool) async throws
  {
    try await withServer(["/a": Self.stalled]) { setting in
      let fetcher = setting.fetcher()
      fetcher.add(DownloadRequest(setting.url("a"), timeout: .milliseconds(50), isTimeoutAskedFor: isAskedFor))
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == ["cancelled: timed out after 0.05 s"])
      #expect(reports.exitStatus == (isAskedFor ? 0 : 1))
      #expect(setting.files.isEmpty)
    }
  }

  @Test func `a download that is stopped as asked is no failure`() async throws {
    try await withServer(["/a": Self.stalled]) { setting in
      let fetcher = setting.fetcher()
      fetcher.add(DownloadRequest(setting.url("a"), stop: .milliseconds(50)))
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == ["cancelled: by hand, 0.05 s after the start"])
      #expect(reports.exitStatus == 0)
      #expect(setting.files.isEmpty)
    }
  }

  @Test func `cancelling the run cancels what runs and what waits`() async throws {
    try await withServer(["/a": Self.stalled]) { setting in
      let fetcher = setting.fetcher(jobs: 2)
      for _ in 1...20 { fetcher.add(DownloadRequest(setting.url("a"))) }
      try await setting.server.arrival(of: 2).value
      fetcher.cancelToken.cancel(throwing: Interruption(signal: SIGINT))
      let reports = await fetcher.reports()
      #expect(reports.map(\.words) == Array(repeating: "cancelled: Ctrl-C", count: 20))
      #expect(reports.filter { $0.time != nil }.count == 2)
      #expect(reports.exitStatus == 130)
      #expect(setting.server.requests.count == 2)
      #expect(setting.files.isEmpty)
    }
  }

  @Test func `in a cancelled run nothing starts`() async throws {
    try await withServer(["/a": Self.stalled]) { setting in
      let fetcher = setting.fetcher()
      fetcher.cancelToken.cancel()
      fetcher.add(DownloadRequest(setting.url("a")))
      #expect(await fetcher.reports().map(\.words) == ["cancelled"])
      #expect(setting.server.requests.isEmpty)
      #expect(setting.files.isEmpty)
    }
  }

  /// Cancels each download at the moment when its last bytes come, from another thread: whoever wins, the file is whole
  /// or not there.
  @Test func `a cancellation that meets the end leaves a whole file or none`() async throws {
    let body = Data.generated(20_000, seed: 3)
    try await withServer(["/a": Page(body)]) { setting in
      let canceller = DispatchQueue(label: "canceller")
      setting.events.whenBytesCome { download in
        guard download.progress.received == body.count else { return }
        canceller.async { download.cancelToken.cancel() }
      }
      let fetcher = setting.fetcher(jobs: 4)
      for _ in 1...200 { fetcher.add(DownloadRequest(setting.url("a"))) }
      let reports = await fetcher.reports()
      let whole = reports.filter { $0.words == "completed" }.map(\.name)
      #expect(Set(reports.map(\.words)).isSubset(of: ["completed", "cancelled"]))
      #expect(setting.files == Set(whole))
      #expect(whole.allSatisfy { setting.content($0) == body })
    }
  }
}
