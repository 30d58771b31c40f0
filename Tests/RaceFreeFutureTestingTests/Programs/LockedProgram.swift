// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Testing

/// A lock with a number: a real one, or one that the explorer sees.
protocol GuardedNumber: Sendable {
  func withLock<R: Sendable>(_ body: (inout Int) -> R) -> R
}

final class RealGuard: GuardedNumber {
  private let mutex: Locked<Int>
  init(_ value: Int) { mutex = Locked(value) }
  func withLock<R: Sendable>(_ body: (inout Int) -> R) -> R { mutex.withLock { body(&$0) } }
}

final class ExploredGuard: GuardedNumber {
  private let mutex: Explored.Mutex<Int>
  init(_ value: Int) { mutex = Explored.Mutex(value) }
  func withLock<R: Sendable>(_ body: (inout Int) -> R) -> R { mutex.withLock { body(&$0) } }
}

/// A type that keeps a number under a lock, as two threads use it: buggy, because it takes the lock once to check and
/// once to act; and mended.
struct LockedProgram: Sendable, CustomTestStringConvertible {
  let name: String
  var initial = 0
  /// The call of a thread, 0 or 1, under one lock.
  let whole: @Sendable (inout Int, _ thread: Int) -> Int
  /// The same call, in two parts.
  let naive: @Sendable (any GuardedNumber, _ thread: Int) -> Int

  var testDescription: String { name }

  /// Makes the call.
  func call(_ number: any GuardedNumber, _ thread: Int, isMended: Bool) -> Int {
    isMended ? number.withLock { whole(&$0, thread) } : naive(number, thread)
  }

  /// What the calls answer and leave, if one comes after the other.
  var expected: [ExpectedOutcome<[Int]>] {
    [[0, 1], [1, 0]].map { order in
      var (number, answers) = (initial, [0, 0])
      for thread in order { answers[thread] = whole(&number, thread) }
      return .acceptable(answers + [number], "\(order[0]) was first")
    }
  }

  static let all: [LockedProgram] = [
    LockedProgram(
      name: "the last ticket",
      initial: 1,
      whole: { tickets, _ in
        guard tickets > 0 else { return 0 }
        tickets -= 1
        return 1
      },
      naive: { tickets, _ in
        guard tickets.withLock({ $0 > 0 }) else { return 0 }
        tickets.withLock { $0 -= 1 }
        return 1
      }
    ),
    LockedProgram(
      name: "a value that is made once",
      whole: { value, thread in
        if value == 0 { value = thread + 1 }
        return value
      },
      naive: { value, thread in
        let known = value.withLock { $0 }
        guard known == 0 else { return known }
        return value.withLock {
          $0 = thread + 1
          return $0
        }
      }
    ),
    LockedProgram(
      name: "the highest score",
      whole: { highest, thread in
        highest = max(highest, thread + 1)
        return 0
      },
      naive: { highest, thread in
        if highest.withLock({ $0 }) < thread + 1 { highest.withLock { $0 = thread + 1 } }
        return 0
      }
    ),
    LockedProgram(
      name: "numbers of orders",
      whole: { last, _ in
        last += 1
        return last
      },
      naive: { last, _ in
        let next = last.withLock { $0 } + 1
        last.withLock { $0 = next }
        return next
      }
    ),
    LockedProgram(
      // 16 and more: it is over. Below, the number of listeners.
      name: "a listener at the end",
      whole: { list, thread in
        if thread == 0 {
          defer { list = 16 }
          return list % 16
        }
        if list >= 16 { return 1 }
        list += 1
        return 0
      },
      naive: { list, thread in
        if thread == 0 {
          return list.withLock { list in
            defer { list = 16 }
            return list % 16
          }
        }
        if list.withLock({ $0 >= 16 }) { return 1 }
        list.withLock { $0 += 1 }
        return 0
      }
    ),
  ]
}
