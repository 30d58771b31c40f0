// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Loopback
import RaceFreeFuture
import RaceFreeFutureFoundation

/// The command `fetch`.
@main
struct Fetch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Downloads files, a few at a time, and stops cleanly at any moment.",
    discussion: """
      Without URLs it downloads five files from a slow server inside this process, into a temporary folder; one of them, \
      glacier, is meant to take too long. A file appears when it is complete. An existing one is not replaced.

      EXIT STATUS: 0 if all was downloaded (without URLs in any case), 1 if not, 64 for invalid arguments, 130 \
      after Ctrl-C
      """
  )

  @Argument(help: "The http and https URLs to download.", transform: Self.url)
  var urls: [URL] = []

  @Option(name: .shortAndLong, help: "The folder for the files. (default: .)")
  var output: String?

  @Option(name: .shortAndLong, help: "The maximum number of downloads at a time.")
  var jobs = 2

  @Option(name: .shortAndLong, help: "The number of seconds that each download may take.")
  var timeout: Double?

  @Flag(name: .shortAndLong, help: "Keep what has arrived of a file, and continue it in the next run.")
  var keepParts = false

  func validate() throws {
    guard jobs >= 1 else { throw ValidationError("--jobs is at least 1") }
    guard output == nil || !urls.isEmpty else { throw ValidationError("--output needs URLs") }
    guard (0.001...31_536_000).contains(timeout ?? 1) else { throw ValidationError("--timeout is 0.001 to a year") }
  }

  func run() async throws {
    let isDemonstration = urls.isEmpty
    let server = isDemonstration ? try await Demonstration.start() : nil
    let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("fetch-\(UUID().uuidString)")
    let folder = isDemonstration ? temporary : URL(fileURLWithPath: output ?? ".")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Nobody else knows of this one.
    defer { if isDemonstration { try? FileManager.default.removeItem(at: folder) } }

    // Every download is linked to it: Ctrl-C stops them all.
    let run = Future(label: "fetch")
    run.cancel(on: [.interrupt])
    let downloads = Downloads(
      into: folder,
      timeout: timeout.map { .seconds($0) } ?? (isDemonstration ? .seconds(2) : nil),
      keepingParts: keepParts
    )
    let all = server.map { Demonstration.urls(of: $0) } ?? urls
    let note = isDemonstration ? "; glacier is meant to take too long" : ""
    FileHandle.standardOutput.write(Data("downloading \(all.count) files to \(folder.path)\(note)\n".utf8))
    let reports = await downloads.all(all, jobs: jobs, until: run.cancelToken)
    await server?.stop()
    let succeeded = reports.count(where: \.hasSucceeded)
    if run.isCancelled {
      let rest = keepParts ? "the parts of others are kept" : "no part of another is left"
      print("stopped: \(succeeded) of \(reports.count) files were downloaded, and \(rest)")
      throw ExitCode(130)
    }
    for report in reports { print(report) }
    // The demonstration's timeout is meant.
    if !isDemonstration, succeeded < reports.count { throw ExitCode.failure }
  }

  @Sendable private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil else {
      throw ValidationError("'\(text)' is not an http or https URL")
    }
    return url
  }
}
