// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import Synchronization

extension Question {
  static var contention: Question {
    Question(
      name: "contention",
      asks: "What does it cost when threads resolve the same future at the same time, or share one token?",
      rows: [
        Row("complete and cancel from 2 threads", against: "closures behind a Mutex") {
          Sides(burst: burst, ours: futures(), peer: boxes())
        }
      ]
        + [1, 2, 4, 8].map { threads in
          Row(
            "child of a shared token, made and ended, \(threads) thread\(threads == 1 ? "" : "s")",
            against: "Set behind a Mutex"
          ) {
            Sides(burst: burst, ours: linkToShared(threads), peer: insertIntoShared(threads))
          }
        }
        + [1, 2, 4, 8].map { threads in
          Row(
            "handler of a shared token, added and removed, \(threads) thread\(threads == 1 ? "" : "s")",
            against: "Dictionary behind a Mutex"
          ) {
            Sides(burst: burst, ours: registerAtShared(threads), peer: storeInShared(threads))
          }
        }
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

// MARK: - A shared token

// Such as one that is cancelled when the program shuts down.

private func linkToShared(_ threads: Int) -> Sides.Side {
  let shutdown = Future()
  return share(among: threads) { _ in
    let child = Future(linkedTo: shutdown)
    child.complete()
  }
}

private func registerAtShared(_ threads: Int) -> Sides.Side {
  let tally = AtomicTally()
  let shutdown = Future()
  return share(among: threads) { index in
    shutdown.onCancel(on: .inline) { tally.add(index) }.unregister()
  }
}

/// A child that a parent can find, and no more.
private final class Child: Sendable {}

private final class Parent: Sendable {
  private let children = Mutex<Set<ObjectIdentifier>>([])

  func insert(_ child: Child) { children.withLock { _ = $0.insert(ObjectIdentifier(child)) } }
  func remove(_ child: Child) { children.withLock { _ = $0.remove(ObjectIdentifier(child)) } }
}

private func insertIntoShared(_ threads: Int) -> Sides.Side {
  let parent = Parent()
  return share(among: threads) { _ in
    let child = Child()
    parent.insert(child)
    parent.remove(child)
  }
}

private final class Handlers: Sendable {
  private let handlers = Mutex<[Int: @Sendable () -> Void]>([:])

  func store(_ handler: @escaping @Sendable () -> Void, as number: Int) { handlers.withLock { $0[number] = handler } }
  func remove(_ number: Int) { _ = handlers.withLock { $0.removeValue(forKey: number) } }
}

private func storeInShared(_ threads: Int) -> Sides.Side {
  let tally = AtomicTally()
  let handlers = Handlers()
  return share(among: threads) { index in
    handlers.store({ tally.add(index) }, as: index)
    handlers.remove(index)
  }
}

/// So many threads do their part of each burst at the same time.
private func share(among threads: Int, _ piece: @escaping @Sendable (_ index: Int) -> Void) -> Sides.Side {
  let queues = (0..<threads).map { DispatchQueue(label: "thread \($0)") }
  return { count in
    var taken = Duration.zero
    inBursts(of: burst, count) {
      let group = DispatchGroup()
      taken += timedWithOthers {
        for (number, queue) in queues.enumerated() {
          queue.async(group: group) {
            for index in stride(from: number, to: burst, by: threads) { piece(index) }
          }
        }
        group.wait()
      }
    }
    return taken
  }
}
