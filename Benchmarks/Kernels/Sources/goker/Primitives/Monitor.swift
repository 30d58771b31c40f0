// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// A value that tasks change, and for whose changes they wait: the base of all that blocks here, except channels.
final class Monitor<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    var takes: @Sendable (inout Value) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private let content: Explored.Mutex<(value: Value, waiting: [Waiter])>

  init(_ value: Value, _ fileID: StaticString, _ line: UInt) {
    content = Explored.Mutex((value, []), fileID: fileID, line: line)
  }

  /// Suspends the caller until the closure, which may change the value, returns true.
  func wait(until takes: @escaping @Sendable (inout Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDone = content.withLock { content in
        let isDone = takes(&content.value)
        if !isDone { content.waiting.append(Waiter(takes: takes, continuation: continuation)) }
        return isDone
      }
      if isDone { continuation.resume() }
    }
  }

  /// Changes the value, and resumes those whose wait is over by that, the earlier ones first.
  func change(_ body: @Sendable (inout Value) -> Void) {
    let woken = content.withLock { content in
      body(&content.value)
      var (woken, waiting): ([Waiter], [Waiter]) = ([], [])
      for waiter in content.waiting {
        if waiter.takes(&content.value) { woken.append(waiter) } else { waiting.append(waiter) }
      }
      content.waiting = waiting
      return woken
    }
    for waiter in woken { waiter.continuation.resume() }
  }
}
