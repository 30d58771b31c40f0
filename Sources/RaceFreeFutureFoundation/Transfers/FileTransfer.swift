// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Foundation
internal import RaceFreeFuture

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Writes a body to a file.
///
/// The file is kept or discarded as part of resolving the future, in its turn: if other code resolves it, the file is
/// discarded.
///
/// A request that fails may be followed by another one for the rest:
/// 1. The contents of the file are the beginning of the body of `first`, whichever request brought them.
/// 2. They stay unchanged until a byte arrives that doesn't belong to them.
/// A part that an earlier download has left is such contents, whose `first` isn't known any more.
final class FileTransfer: Transfer {
  private struct State {
    var received: Int64 = 0
    var expected: Int64?
    /// The response with the body that is in the file, and the means to request its rest.
    var first: URLResponse?
    var resumption: Resumption?
    /// The part that the current response brings; nil if it is the whole body.
    var part: ContentRange?
    /// The number of bytes that the current request left out, and true if they are still in the file.
    var skipped: Int64 = 0
    var isIntact = true
    /// The response whose body replaces the contents of the file when it arrives.
    var next: (response: URLResponse, expected: Int64?)?
    /// True if the current request has received a response.
    var hasBegun = false
    var failures = 0
  }

  private let result: ValueFuture<URLResponse>
  private let file: PartialFile
  private let checkResponse: (@Sendable (URLResponse) throws -> Void)?
  private let progress: Progressing
  private let restarting: Restarting?
  /// Guards what is in the file, and how its rest can be asked for.
  private let state = Locked(State())

  /// The rules for repeating a request.
  struct Restarting: Sendable {
    var request: URLRequest
    /// Returns the delay before the next request, or nil.
    var delay: (@Sendable (any Error, Int) -> Duration?)?
    var start: @Sendable (FileTransfer, URLRequest) -> Void
  }

  init(
    _ result: ValueFuture<URLResponse>,
    _ file: PartialFile,
    _ checkResponse: (@Sendable (URLResponse) throws -> Void)?,
    _ progress: Progressing,
    _ restarting: Restarting?
  ) {
    self.result = result
    self.file = file
    self.checkResponse = checkResponse
    self.progress = progress
    self.restarting = restarting
  }

  var cancelToken: CancelToken { result.cancelToken }

  func prepare(_ request: inout URLRequest) throws {
    if let (body, count) = try file.create() { resume(from: body, count, &request) }
    // On the private queue, because it waits for a write that is under way. After this transfer has resolved the
    // future, it finds nothing to do.
    result.onCleanUp { [file] in file.discard() }
  }

  /// Has the request ask for the rest of the body of which there is a part.
  private func resume(from text: Data, _ count: Int64, _ request: inout URLRequest) {
    guard let body = try? JSONDecoder().decode(ResumableBody.self, from: text) else { return }
    guard count <= body.length ?? .max else { return }
    // Of a whole one the last byte is asked for: no byte would be an error.
    let count = min(count, (body.length ?? .max) - 1)
    guard let rest = body.resumption.request(request, after: count) else { return }
    request = rest
    state.withLock { state in
      (state.resumption, state.expected, state.received, state.skipped) = (body.resumption, body.length, count, count)
    }
  }

  func begin(with response: URLResponse, expecting length: Int64?) throws -> Int64 {
    let skipped = state.withLock { $0.skipped }
    let status = (response as? HTTPURLResponse)?.statusCode
    guard skipped > 0, status == 206 || status == 416 else {
      let old = state.withLock { state in
        defer { (state.next, state.part, state.hasBegun) = ((response, length), nil, true) }
        return state.next
      }
      _ = consume old
      return 0
    }
    let part = ContentRange(of: response)
    let old = try state.withLock { state in
      let total = part?.total ?? state.expected
      // A page that asked for a password may have replaced the contents.
      guard let part, part.start == skipped, let total, [nil, total].contains(state.expected),
        state.resumption?.identifies(response) == true, state.isIntact
      else {
        // The next request is for the whole body.
        state.resumption = nil
        throw URLError(.badServerResponse)
      }
      defer { (state.next, state.part, state.received, state.hasBegun) = (nil, part, skipped, true) }
      state.expected = total
      return state.next
    }
    _ = consume old
    // There may be more if the task has begun from the start.
    try file.truncate(to: skipped)
    return skipped
  }

