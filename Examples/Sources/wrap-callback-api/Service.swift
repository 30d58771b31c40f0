// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// What the service lends; it must be given back, once.
struct Lease: Sendable, Hashable {
  let number: Int
}

/// A made-up service with a callback API as unpleasant as real ones can be.
///
/// It answers on its own queue, perhaps before `request` has returned. It answers once, twice, or drops the callback
/// without a word. Every answer is a lease, whether or not somebody still wants it.
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

  /// A service for one request, which it will answer so many times after so long.
  init(answers: Int, after delay: DispatchTimeInterval) {
    self.answers = answers
    self.delay = delay
  }

  /// Asks for a lease.
  ///
  /// - Returns: What stops the request.
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

  /// Takes a lease back.
  func giveBack(_ lease: Lease) {
    books.withLock { if $0.lent.remove(lease) == nil { $0.givenBackTwice += 1 } }
  }

  /// Tells that nobody will ask any more.
  func close() {
    if !books.withLock(\.wasAsked) { isOver.complete() }
  }

  /// How many leases have not been given back.
  var leasesOut: Int { books.withLock(\.lent.count) }

  /// How many leases were given back that had been given back before.
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
  private let callback: Mutex<(@Sendable (Lease) -> Void)?>

  fileprivate init(_ callback: @escaping @Sendable (Lease) -> Void) {
    self.callback = Mutex(callback)
  }

  func stop() { _ = takeCallback() }

  fileprivate func takeCallback() -> (@Sendable (Lease) -> Void)? {
    callback.withLock { $0.take() }
  }
}
