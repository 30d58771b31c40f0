// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
public import Foundation
public import RaceFreeFuture
import RaceFreeFutureFoundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The one session of the process: on Linux it isn't safe to release a session that has used TLS.
private let session: URLSession = {
  let configuration = URLSessionConfiguration.ephemeral
  // A downloader doesn't need a cache.
  configuration.urlCache = nil
  // The turnstile limits the number of simultaneous requests.
  configuration.httpMaximumConnectionsPerHost = 1000
  return .withTransferDelegate(configuration: configuration)
}()

/// Downloads many files, a limited number at a time, into one folder.
public final class Fetcher: Sendable {
  /// The whole run.
  ///
  /// Every download is linked to it: cancel it and all are cancelled, including those that wait.
  private let run = Future(label: "fetch")
  private let folder: URL
  private let reporter: any Reporter
  private let turnstile: Turnstile
  /// The queue on which the reporter is notified of starts and ends, one at a time.
  private let queue = DispatchQueue(label: "fetcher")
  /// Guards the used names, the downloads and the transfers so far.
  private let state: Mutex<(names: FileNames, downloads: [Download], transfers: [CancelToken])>

  /// Makes a fetcher.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files. It has to exist.
  ///   - jobs: The maximum number of downloads that run at the same time.
  ///   - reporter: The reporter of the progress.
  public init(into folder: URL, jobs: Int, reporter: any Reporter) {
    self.folder = folder
    self.reporter = reporter
    turnstile = Turnstile(width: jobs)
    state = Mutex((FileNames(in: folder), [], []))
  }

  /// Cancels everything.
  public var cancelToken: CancelToken { run.cancelToken }

  /// Queues a download.
  ///
  /// Cancelled while queued, it never starts.
  ///
  /// - Parameter request: The download to make.
  /// - Returns: The download, which may have started already.
  @discardableResult
  public func add(_ request: DownloadRequest) -> Download {
    let download = state.withLock { state in
      let download = Download(request, name: state.names.next(for: request.url), in: folder, within: run)
      state.downloads.append(download)
      return download
    }
    download.onCleanUp(on: queue) { [reporter] in
      download.end()
      reporter.ended(download, Report(download))
    }
    if let stop = request.stop {
      download.cancel(after: stop, throwing: StopRequest(after: stop))
    }
    turnstile.enter(for: download).onComplete(on: queue) { [self] in start(download) }
    return download
  }

  /// Waits until each download has ended, with any outcome, and has cleaned up; that ends the run.
  ///
  /// - Returns: Their reports, in the order in which they were added.
  public func reports() async -> [Report] {
    let downloads = state.withLock { $0.downloads }
    for download in downloads { _ = await download.handlersFinished }
    // Stopped transfers may still be cleaning up.
    for transfer in state.withLock({ $0.transfers }) { _ = await transfer.handlersFinished }
    run.complete()
    return downloads.map(Report.init)
  }

  /// Starts a download whose turn it is, and makes sure that its place becomes free in any case.
  private func start(_ download: Download) {
    if let timeout = download.request.timeout { download.cancel(after: timeout) }
    var request = URLRequest(url: download.request.url)
    // The bytes as they are, so that their number is the one that the server promises.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    // Cancelled before this: no request is made. Cancelled at any time after: the request is stopped.
    let transfer = session.downloadFuture(
      for: request,
      to: download.file,
      linkedTo: download.cancelToken,
      onProgress: { [reporter] completed, total in
        download.receive(completed, of: total)
        reporter.progressed(download)
      },
      checkResponse: { response in
        guard let status = (response as? HTTPURLResponse)?.statusCode, !(200..<300).contains(status) else { return }
        throw DownloadError.status(status)
      }
    )
    if transfer.isPending {
      download.begin()
      reporter.started(download)
    }
    state.withLock { $0.transfers.append(transfer.cancelToken) }
    transfer.onResult(on: .inline) { result in
      switch result {
      case .success:
        // It was cancelled when the file existed already.
        if !download.future.tryComplete() { try? FileManager.default.removeItem(at: download.file) }
      case .failure(let error):
        download.cancel(throwing: DownloadError(error, of: download))
      }
    }
    transfer.onCancel(on: .inline) { reason in download.cancel(throwing: reason) }
    transfer.onCleanUp(on: .inline) { [turnstile] in turnstile.leave() }
  }
}
