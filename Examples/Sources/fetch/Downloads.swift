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
  private let keepsParts: Bool
  private let session = URLSession.withTransferDelegate(configuration: .ephemeral)

  init(into folder: URL, timeout: Duration?, keepingParts keepsParts: Bool) {
    self.folder = folder
    self.timeout = timeout
    self.keepsParts = keepsParts
  }

  /// Returns when each download has ended and left a whole file or none; one that waits for its turn never begins once
  /// the work is cancelled.
  func all(_ urls: [URL], jobs: Int, until stop: CancelToken) async -> [Report] {
    let downloads = Scope(limit: jobs, label: "downloads")
    stop.cascadeCancellation(to: downloads)
    let all = urls.map { url in
      let file = folder.appendingPathComponent(url.lastPathComponent)
      return downloads.start { start(url, to: file) }
        .map { _ in try Data(contentsOf: file, options: .alwaysMapped).count }
    }
    await downloads.drain()
    // All are settled by now.
    let results = (try? await ValueFuture.allSettled(all).value) ?? []
    return zip(urls, results).map { Report(name: $0.lastPathComponent, result: $1) }
  }

  /// Cancelled, the request is stopped, and its part of a file goes, or stays for the next run.
  private func start(_ url: URL, to file: URL) -> ValueFuture<URLResponse> {
    let download = session.downloadFuture(
      from: url,
      to: file,
      checkResponse: { try $0.checkStatus() },
      keepingPart: keepsParts
    )
    if let timeout { download.cancel(after: timeout) }
    return download
  }
}
