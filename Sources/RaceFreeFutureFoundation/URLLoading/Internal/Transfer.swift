// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What becomes of what one task brings.
///
/// The calls come on the session's delegate queue, which is serial unless the user says otherwise.
protocol Transfer: Sendable {
  var future: Future { get }
  /// The task is about to be made.
  func prepare() throws
  /// The head of the response has come; throwing gives up.
  func begin(with response: URLResponse) throws
  /// A piece of the body has come; throwing gives up.
  func receive(_ data: Data) throws
  /// So much has been sent.
  func send(_ completed: Int64, of total: Int64)
  /// Nothing more will come.
  func end(with response: URLResponse)
  /// Nothing more will come, and what has come is of no use.
  func fail(with error: any Error)
}

/// What a task sends.
enum Payload {
  case ofRequest
  case data(Data)
  case file(URL)

  /// Throws if it is a file that can't be read: on Linux a task would stop the program, or send nothing.
  func check() throws {
    guard case .file(let url) = self else { return }
    try FileHandle(forReadingFrom: url).close()
  }

  /// How much that is, if anything is sent.
  var length: Int64? {
    switch self {
    case .ofRequest: nil
    case .data(let data): Int64(data.count)
    case .file(let url): (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize.map(Int64.init)
    }
  }
}

extension URLSession {
  /// Makes a task for the transfer and starts it, unless its future or the parent has been cancelled.
  func start(_ transfer: some Transfer, for request: URLRequest, _ payload: Payload, linkedTo parent: CancelToken?) {
    let future = transfer.future
    parent?.cascadeCancellation(to: future.cancelToken)
    do {
      // Cancelled before this: nothing starts. Cancelled at any time after, even in the middle of it: the task is
      // cancelled, once.
      try future.attach {
        try payload.check()
        try transfer.prepare()
        let task = makeTask(for: request, payload, TaskListener(transfer))
        task.resume()
        return task
      } stop: { [self] task in
        stop(task)
      }
    } catch {
      transfer.fail(with: error)
    }
  }

  #if canImport(FoundationNetworking)
    private func makeTask(for request: URLRequest, _ payload: Payload, _ listener: TaskListener) -> URLSessionTask {
      if let delegate = delegate as? TransferDelegate {
        let task =
          switch payload {
          case .ofRequest: dataTask(with: request)
          case .data(let data): uploadTask(with: request, from: data)
          case .file(let url): uploadTask(with: request, fromFile: url)
          }
        delegate.add(listener, for: task)
        task.delegate = listener
        return task
      }
      let sent = payload.length
      let handler = { @Sendable (data: Data?, response: URLResponse?, error: (any Error)?) in
        listener.end(sent: sent, data, response, error)
      }
      let task =
        switch payload {
        case .ofRequest: dataTask(with: request, completionHandler: handler)
        case .data(let data): uploadTask(with: request, from: data, completionHandler: handler)
        case .file(let url): uploadTask(with: request, fromFile: url, completionHandler: handler)
        }
      // Here a task's own delegate is told of challenges, and of nothing else.
      task.delegate = listener
      return task
    }

    /// Cancels a task, whatever its state is.
    ///
    /// `URLSessionTask.cancel()` that meets the end of its own task can trap ("a behaviour for a task that in not in the
    /// registry"). The end is told on the delegate queue; there, in a serial queue, the two can't meet. In a session with
    /// a cache they still can, while the cache is being asked.
    func stop(_ task: URLSessionTask) {
      delegateQueue.addOperation { task.cancel() }
    }
  #else
    private func makeTask(for request: URLRequest, _ payload: Payload, _ listener: TaskListener) -> URLSessionTask {
      let task: URLSessionTask =
        switch payload {
        case .ofRequest: dataTask(with: request)
        case .data(let data): uploadTask(with: request, from: data)
        case .file(let url): uploadTask(with: request, fromFile: url)
        }
      task.delegate = listener
      return task
    }

    /// Cancels a task, whatever its state is.
    func stop(_ task: URLSessionTask) { task.cancel() }
  #endif
}

extension ValueFuture {
  /// Ends it with what a session, a file or a user's check had to say.
  func end(with error: any Error) {
    if error is CancellationError || (error as? URLError)?.code == .cancelled {
      cancel(throwing: error)
    } else {
      complete(throwing: error)
    }
  }
}
