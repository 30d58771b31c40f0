// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tells a user's handler how far a transfer is.
///
/// Each call is a `perform` block of the transfer's future: so it never comes after the outcome, and never twice at once.
/// At most one block is in line, which tells the newest numbers: a slow handler doesn't hold up more than itself.
///
/// `@unchecked Sendable`: `lock` guards `news`, and nothing is called while it is held.
final class Progressing: @unchecked Sendable {
  private let future: Future
  private let handler: @Sendable (Int64, Int64?) -> Void
  private let lock = NSLock()
  private var news: (completed: Int64, total: Int64?)?

  init?(_ future: Future, _ handler: (@Sendable (Int64, Int64?) -> Void)?) {
    guard let handler else { return nil }
    self.future = future
    self.handler = handler
  }

  func tell(_ completed: Int64, of total: Int64?) {
    let isInLine = lock.withLock {
      defer { news = (completed, total) }
      return news != nil
    }
    guard !isInLine else { return }
    future.perform { [self] state in
      let newest = lock.withLock {
        defer { news = nil }
        return news
      }
      if state.isPending, let newest { handler(newest.completed, newest.total) }
    }
  }
}

/// How long the body is that comes with a response; nil if that isn't known.
///
/// A server that compresses says how long the compressed body is; what comes is the other one.
func expectedLength(_ response: URLResponse) -> Int64? {
  let encoding = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding")
  let length = response.expectedContentLength
  return length >= 0 && [nil, "identity"].contains(encoding) ? length : nil
}
