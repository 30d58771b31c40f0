// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

/// What the service hands out; it must be returned, once.
struct Lease: Sendable, Hashable { let number: Int }

/// A made-up service with a callback API as unpleasant as real ones can be.
///
/// It answers on its own queue, perhaps before `request` has returned: once, twice, or never, without notice. Every
/// answer is a lease, even if it is no longer wanted.
final class Service: Sendable {
  /// Completed when nothing more will come.
  let isOver = Future(label: "the request is over")
  private static let queue = DispatchQueue(label: "service")
  private let books = Mutex((asked: false, lent: Set<Lease>(), twice: 0))
  private let answers = Int.random(in: 0...2)
  private let delay = DispatchTimeInterval.microseconds(.random(in: 0..<300))

  /// Requests a lease; returns the request, which can be stopped.
  func request(_ callback: @escaping @Sendable (Lease) -> Void) -> Request {
    books.withLock { $0.asked = true }
    let request = Request()
    Self.queue.asyncAfter(deadline: .now() + delay) { [self] in
      if !request.isStopped.load(ordering: .acquiring) {
        for number in 0..<answers {
          let lease = Lease(number: number)
          books.withLock { _ = $0.lent.insert(lease) }
          callback(lease)
        }
      }
      isOver.complete()
    }
    return request
  }

  /// Accepts the return of a lease.
  func giveBack(_ lease: Lease) {
    books.withLock { if $0.lent.remove(lease) == nil { $0.twice += 1 } }
  }

  /// Notes that there will be no more requests.
  func close() {
    if !books.withLock(\.asked) { isOver.complete() }
  }

  /// The number of leases that have not been returned, or were returned again.
  var leaks: Int { books.withLock { $0.lent.count + $0.twice } }
}

/// A request that can be stopped: then its callback isn't called, unless that has begun.
final class Request: Sendable {
  fileprivate let isStopped = Atomic(false)

  func stop() { isStopped.store(true, ordering: .releasing) }
}
