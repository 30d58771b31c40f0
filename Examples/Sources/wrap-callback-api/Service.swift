// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// A lease of the service; it must be returned, once.
struct Lease: Sendable, Hashable {
  let number: Int
}

/// A made-up service with a callback API as unpleasant as real ones can be.
///
/// It answers on its own queue, perhaps before `request` has returned. It answers once, twice, or drops the callback
/// without notice. Every answer is a lease, even if it is no longer wanted.
final class Service: Sendable {
  /// Completed when the request is over: nothing more will come.
  let isOver = Future(label: "the request is over")

  private struct Books {
    var wasAsked = false
    var leases = 0
    var lent: Set<Lease> = []
    var givenBackTwice = 0
  }

  private static let queue = DispatchQueue(label: "service")
  private let books = Mutex(Books())
  private let answers: Int
  private let delay: DispatchTimeInterval

  /// Makes a service for one request, which it answers a number of times after a delay.
  init(answers: Int, after delay: DispatchTimeInterval) {
    self.answers = answers
    self.delay = delay
  }

  /// Requests a lease.
  ///
  /// - Returns: The request, which can be stopped.
  func request(_ callback: @escaping @Sendable (Lease) -> Void) -> Request {
    books.withLock { $0.wasAsked = true }
    let request = Request(callback)
    Self.queue.asyncAfter(deadline: .now() + delay) { [self] in
      if let callback = request.takeCallback() {
        for _ in 0..<answers { callback(lend()) }
      }
      isOver.complete()
    }
    return request
  }

  /// Accepts the return of a lease.
  func giveBack(_ lease: Lease) {
    books.withLock { if $0.lent.remove(lease) == nil { $0.givenBackTwice += 1 } }
  }

  /// Notes that there will be no more requests.
  func close() {
    if !books.withLock(\.wasAsked) { isOver.complete() }
  }

  /// The number of leases that have not been returned.
  var leasesOut: Int { books.withLock(\.lent.count) }

  /// The number of leases that were returned again.
  var givenBackTwice: Int { books.withLock(\.givenBackTwice) }

  private func lend() -> Lease {
    books.withLock { books in
      books.leases += 1
      let lease = Lease(number: books.leases)
      books.lent.insert(lease)
      return lease
    }
  }
}

/// A request that can be stopped: then its callback is dropped, unless it is being called already.
final class Request: Sendable {
  private struct State {
    var callback: (@Sendable (Lease) -> Void)?
  }

  private let state: Mutex<State>

  fileprivate init(_ callback: @escaping @Sendable (Lease) -> Void) {
    state = Mutex(State(callback: callback))
  }

  func stop() { _ = takeCallback() }

  fileprivate func takeCallback() -> (@Sendable (Lease) -> Void)? {
    state.withLock { $0.callback.take() }
  }
}
