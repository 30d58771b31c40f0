// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
internal import RaceFreeFuture

/// Reports the progress of a transfer to a user's handler, and to readers of its progress.
///
/// Each call of the handler is a `perform` block of the transfer's future: so it never comes after the outcome, and
/// never twice at once. At most one block is queued, which reports the newest numbers: a slow handler delays only
/// itself.
final class Progressing: Sendable {
  private let token: CancelToken
  private let handler: (@Sendable (Int64, Int64?) -> Void)?
  private let progress: TransferProgress?
  /// Guards the newest numbers; the handler is called outside.
  private let news = Locked<(completed: Int64, total: Int64?)?>(nil)

  init(_ token: CancelToken, _ progress: TransferProgress?, _ handler: (@Sendable (Int64, Int64?) -> Void)?) {
    self.token = token
    self.progress = progress
    self.handler = handler
    progress?.end(with: token)
  }

  func tell(_ completed: Int64, of total: Int64?) {
    progress?.tell(completed, of: total)
    guard let handler else { return }
    let isInLine = news.withLock { news in
      defer { news = (completed, total) }
      return news != nil
    }
    guard !isInLine else { return }
    token.perform { [self] in
      let newest = news.withLock { news in
        defer { news = nil }
        return news
      }
      if token.isPending, let newest { handler(newest.completed, newest.total) }
    }
  }
}
