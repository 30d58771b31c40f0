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

/// The one session of the process: on Linux it isn't safe to let go of a session that has spoken TLS.
private let session: URLSession = {
  let configuration = URLSessionConfiguration.ephemeral
  // A downloader has no use for a cache.
  configuration.urlCache = nil
  // How many run at a time is for the turnstile to say.
  configuration.httpMaximumConnectionsPerHost = 1000
  return .withTransferDelegate(configuration: configuration)
}()

/// Downloads many files, so many at a time, into one folder.
public final class Fetcher: Sendable {
  /// The whole run.
  ///
  /// Every download is linked to it: cancel it and all are cancelled, those that wait included.
  private let run = Future(label: "fetch")
  private let folder: URL
  private let reporter: any Reporter
  private let turnstile: Turnstile
  /// Where the reporter is told of starts and ends, one thing at a time.
  private let queue = DispatchQueue(label: "fetcher")
  /// Guards the names that are taken, the downloads and the transfers so far.
  private let state: Mutex<(names: FileNames, downloads: [Download], transfers: [CancelToken])>

  /// Makes a fetcher.
  ///
  /// - Parameters:
  ///   - folder: Where the files go. It exists.
  ///   - jobs: How many downloads run at the same time at most.
  ///   - reporter: Who is told how it goes.
  public init(into folder: URL, jobs: Int, reporter: any Reporter) {
    self.folder = folder
    self.reporter = reporter
    turnstile = Turnstile(width: jobs)
    state = Mutex((FileNames(in: folder), [], []))
  }

  /// Cancels everything.
  public var cancelToken: CancelToken { run.cancelToken }

  /// Puts a download in line.
  ///
  /// Cancelled there, it never starts.
  ///
  /// - Parameter request: What to download.
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

  /// Waits until each download has ended, one way or the other, and has tidied up; that ends the run.
  ///
  /// - Returns: How each ended, in the order in which they were added.
  public func reports() async -> [Report] {
    let downloads = state.withLock { $0.downloads }
    for download in downloads { _ = await download.handlersFinished }
    // What has been stopped may still be tidying up.
    for transfer in state.withLock({ $0.transfers }) { _ = await transfer.handlersFinished }
    run.complete()
    return downloads.map(Report.init)
  }

  /// Starts a download whose turn it is, and sees to it that its place becomes free, whatever happens.
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
        // Somebody has cancelled when the file was there already.
        if !download.future.tryComplete() { try? FileManager.default.removeItem(at: download.file) }
      case .failure(let error):
        download.cancel(throwing: DownloadError(error, of: download))
      }
    }
    transfer.onCancel(on: .inline) { reason in download.cancel(throwing: reason) }
    transfer.onCleanUp(on: .inline) { [turnstile] in turnstile.leave() }
  }
}
