// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

extension Question {
  static var contention: Question {
    Question(
      name: "contention",
      asks: "What does it cost when two threads resolve the same future at the same time?",
      rows: [
        Row("complete and cancel from 2 threads", against: "closures behind a Mutex") {
          Sides(burst: burst, ours: futures(), peer: boxes())
        }
      ]
    )
  }
}

/// So many objects are made before the race.
private let burst = 10_000

private func futures() -> Sides.Side {
  let tally = AtomicTally()
  return race(
    make: { index in
      let future = Future()
      future.onComplete(on: .inline) { tally.add(index) }
      future.onCancel(on: .inline) { tally.add(index) }
      return future
    },
    { $0.complete() },
    { $0.cancel() }
  )
}

private func boxes() -> Sides.Side {
  let tally = AtomicTally()
  return race(
    make: { index in FirstWins(onComplete: { tally.add(index) }, onCancel: { tally.add(index) }) },
    { $0.complete() },
    { $0.cancel() }
  )
}

/// What people write by hand.
private final class FirstWins: Sendable {
  private struct Handlers {
    let onComplete: @Sendable () -> Void
    let onCancel: @Sendable () -> Void
  }

  private let handlers: Mutex<Handlers?>

  init(onComplete: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) {
    handlers = Mutex(Handlers(onComplete: onComplete, onCancel: onCancel))
  }

  func complete() { take()?.onComplete() }
  func cancel() { take()?.onCancel() }

  private func take() -> Handlers? {
    handlers.withLock { handlers in
      defer { handlers = nil }
      return handlers
    }
  }
}

/// Like `Tally`, for handlers of both threads.
private final class AtomicTally: Sendable {
  private let sum = Atomic(0)

  func add(_ number: Int) {
    sum.wrappingAdd(number, ordering: .relaxed)
  }
}

/// Two threads go through the same objects in the same order, each with its own call.
///
/// Making the objects isn't timed.
private func race<Object: Sendable>(
  make: @escaping @Sendable (Int) -> Object,
  _ first: @escaping @Sendable (Object) -> Void,
  _ second: @escaping @Sendable (Object) -> Void
) -> Sides.Side {
  let otherThread = DispatchQueue(label: "other thread")
  return { count in
    var taken = Duration.zero
    inBursts(of: burst, count) {
      let objects = (0..<burst).map(make)
      let start = StartLine(runners: 2)
      otherThread.async {
        start.meet()
        for object in objects { first(object) }
      }
      start.meet()
      taken += timedWithOthers {
        for object in objects { second(object) }
        otherThread.sync {}
      }
    }
    return taken
  }
}

/// Holds threads back until all have come.
///
/// They spin, so that they start as nearly together as possible.
private final class StartLine: Sendable {
  private let missing: Atomic<Int>

  init(runners: Int) {
    missing = Atomic(runners)
  }

  func meet() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 {}
  }
}
