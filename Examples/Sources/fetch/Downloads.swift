// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Downloads files, a limited number at a time, into one folder.
struct Downloads: Sendable {
  /// What became of a download, for people.
  struct Report: CustomStringConvertible {
    let name: String
    let result: Result<Int, any Error>

    var hasSucceeded: Bool { (try? result.get()) != nil }

    var description: String {
      switch result {
      case .success(let bytes): "\(name): \(bytes) bytes"
      case .failure(let error): "\(name): \(error)"
      }
    }
  }

  private let folder: URL
  private let timeout: Duration?
  private let session = URLSession.withTransferDelegate(configuration: .ephemeral)

  init(into folder: URL, timeout: Duration?) {
    self.folder = folder
    self.timeout = timeout
  }

  /// Returns when each download has ended and left a whole file or none; one that waits for its turn never begins once
  /// the work is cancelled.
  func all(_ urls: [URL], jobs: Int, until stop: CancelToken) async -> [Report] {
    await withTaskGroup(of: (Int, Report).self) { group in
      var reports = [Report?](repeating: nil, count: urls.count)
      for (number, url) in urls.enumerated() {
        if number >= jobs, let (index, report) = await group.next() { reports[index] = report }
        group.addTask { (number, await one(url, until: stop)) }
      }
      for await (index, report) in group { reports[index] = report }
      return reports.compactMap { $0 }
    }
  }

  private func one(_ url: URL, until stop: CancelToken) async -> Report {
    let name = url.lastPathComponent
    let file = folder.appendingPathComponent(name)
    // Cancelled before this: no request is made. Cancelled later: the request is stopped, and its part of a file goes.
    let download = session.downloadFuture(
      from: url,
      to: file,
      linkedTo: stop,
      checkResponse: { try $0.checkStatus(in: 200..<300) }
    )
    if let timeout { download.cancel(after: timeout) }
    do {
      _ = try await download.value
      return Report(name: name, result: .success(try Data(contentsOf: file, options: .alwaysMapped).count))
    } catch {
      _ = await download.handlersFinished
      return Report(name: name, result: .failure(error))
    }
  }
}
