// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLSession {
  /// Creates a task for the transfer and starts it, unless its future or the parent has been cancelled.
  ///
  /// Resolving the future stops the task, unless it has ended.
  func start(
    _ transfer: some Transfer,
    for request: URLRequest,
    _ payload: @autoclosure () throws -> Payload,
    bodyLimit: Int64?,
    linkedTo parent: (any CancellableWork)?
  ) {
    parent?.cascadeCancellation(to: transfer)
    guard !transfer.isCancelled else { return }
    do {
      try checkDelegateQueue()
      let payload = try payload()
      var request = request
      try transfer.prepare(&request)
      makeRequest(request, payload, for: transfer, bodyLimit: bodyLimit)
    } catch {
      transfer.refuse(with: error)
    }
  }

  /// Creates a task for a transfer that has been prepared, and starts it; if the future is resolved, stops it.
  ///
  /// The future stays open until the task has ended. That begins before the check whether the future is pending: so code
  /// that resolves the future later finds it open.
  func makeRequest(
    _ request: URLRequest,
    _ payload: Payload,
    for transfer: some Transfer,
    bodyLimit: Int64?,
    redirects: Int = 0
  ) {
    let listener = TaskListener(transfer, payload, bodyLimit: bodyLimit, redirects: redirects)
    guard transfer.isPending else { return listener.taskHasEnded() }
    guard !isInvalidated else {
      listener.end(nil, URLError(.cancelled))
      return listener.taskHasEnded()
    }
    let task = startTask(for: request, payload, listener)
    // If the future has been resolved meanwhile, this is a late handler, and has run when the call returns.
    listener.keep(transfer.onCleanUp(on: .inline) { [self] in stop(task, listener) })
  }

  /// Throws if callbacks could overtake each other: the pieces of a body would be put together in any order.
  ///
  /// Every session that makes its queue itself makes a serial one.
  private func checkDelegateQueue() throws {
    let count = delegateQueue.maxConcurrentOperationCount
    guard count == 1 || self === URLSession.shared else {
      throw ConcurrentDelegateQueueError(maxConcurrentOperationCount: count)
    }
  }

  /// True if making a task would stop the program, and that can be known.
  private var isInvalidated: Bool {
    #if canImport(FoundationNetworking)
      // Private properties. Should they have other names one day, a test finds that. The call that ends the session only
      // queues the change: it comes before what is queued here.
      if let queue = Mirror(reflecting: self).descendant("workQueue") as? DispatchQueue {
        PacedQueue.unpaced { queue.sync {} }
      }
      return Mirror(reflecting: self).descendant("invalidated") as? Bool ?? false
    #else
      false
    #endif
  }

  #if canImport(FoundationNetworking)
    private func startTask(for request: URLRequest, _ payload: Payload, _ listener: TaskListener) -> URLSessionTask {
      // Both steps use queues that may be waiting for the running block.
      PacedQueue.unpaced {
        let task: URLSessionTask
        if let delegate = delegate as? TransferDelegate {
          task = makeTask(for: request, payload)
          delegate.add(listener, for: task, in: self)
        } else {
          task = makeTask(for: request, payload) { data, response, error in
            listener.end(request, data, response, error)
          }
        }
        // Here a task's own delegate is called for redirects and challenges only.
        task.delegate = listener
        listener.transfer.isMade(task, in: self)
        task.resume()
        return task
      }
    }
  #else
    private func startTask(for request: URLRequest, _ payload: Payload, _ listener: TaskListener) -> URLSessionTask {
      let task = makeTask(for: request, payload)
      task.delegate = listener
      listener.transfer.isMade(task, in: self)
      task.resume()
      return task
    }
  #endif

  private func makeTask(for request: URLRequest, _ payload: Payload) -> URLSessionTask {
    switch payload {
    case .ofRequest: dataTask(with: request)
    case .data(let data): uploadTask(with: request, from: data)
    case .file(let url, let length):
      #if canImport(FoundationNetworking)
        dataTask(with: request.sending(url, length: length, in: configuration))
      #else
        uploadTask(with: request, fromFile: url)
      #endif
    }
  }

  #if canImport(FoundationNetworking)
    private func makeTask(
      for request: URLRequest,
      _ payload: Payload,
      _ handler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionTask {
      switch payload {
      case .ofRequest: dataTask(with: request, completionHandler: handler)
      case .data(let data): uploadTask(with: request, from: data, completionHandler: handler)
      case .file(let url, let length):
        dataTask(
          with: request.sending(url, length: length, in: configuration),
          completionHandler: handler
        )
      }
    }

    /// Cancels a task, unless it has ended.
    ///
    /// `URLSessionTask.cancel()` that races with the end of its own task can trap ("a behaviour for a task that in not
    /// in the registry"). The end is reported on the delegate queue; there, in a serial queue, the two can't race. In a
    /// session with a cache they still can, while the cache is being queried.
    ///
    /// It waits for the queue of the session, but not on the delegate queue: that goes on taking pieces until no event
    /// of the network is being handled, and in the pause after that no other event makes the cancellation wait.
    func stop(_ task: URLSessionTask, _ listener: TaskListener) {
      let stop = { @Sendable [self] (pause: NetworkQueue.Pause?) in
        let stop = BlockOperation {
          guard listener.stops() else { return }
          PacedQueue.unpaced {
            task.cancel()
            // Goes through the task's own queue, in which the cancellation may still be queued.
            _ = task.priority
          }
          withExtendedLifetime(pause) {}
        }
        delegateQueue.addOperation(stop)
      }
      if let network = NetworkQueue(of: self) { network.pause(stop) } else { stop(nil) }
    }
  #else
    /// Cancels a task, unless it has ended.
    func stop(_ task: URLSessionTask, _ listener: TaskListener) {
      if listener.stops() { task.cancel() }
    }
  #endif
}
