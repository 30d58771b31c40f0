// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Synchronization

/// Admits a limited number of clients at a time, in the order of their arrival.
///
/// Never blocks: each waiting client has a future.
final class Turnstile: Sendable {
  private struct State {
    var free: Int
    var waiting: [Future] = []
  }

  /// Guards the number of free places and the queue.
  ///
  /// Futures are completed after it is released.
  private let state: Mutex<State>

  init(width: Int) {
    state = Mutex(State(free: width))
  }

  /// Queues a client that may be cancelled: the future is completed when it is the client's turn, and never after it
  /// was cancelled.
  ///
  /// Code that sees it completed calls `leave()` once.
  func enter(for client: some CancellableWork) -> Future {
    let turn = Future(linkedTo: client, label: "turn")
    let isFree = state.withLock { state in
      guard state.free > 0 else {
        state.waiting.append(turn)
        return false
      }
      state.free -= 1
      return true
    }
    if isFree { offer(turn) }
    return turn
  }

  /// Gives the place to the next client in the queue.
  func leave() {
    offer(nil)
  }

  /// Offers a place to a turn, then to those in the queue, until one takes it.
  ///
  /// A turn that was cancelled doesn't take it, so no place is ever lost to a client that has left.
  private func offer(_ first: Future?) {
    var next = first
    while true {
      if let next, next.tryComplete() { return }
      next = state.withLock { state in
        guard !state.waiting.isEmpty else {
          state.free += 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      if next == nil { return }
    }
  }
}
