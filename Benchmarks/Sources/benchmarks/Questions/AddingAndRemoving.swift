// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Synchronization

extension Question {
  static var addingAndRemoving: Question {
    Question(
      name: "adding and removing",
      asks: "Does a long-lived future get slower with the number of its handlers?",
      rows: [
        Row("add and remove, 1 other", against: "dictionary behind a Mutex") {
          Sides(ours: addAndRemove(beside: 1), peer: addAndRemoveByHand(beside: 1))
        }
        .counted("add-remove"),
        Row("add and remove, 1,000 others", against: "the same with 1 other", goal: .same(within: 0.2)) {
          Sides(ours: addAndRemove(beside: 1000), peer: addAndRemove(beside: 1))
        },
        Row("add and remove, 1,000,000 others", against: "the same with 1 other", goal: .same(within: 0.2)) {
          Sides(ours: addAndRemove(beside: 1_000_000), peer: addAndRemove(beside: 1))
        },
      ]
    )
  }
}

func addAndRemove(beside number: Int) -> Sides.Side {
  let tally = Tally()
  let future = Future()
  for index in 0..<number { future.onCancel(on: .inline) { tally.add(index) } }
  return { count in
    timed {
      for index in 0..<count {
        future.onCancel(on: .inline) { tally.add(index) }.unregister()
      }
    }
  }
}

func addAndRemoveByHand(beside number: Int) -> Sides.Side {
  let tally = Tally()
  let handlers = Handlers()
  for index in 0..<number { _ = handlers.add { tally.add(index) } }
  return { count in
    timed {
      for index in 0..<count {
        handlers.remove(handlers.add { tally.add(index) })
      }
    }
  }
}

/// What people write by hand: handlers that are found by a number.
///
/// Not inlined, as if it stood in a library.
private final class Handlers: Sendable {
  private struct Content {
    var handlers: [Int: @Sendable () -> Void] = [:]
    var next = 0
  }

  private let content = Mutex(Content())

  @inline(never)
  func add(_ handler: @escaping @Sendable () -> Void) -> Int {
    content.withLock { content in
      content.next += 1
      content.handlers[content.next] = handler
      return content.next
    }
  }

  @inline(never)
  func remove(_ number: Int) {
    // Released outside of the lock.
    _ = content.withLock { $0.handlers.removeValue(forKey: number) }
  }
}
