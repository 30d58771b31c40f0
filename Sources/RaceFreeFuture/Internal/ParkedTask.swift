// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A task that waits for a future: the meeting point of "here is the continuation" and "wake up", in whichever order
/// they come.
///
/// It is woken any number of times and resumes its continuation exactly once, with what the first call brought. The
/// continuation is resumed after the lock has been left.
final class ParkedTask: Sendable {
  /// What it is woken with: the future's resolution, or nil because the waiting task itself was cancelled.
  typealias News = Resolution?

  private enum State {
    case expected  // → parked, woken
    case parked(CheckedContinuation<News, Never>)  // → woken
    case woken(News)
  }

  private let state = Locked<State>(.expected)

  /// Suspends the calling task until it is woken.
  func park() async -> News {
    // The body of `withCheckedContinuation` isn't promised to run before other code does; nothing is held across this
    // call.
    await withCheckedContinuation { continuation in
      let news: News? = state.withLock { state in
        if case .woken(let news) = state { return .some(news) }
        state = .parked(continuation)
        return .none
      }
      if let news { continuation.resume(returning: news) }
    }
  }

  /// Wakes the task, or lets it pass when it comes.
  ///
  /// With `hop` it is resumed from another thread, because this one has a future's private queue (law L6).
  func wake(with news: News, hop: Bool = false) {
    let parked: CheckedContinuation<News, Never>? = state.withLock { state in
      switch state {
      case .expected:
        state = .woken(news)
        return nil
      case .parked(let continuation):
        state = .woken(news)
        return continuation
      case .woken:
        return nil
      }
    }
    guard let parked else { return }
    if hop {
      Hop.perform { parked.resume(returning: news) }
    } else {
      parked.resume(returning: news)
    }
  }
}
