// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import Dispatch
import Foundation
import RaceFreeFuture

extension FetchCommand {
  /// Downloads, prints the table, and throws the exit status if it isn't 0.
  public func run() async throws {
    let folder = try preparedFolder()
    // Nobody knows of the folder that the demonstration has made.
    defer { if isTemporary { try? FileManager.default.removeItem(at: folder) } }
    let showsBars = Terminal.canRedraw && !plain
    let reporter: any Reporter =
      showsBars
      ? ProgressBars(.standardError, size: { Terminal.size })
      : PlainLines(.standardError, width: { Terminal.lineWidth })
    let fetcher = Fetcher(into: folder, jobs: jobs, reporter: reporter)
    let interruptions = await Interruptions(cancelling: fetcher.cancelToken) {
      if showsBars { Output.standardError.write(ProgressBars.showCursor) }
    }
    defer { interruptions.end() }
    let timeout = timeout.map { Duration.seconds($0) }
    var demonstration: Demonstration?
    if urls.isEmpty {
      demonstration = try await .start(timeout: timeout)
      Output.standardOutput.write(demonstration?.introduction(jobs: jobs, folder: folder, columns: Console.width) ?? "")
    }
    let requests = try demonstration?.requests ?? parsedURLs().map { DownloadRequest($0, timeout: timeout) }
    if let cancelAfter {
      let stop = Duration.seconds(cancelAfter)
      fetcher.cancelToken.cancel(after: stop, throwing: StopRequest(after: stop))
    }
    for request in requests { fetcher.add(request) }
    let reports = await fetcher.reports()
    Output.standardOutput.write("\n\(Table(reports).fitted(to: Console.width))")
    await demonstration?.server.stop()
    if reports.exitStatus != 0 { throw ExitCode(reports.exitStatus) }
  }

  /// True if the files go to a folder that is gone in the end.
  private var isTemporary: Bool { folder == nil && urls.isEmpty }

  /// Makes sure that files can be made in the folder, so that a mistake in its name is reported once and immediately.
  private func preparedFolder() throws -> URL {
    let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(
      "fetch-\(UUID().uuidString.prefix(8))"
    )
    let url = folder.map { URL(fileURLWithPath: $0) } ?? (isTemporary ? temporary : URL(fileURLWithPath: "."))
    do {
      try inWords { () throws in try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
      try inWords { () throws in
        let test = url.appendingPathComponent(".\(UUID().uuidString)")
        try Data().write(to: test, options: .withoutOverwriting)
        try FileManager.default.removeItem(at: test)
      }
    } catch {
      throw ValidationError("\(url.path): \(error)")
    }
    return url
  }
}
