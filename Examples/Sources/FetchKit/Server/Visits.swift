// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Synchronization

/// Counts the requests that a server has seen, and those that it is answering.
final class Visits: Sendable {
  private struct Counts {
    var paths: [String] = []
    var present = 0
    var mostPresent = 0
    var awaited: [(number: Int, future: Future)] = []
  }

  /// Guards the counts.
  ///
  /// Futures are completed after it is released.
  private let counts = Mutex(Counts())

  var paths: [String] { counts.withLock { $0.paths } }
  var mostPresent: Int { counts.withLock { $0.mostPresent } }

  /// Begins a visit, which ends when it is completed or, because the connection broke, forgotten.
  func begin(_ path: String) -> Future.Completer {
    let visit = Future.makeCompleter(label: "visit to \(path)")
    visit.onCleanUp(on: .inline) { [self] in counts.withLock { $0.present -= 1 } }
    let arrived = counts.withLock { counts in
      counts.paths.append(path)
      counts.present += 1
      counts.mostPresent = max(counts.mostPresent, counts.present)
      let number = counts.paths.count
      let arrived = counts.awaited.filter { $0.number <= number }
      counts.awaited.removeAll { $0.number <= number }
      return arrived
    }
    for (_, future) in arrived { future.complete() }
    return visit
  }

  /// Returns a token that completes when there have been a number of visits in all.
  func arrival(of number: Int) -> CancelToken {
    let future = Future(label: "request number \(number)")
    let isThere = counts.withLock { counts in
      if counts.paths.count < number { counts.awaited.append((number, future)) }
      return counts.paths.count >= number
    }
    if isThere { future.complete() }
    return future.cancelToken
  }
}
