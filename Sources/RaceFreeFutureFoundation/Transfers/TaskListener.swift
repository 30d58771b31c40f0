// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The delegate of one task: notifies its transfer, and lets only the first end count.
final class TaskListener: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    /// Set by the first end; later events are ignored.
    var isOver = false
    /// Set when the task has ended by itself, or is being cancelled: it needn't be stopped.
    var isStopped = false
    /// The response whose body arrives, the promised length, the bytes received, and those received before.
    var response: URLResponse?
    var promised: Int64?
    var received: Int64 = 0
    var skipped: Int64 = 0
    /// True if the transfer has checked that response.
    var isChecked = false
    var detour: Detour?
    /// The registration of the handler that stops the task if other code resolves the future.
    var stopper: Registration?
  }

  let transfer: any Transfer
  /// Keeps the future open until the task has ended; at the latest until the session has released this listener.
  private let activity: Activity
  let payload: Payload
  let bodyLimit: Int64?
  /// The number of tasks before this one, which were redirected and had to be replaced.
  let redirects: Int
  /// Guards the end of the task that counts, and the promises of its response, which are kept outside.
  private let state = Locked(State())

  init(_ transfer: any Transfer, _ payload: Payload, bodyLimit: Int64?, redirects: Int) {
    self.transfer = transfer
    self.payload = payload
    self.bodyLimit = bodyLimit
    self.redirects = redirects
    activity = transfer.beginActivity(ofLibrary: "request")
    super.init()
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if !isInterim(response) { attempt(session, dataTask) { try begin(with: response, to: dataTask.currentRequest) } }
    // Not `.cancel` if it threw: not every platform respects that.
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    attempt(session, dataTask) { try receive(data) }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    attempt(session, task) { transfer.send(totalBytesSent, of: payload.length ?? totalBytesExpectedToSend) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    stops()
    end(task.response, error)
    taskHasEnded()
  }

  /// Notes that the session has ended, and will report nothing any more.
  func sessionHasEnded(with error: (any Error)?) {
    stops()
    end(nil, error ?? URLError(.cancelled))
    taskHasEnded()
  }

  /// Notes that the task has ended, or is never made: the session no longer works for the transfer.
  func taskHasEnded() { activity.end() }

  /// True if events may still count.
  var isWanted: Bool { transfer.isPending && state.withLock { !$0.isOver } }

  /// True if the task has ended, or is being cancelled.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Returns true if the task is to be stopped: once, unless it has ended.
  @discardableResult
  func stops() -> Bool {
    state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
  }

  /// Keeps the registration of the handler that stops the task, as long as the task may have to be stopped.
  func keep(_ stopper: Registration) {
    let isOver = state.withLock { state in
      if !state.isOver { state.stopper = stopper }
      return state.isOver
    }
    if isOver { stopper.unregister() }
  }

  func begin(with response: URLResponse, to request: URLRequest?) throws {
    let length = try expectedLength(of: response, to: request)
    let old = state.withLock { state in
      defer {
        (state.response, state.promised, state.received, state.isChecked, state.skipped) = (
          response, length, 0, false, 0
        )
      }
      return state.response
    }
    _ = consume old
    let skipped = try transfer.begin(with: response, expecting: length)
    state.withLock { $0.skipped = skipped }
    guard !isPreliminary(response) else { return }
    // First, because a status is a better error than a wrong length.
    try check(response)
    guard let bodyLimit, let length, length > bodyLimit - skipped else { return }
    let (expected, isTooLarge) = skipped.addingReportingOverflow(length)
    throw BodyTooLongError(limit: bodyLimit, expected: isTooLarge ? .max : expected)
  }

  func receive(_ data: Data) throws {
    let received = state.withLock { state in
      state.received += Int64(data.count)
      return state.skipped + state.received
    }
    if let bodyLimit, received > bodyLimit { throw BodyTooLongError(limit: bodyLimit) }
    try transfer.receive(data)
  }

  private func check(_ response: URLResponse) throws {
    let isChecked = state.withLock { state in
      defer { state.isChecked = true }
      return state.isChecked
    }
    if !isChecked { try transfer.check(response) }
  }

  /// What a task does beside its first request: on Linux it can't do both.
  enum Detour {
    case redirect
    case password
  }

  /// Returns true if the task can do this, because it hasn't done the other.
  func takes(_ detour: Detour) -> Bool {
    state.withLock { state in
      if state.detour == nil { state.detour = detour }
      return state.detour == detour
    }
  }

  /// Leaves the transfer to another task; returns false if this one has ended before.
  func isReplaced() -> Bool {
    let (isOver, stopper) = state.withLock { state in
      defer { (state.isOver, state.stopper) = (true, nil) }
      return (state.isOver, state.stopper)
    }
    stopper?.unregister()
    return !isOver
  }

  /// Reports the end of the task, unless that was done before.
  func end(_ response: URLResponse?, _ error: (any Error)?) {
    let last: State? = state.withLock { state in
      defer { (state.isOver, state.stopper) = (true, nil) }
      return state.isOver ? nil : state
    }
    guard let last else { return }
    last.stopper?.unregister()
    do {
      if let error { throw clarified(error) }
      guard let response = last.response ?? response else { throw URLError(.badServerResponse) }
      try check(response)
      try checkLength(last.received, of: response, promised: last.promised)
      transfer.end(with: response)
    } catch {
      transfer.fail(with: error)
    }
  }

  /// Calls the transfer with a body that may throw; if it does, the task is stopped.
  private func attempt(_ session: URLSession, _ task: URLSessionTask, _ body: () throws -> Void) {
    guard isWanted else { return }
    do {
      try body()
    } catch {
      end(nil, error)
      session.stop(task, self)
    }
  }
}

#if !canImport(FoundationNetworking)
  extension TaskListener {
    /// True if another response may follow, which is the one that counts.
    func isPreliminary(_ response: URLResponse) -> Bool { false }

    /// Returns the error that the user gets for an error of a session.
    func clarified(_ error: any Error) -> any Error { error }

    /// Handles a redirect; the session's own delegate may object.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let request = request.redirected(from: response.url, by: session.configuration)
      let answer: Void? = (session.delegate as? any URLSessionTaskDelegate)?.urlSession?(
        session,
        task: task,
        willPerformHTTPRedirection: response,
        newRequest: request,
        completionHandler: completionHandler
      )
      if answer == nil { completionHandler(request) }
    }
  }
#endif
