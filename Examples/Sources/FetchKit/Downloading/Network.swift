// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The one `URLSession` of the process, and the queue on which it tells what has happened, one thing at a time.
///
/// They live for ever: an operation queue doesn't keep its underlying queue alive, and on Linux it isn't safe to let go
/// of a session that has spoken TLS.
enum Network {
  /// The queue as Dispatch sees it.
  static let queue = DispatchQueue(label: "network")

  private static let router = Router()
  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    // A downloader has no use for a cache; for what more see `cancel`.
    configuration.urlCache = nil
    // How many run at a time is for the turnstile to say.
    configuration.httpMaximumConnectionsPerHost = 1000
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    unsafe operations.underlyingQueue = queue
    return URLSession(configuration: configuration, delegate: router, delegateQueue: operations)
  }()

  /// Starts a request; the transfer is told what comes of it.
  static func start(_ request: URLRequest, for transfer: Transfer) -> URLSessionDataTask {
    let task = session.dataTask(with: request)
    router.add(transfer, for: task)
    task.resume()
    return task
  }

  /// Cancels a task, whatever its state is.
  ///
  /// On Linux, `URLSessionTask.cancel()` that meets the end of its task can trap: "a behaviour for a task that in not in
  /// the registry". On the queue of the delegate, and in a session without a cache, it can't meet it.
  static func cancel(_ task: URLSessionTask) {
    queue.async { task.cancel() }
  }
}

/// Passes on what the session says about a task to the transfer that it belongs to.
private final class Router: NSObject, URLSessionDataDelegate {
  /// Guards the transfers under way, by task.
  private let transfers = Mutex<[Int: Transfer]>([:])

  func add(_ transfer: Transfer, for task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  private func transfer(for task: URLSessionTask) -> Transfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    transfer(for: dataTask)?.begin(with: response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(for: dataTask)?.receive(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(with: error)
  }
}
