// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Console
import Dispatch
import Foundation

/// The demonstration of `fetch` without URLs: a server of its own, with files that show each way to end.
struct Demonstration {
  let server: LoopbackServer
  let requests: [DownloadRequest]

  /// Starts the server.
  ///
  /// - Parameter timeout: The time limit that the user gave to all downloads, if any.
  /// - Returns: The demonstration, ready to be run.
  /// - Throws: An error of the network.
  static func start(timeout: Duration?) async throws -> Demonstration {
    let files: [(name: String, bytes: Int, seconds: Double)] = [
      ("meadow.bin", 600_000, 1.2),
      ("river.bin", 900_000, 1.8),
      ("glacier.bin", 3_000_000, 6),
      ("desert.bin", 3_000_000, 6),
      ("harbour.bin", 450_000, 0.9),
    ]
    var pages: [String: Page] = [:]
    for (number, file) in files.enumerated() {
      pages["/" + file.name] = Page(.generated(file.bytes, seed: UInt64(number)), lasting: .seconds(file.seconds))
    }
    let server = try await LoopbackServer.start(pages)
    let requests = files.map { file in
      var request = DownloadRequest(server.url.appendingPathComponent(file.name), timeout: timeout)
      if file.name == "glacier.bin", timeout == nil {
        request.timeout = .seconds(1)
        request.isTimeoutAskedFor = true
      }
      if file.name == "desert.bin" { request.stop = .seconds(2.8) }
      return request
    }
    return Demonstration(server: server, requests: requests)
  }

  /// Returns an introduction for newcomers.
  func introduction(jobs: Int, folder: URL, columns: Int) -> String {
    let limit = requests[2].timeout?.words ?? "none"
    let what =
      "No URLs were given, so this is a demonstration: five files, \(jobs) at a time, from a slow server inside this "
      + "process."
    let files = [
      "  glacier.bin  takes 6 s, but has a time limit of \(limit)",
      "  desert.bin   takes 6 s, but is stopped by hand, 2.8 s after the start",
      "  the others   take a second or two",
    ]
    let indentation = String(repeating: " ", count: 15)
    return """
      \(what.wrapped(to: min(columns, 80)))

      \(files.map { $0.wrapped(to: columns, indentation: indentation) }.joined(separator: "\n"))

      Ctrl-C stops everything.
      from  \(server.url.absoluteString)
      to    \(folder.path)


      """
  }
}