  func check(_ response: URLResponse) throws {
    // The rest of a body isn't checked, because the response of its beginning has been.
    if state.withLock({ $0.part == nil }) { try checkResponse?(response) }
  }

  func receive(_ data: Data) throws {
    try startOver()
    try checkPart(data.count)
    try file.write(data)
    let (completed, total) = state.withLock { state in
      state.received += Int64(data.count)
      return (state.received, state.expected)
    }
    progress.tell(completed, of: total)
  }

  /// Throws if the part would become longer than it was declared: then it's uncertain which bytes it has.
  private func checkPart(_ count: Int) throws {
    try state.withLock { state in
      guard let part = state.part, state.received + Int64(count) > part.end else { return }
      state.resumption = nil
      throw URLError(.badServerResponse)
    }
  }

  /// Empties the file for another body, if that has begun.
  private func startOver() throws {
    guard let next = state.withLock({ $0.next }) else { return }
    let resumption = Resumption(of: next.response)
    let old = state.withLock { state in
      defer {
        (state.first, state.resumption, state.next) = (next.response, resumption, nil)
        (state.expected, state.received, state.isIntact) = (next.expected, 0, false)
      }
      return state.first
    }
    _ = consume old
    let body = resumption.flatMap { try? JSONEncoder().encode(ResumableBody(resumption: $0, length: next.expected)) }
    try file.startOver(body)
  }

  func send(_ completed: Int64, of total: Int64) {}

  func end(with response: URLResponse) {
    // The contents of the file aren't its body.
    state.withLock { if !$0.hasBegun { $0.next = (response, nil) } }
    do {
      try startOver()
    } catch {
      return fail(with: error)
    }
    let state = state.withLock { $0 }
    // A server may send less than the rest.
    if state.part != nil, state.received != state.expected {
      return fail(with: URLError(.networkConnectionLost))
    }
    decide { [self] in
      try file.keep()
      // In place, since this runs in a turn.
      result.tryComplete(with: state.first ?? response)
    }
  }

  func fail(with error: any Error) {
    let (isUncertain, isOld) = state.withLock { ($0.resumption == nil, $0.first == nil && $0.skipped > 0) }
    if isUncertain { try? file.startOver() }
    if let restarting, !isCancellation(error), !(error is CocoaError), result.isPending {
      // A part of an earlier download that doesn't fit any more isn't a failure of this one.
      if isUncertain, isOld { return restart(restarting, after: .zero) }
      let failures = state.withLock { state in
        state.failures += 1
        return state.failures
      }
      if let delay = restarting.delay?(error, failures) { return restart(restarting, after: delay) }
    }
    decide { throw error }
  }

  func refuse(with error: any Error) {
    file.discard()
    result.end(with: error)
  }

  private func restart(_ restarting: Restarting, after delay: Duration) {
    let (request, old) = state.withLock { state in
      let old = state.next
      (state.next, state.part, state.hasBegun, state.isIntact) = (nil, nil, false, true)
      let isIncomplete = state.received < state.expected ?? .max
      let rest = isIncomplete ? state.resumption?.request(restarting.request, after: state.received) : nil
      state.skipped = rest == nil ? 0 : state.received
      return (rest ?? restarting.request, old)
    }
    _ = consume old
    // Over at the outcome as well, so that a cancelled download keeps nothing until the end of its pause.
    let pause = Future(linkedTo: result, label: "the pause of \(result.origin.label ?? "a download")")
    let registration = result.onComplete(on: .inline) { pause.complete() }
    pause.onCleanUp(on: .inline) { registration.unregister() }
    pause.onCancel(on: DispatchQueue.global()) { [self] in
      if result.isPending { restarting.start(self, request) }
    }
    pause.cancel(after: delay)
  }

  /// Makes the file appear and completes the future, or discards it and ends the future with the error, in one turn: no
  /// cancellation can come in between, and of two calls the first one counts.
  private func decide(_ body: @escaping @Sendable () throws -> Void) {
    result.perform { [self] in
      guard result.isPending else { return }
      do {
        try body()
      } catch {
        file.discard()
        result.endInTurn(with: error)
      }
    }
  }
}
