// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A session's delegate that passes on each piece of a body as it arrives: on Linux it is required for progress
/// reports, and for downloads that are written to disk piece by piece.
///
/// ```swift
/// let session = URLSession.withTransferDelegate()
/// let download = session.downloadFuture(from: url, to: file) { completed, total in … }
/// ```
///
/// On Apple platforms a task has a delegate of its own for this, and any session works. On Linux the pieces are
/// delivered to the session's delegate alone. In a session with any other delegate, or none, everything works as well,
/// but the whole body is kept in memory until it is complete, also that of a download, and progress is reported once,
/// then.
///
/// A session keeps its delegate while it has tasks; it may serve one session or several. Tasks that weren't made by
/// `dataFuture` and similar methods are ignored. Thread-safe; it is called on the delegate queue of its session.
public final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
  /// Guards the futures that are cancelled when their session ends, for downloads that wait for their next task.
  private let ends = Locked<[ObjectIdentifier: Future]>([:])
  /// Guards the listeners of the tasks that are under way; they are called outside.
  private let listeners = Locked<[ObjectIdentifier: Entry]>([:])

  private struct Entry {
    let listener: TaskListener
    let session: ObjectIdentifier
  }

  /// Creates a delegate without tasks.
  public override init() { super.init() }

  /// Cancels work when a session of this delegate ends.
  func cascadeEnd(of session: URLSession, to work: some CancellableWork) {
    let new = Future(label: "the end of a session")
    let end = ends.withLock { ends in
      let end = ends[ObjectIdentifier(session)] ?? new
      ends[ObjectIdentifier(session)] = end
      return end
    }
    end.cascadeCancellation(to: work)
  }

  /// Receives the end of a session, which may forget to report the end of tasks that were cancelled with it.
  ///
  /// The futures of such tasks are cancelled, and those of downloads that wait for their next request.
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    #if canImport(FoundationNetworking)
      let left = listeners.withLock { listeners in
        let left = listeners.filter { $0.value.session == ObjectIdentifier(session) }
        for key in left.keys { listeners[key] = nil }
        return left.values
      }
      for entry in left { entry.listener.sessionHasEnded(with: error) }
    #endif
    let end = ends.withLock { $0.removeValue(forKey: ObjectIdentifier(session)) }
    end?.cancel(throwing: error ?? URLError(.cancelled))
  }
}

extension URLSession {
  /// Creates a session with a ``TransferDelegate`` and a delegate queue of its own.
  ///
  /// Keep one session for as long as the program runs, rather than one for each request.
  ///
  /// Its delegate queue slows the network down when writing lags behind, so a fast server fills a few megabytes of memory
  /// at most. (With a serial delegate queue of your own, all that has arrived and isn't written yet is kept.) On Linux,
  /// where Foundation reads for all sessions on one thread, others may wait meanwhile if the body is decompressed or comes
  /// in small chunks, for at most a second.
  ///
  /// On Linux the session has no cache, regardless of the configuration: there, cancelling a task of a session with a
  /// cache can stop the program.
  ///
  /// - Parameter configuration: The configuration, which is copied.
  /// - Returns: The session.
  public static func withTransferDelegate(configuration: URLSessionConfiguration = .default) -> URLSession {
    #if canImport(FoundationNetworking)
      // Documented to return a configuration. See `URLSession.stop` for the cache.
      let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
      configuration.urlCache = nil
      let queue = PacedQueue()
      let session = URLSession(configuration: configuration, delegate: TransferDelegate(), delegateQueue: queue)
      queue.pace(NetworkQueue(of: session))
      return session
    #else
      return URLSession(configuration: configuration, delegate: TransferDelegate(), delegateQueue: nil)
    #endif
  }
}

#if canImport(FoundationNetworking)
  extension TransferDelegate {
    func add(_ listener: TaskListener, for task: URLSessionTask, in session: URLSession) {
      let entry = Entry(listener: listener, session: ObjectIdentifier(session))
      listeners.release { $0.updateValue(entry, forKey: ObjectIdentifier(task)) }
    }

    private func listener(for task: URLSessionTask) -> TaskListener? {
      listeners.withLock { $0[ObjectIdentifier(task)]?.listener }
    }

    /// Receives the head of a response.
    public func urlSession(
      _ session: URLSession,
      dataTask: URLSessionDataTask,
      didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      guard let listener = listener(for: dataTask) else { return completionHandler(.allow) }
      listener.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    /// Receives a piece of a body.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      listener(for: dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    /// Receives the number of bytes that have been sent.
    public func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      listener(for: task)?.urlSession(
        session,
        task: task,
        didSendBodyData: bytesSent,
        totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend
      )
    }

    /// Receives the end of a task.
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let entry = listeners.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
      entry?.listener.urlSession(session, task: task, didCompleteWithError: error)
    }
  }
#endif
