// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization

/// A stack is asked for its last element, and told to drop it, in two calls.
enum EmptiedTwice {
  static let bug = Bug(
    id: "T3",
    title: "A stack that gives an element to two threads",
    hunts: [
      .loop: { side in
        await Find.loop {
          let stack = Stack()
          let taken = Mutex([Int]())
          stack.push(1)
          stack.push(2)
          atOnce { _ in if let element = stack.pop(side) { taken.withLock { $0.append(element) } } }
          return taken.withLock { $0.sorted() } != [1, 2]
        }
      },
      .race: { side in
        Find(
          await race(
            "pop against pop",
            for: Find.limit,
            make: {
              let stack = Stack()
              stack.push(1)
              stack.push(2)
              return stack
            },
            actors: { $0.pop(side) ?? 0 },
            { $0.pop(side) ?? 0 },
            outcome: { _, first, second in [first, second].sorted() },
            expect: [.acceptable([1, 2], "one each"), .forbidden([2, 2], "one twice")]
          )
        )
      },
      .linearizability: { side in
        Find(
          await linearizabilityStress(
            "pop",
            histories: 50_000,
            make: { Stack() },
            model: [Int](),
            operations: [
              .init("push(1)", { $0.push(1) }, model: { $0.append(1) }),
              .init("push(2)", { $0.push(2) }, model: { $0.append(2) }),
              .init("pop()", { $0.pop(side) }, model: { $0.popLast() }),
            ]
          )
        )
      },
    ]
  )

  private final class Stack: Sendable {
    private let elements = Mutex([Int]())
    func push(_ element: Int) { elements.withLock { $0.append(element) } }

    func pop(_ side: Bug.Side) -> Int? {
      if side == .fixed { return elements.withLock { $0.popLast() } }
      guard let last = elements.withLock({ $0.last }) else { return nil }
      elements.withLock { _ = $0.popLast() }
      return last
    }
  }
}
