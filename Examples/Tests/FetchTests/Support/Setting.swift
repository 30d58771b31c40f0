// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import FetchKit
import Foundation
import RaceFreeFuture
import Synchronization

/// A server, an empty folder and a fetcher between them, for the time of a test.
struct Setting {
  let server: LoopbackServer
  let folder: URL
  let events = Events()

  func url(_ path: String) -> URL { server.url.appendingPathComponent(path) }

  func fetcher(jobs: Int = 2) -> Fetcher { Fetcher(into: folder, jobs: jobs, reporter: events) }

  /// All that is in the folder, hidden files included.
  var files: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []) }

  func content(_ name: String) -> Data? { try? Data(contentsOf: folder.appendingPathComponent(name)) }
}

/// Runs a test with a server; the server and the folder are gone afterwards.
func withServer(_ pages: [String: Page], _ body: (Setting) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fetch-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let setting = Setting(server: try await LoopbackServer.start(pages), folder: folder)
  do {
    try await body(setting)
    await setting.server.stop()
  } catch {
    await setting.server.stop()
    throw error
  }
}

/// A reporter on whose events a test can wait.
final class Events: Reporter {
  /// Completed by the first bytes of any download.
  let firstBytes = Future(label: "first bytes")

  private struct Handlers {
    var onProgress: @Sendable (Download) -> Void = { _ in }
  }

  /// Guards what is called when bytes come.
  ///
  /// It is called after the lock is released.
  private let handlers = Mutex(Handlers())

  func whenBytesCome(_ action: @escaping @Sendable (Download) -> Void) {
    handlers.withLock { $0.onProgress = action }
  }

  func started(_ download: Download) {}

  func progressed(_ download: Download) {
    handlers.withLock { $0.onProgress }(download)
    firstBytes.complete()
  }

  func ended(_ download: Download, _ report: Report) {}
}
