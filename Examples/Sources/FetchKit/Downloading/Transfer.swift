// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the network does for one download, and the file that it fills: made when it starts.
///
/// The network may report an end before, after or while somebody cancels. All of them meet in the download's future,
/// and the first one wins. What is told to a transfer is told on the network's queue, one thing after the other.
final class Transfer: Sendable {
  private let download: Download
  private let partial: PartialFile
  private let onProgress: @Sendable () -> Void
  /// Owed: resolved when the network has nothing more to say, or dropped.
  private let over: Future.Completer

  /// Creates the partial file.
  init(_ download: Download, over: Future.Completer, onProgress: @escaping @Sendable () -> Void) throws(DownloadError) {
    self.download = download
    self.over = over
    self.onProgress = onProgress
    partial = try PartialFile(for: download.file)
  }

  /// Starts the request.
  func start() -> URLSessionDataTask {
    // Behind a write that is under way, because that is on the same queue; after this nothing is written.
    download.future.onCancel(on: .queue(Network.queue)) { [partial] in partial.discard() }
    var request = URLRequest(url: download.request.url)
    // The bytes as they are, so that their number is the one that the server promises.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    return Network.start(request, for: self)
  }

  /// The header has come.
  func begin(with response: URLResponse) {
    let http = response as? HTTPURLResponse
    if let status = http?.statusCode, !(200..<300).contains(status) {
      download.future.cancel(throwing: DownloadError.status(status))
    }
    // A server that compresses all the same says how long the compressed body is.
    let isAsItIs = [nil, "identity"].contains(http?.value(forHTTPHeaderField: "Content-Encoding"))
    let length = response.expectedContentLength
    download.expect(isAsItIs && length >= 0 ? Int(length) : nil)
  }

  /// A piece of the body has come.
  func receive(_ data: Data) {
    guard download.future.isPending else { return }
    do {
      try partial.write(data)
      download.receive(data.count)
      onProgress()
    } catch {
      download.future.cancel(throwing: error)
    }
  }

  /// Nothing more will come.
  func end(with error: (any Error)?) {
    if let failure = failure(error) {
      // Without effect if somebody has cancelled before, or the status was no good.
      download.future.cancel(throwing: failure)
    } else {
      finish()
    }
    over.complete()
  }

  /// Makes the file appear and completes the future, both or neither: nobody can cancel in between.
  private func finish() {
    partial.close()
    download.future.perform { [download, partial] state in
      guard state.isPending else { return }
      do {
        try partial.keep(as: download.file)
        state.complete()
      } catch {
        state.cancel(throwing: error)
      }
    }
  }

  /// Why the transfer failed; nil if it didn't.
  private func failure(_ error: (any Error)?) -> DownloadError? {
    let progress = download.progress
    if let expected = progress.expected, progress.received < expected, progress.received > 0 || error == nil {
      return .incomplete(received: progress.received, expected: expected)
    }
    guard let error else { return nil }
    let host = download.request.url.host ?? "the server"
    let port = download.request.url.port.map { ":\($0)" } ?? ""
    return switch (error as? URLError)?.code {
    case .cannotFindHost: .network("cannot find the host \(host)")
    case .cannotConnectToHost: .network("cannot connect to \(host)\(port)")
    default: .network(error.localizedDescription)
    }
  }
}
