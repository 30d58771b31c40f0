// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture
import Synchronization

/// Downloads many files, so many at a time, into one folder.
public final class Fetcher: Sendable {
  /// The whole run.
  ///
  /// Every download is linked to it: cancel it and all are cancelled, those that wait included.
  private let run = Future(label: "fetch")
  private let folder: URL
  private let reporter: any Reporter
  private let turnstile: Turnstile
  /// Guards the names that are taken and the downloads so far.
  private let state: Mutex<(names: FileNames, downloads: [Download])>

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
    state = Mutex((FileNames(in: folder), []))
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
    download.future.onCleanUp(on: .queue(Network.queue)) { [reporter] in
      download.end()
      reporter.ended(download, Report(download))
    }
    if let stop = request.stop {
      download.future.cancel(after: stop, throwing: StopRequest(after: stop))
    }
    turnstile.enter(for: download.future).onComplete(on: .queue(Network.queue)) { [self] in start(download) }
    return download
  }

  /// Waits until each download has ended, one way or the other, and has tidied up; that ends the run.
  ///
  /// - Returns: How each ended, in the order in which they were added.
  public func reports() async -> [Report] {
    let downloads = state.withLock { $0.downloads }
    for download in downloads { _ = await download.future.handlersFinished }
    run.complete()
    return downloads.map(Report.init)
  }

  /// Starts a download whose turn it is, and sees to it that its place becomes free, whatever happens.
  private func start(_ download: Download) {
    // Whoever holds this owes an outcome: the transfer, until the network has nothing more to say about it; if there is
    // none, nobody from the end of this function on.
    let over = Future.makeCompleter(label: "\(download.name) is off the network")
    over.future.onCleanUp(on: .inline) { [turnstile] in turnstile.leave() }
    if let timeout = download.request.timeout { download.future.cancel(after: timeout) }
    do {
      // Cancelled before this: nothing starts. Cancelled at any time after, even in the middle of it: the task is
      // cancelled, once.
      try download.future.attach { () throws(DownloadError) in
        let transfer = try Transfer(download, over: over) { [reporter] in reporter.progressed(download) }
        download.begin()
        reporter.started(download)
        return transfer.start()
      } stop: { task in
        Network.cancel(task)
      }
    } catch {
      download.future.cancel(throwing: error)
    }
  }
}
