// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import CStopToken
import NIOCore
import NIOEmbedded
import RaceFreeFuture
import Synchronization

extension Question {
  static var linkTrees: Question {
    Question(
      name: "link trees",
      asks: "What does it cost to link futures, and to cancel all of them by cancelling one?",
      rows: [
        Row("one of 1,000 in a line, cancel the first", against: "SwiftNIO promises, cascadeFailure") {
          Sides(burst: 1000, ours: line(1000), peer: promisesInLine(1000))
        }
        .counted("link-depth-1000", pieces: 1000),
        Row("one of 1,000 below one, cancel that one", against: "SwiftNIO promises, cascadeFailure") {
          Sides(burst: 1000, ours: fan(1000), peer: promisesInFan(1000))
        }
        .counted("link-width-1000", pieces: 1000),
        Row("one of 1,000 with a handler each", against: "SwiftNIO promises, 1 callback each") {
          Sides(burst: 1000, ours: fanWithHandlers(1000), peer: promisesInFanWithCallbacks(1000))
        }
        .counted("link-width-1000-handlers", pieces: 1000),
        Row("create linkedTo, complete", against: "children behind a Mutex, by hand", goal: .times(1.2)) {
          Sides(ours: linkedAndCompleted(), peer: childrenByHand())
        }
        .counted("linked-complete"),
        Row("create linkedTo, complete", against: "std::stop_token with a callback of the parent") {
          Sides(ours: linkedAndCompleted(), peer: { count in timed { stop_children(count) } })
        },
      ]
    )
  }
}

// The pieces are the futures that are linked; each burst of them is one tree. Building it counts. All of a tree is kept
// until it is cancelled: what is dropped before has another way to end.

// MARK: - Deep

private func line(_ depth: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      inBursts(of: depth, count) {
        let first = Future()
        var last = first
        for _ in 0..<depth { last = Future(linkedTo: last) }
        last.onCancel(on: .inline) { tally.add(depth) }
        // The child keeps its parent.
        withExtendedLifetime(last) { first.cancel() }
      }
    }
  }
}

private func promisesInLine(_ depth: Int) -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      inBursts(of: depth, count) {
        let first = loop.makePromise(of: Void.self)
        var last = first
        for _ in 0..<depth {
          let next = loop.makePromise(of: Void.self)
          last.futureResult.cascadeFailure(to: next)
          last = next
        }
        last.futureResult.whenFailure { _ in tally.add(depth) }
        first.fail(CancellationError())
      }
    }
  }
}

// MARK: - Wide

func fan(_ width: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      inBursts(of: width, count) {
        let root = Future()
        let futures = (0..<width).map { _ in Future(linkedTo: root) }
        futures.last?.onCancel(on: .inline) { tally.add(width) }
        withExtendedLifetime(futures) { root.cancel() }
      }
    }
  }
}

func promisesInFan(_ width: Int) -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      inBursts(of: width, count) {
        let root = loop.makePromise(of: Void.self)
        let promises = (0..<width).map { _ in
          let promise = loop.makePromise(of: Void.self)
          root.futureResult.cascadeFailure(to: promise)
          return promise
        }
        promises.last?.futureResult.whenFailure { _ in tally.add(width) }
        root.fail(CancellationError())
      }
    }
  }
}

private func fanWithHandlers(_ width: Int) -> Sides.Side {
  let tally = Tally()
  return { count in
    timed {
      inBursts(of: width, count) {
        let root = Future()
        let futures = (0..<width).map { _ in
          let future = Future(linkedTo: root)
          future.onCancel(on: .inline) { tally.add(1) }
          return future
        }
        withExtendedLifetime(futures) { root.cancel() }
      }
    }
  }
}

private func promisesInFanWithCallbacks(_ width: Int) -> Sides.Side {
  let tally = Tally()
  let loop = EmbeddedEventLoop()
  return { count in
    timed {
      inBursts(of: width, count) {
        let root = loop.makePromise(of: Void.self)
        for _ in 0..<width {
          let promise = loop.makePromise(of: Void.self)
          root.futureResult.cascadeFailure(to: promise)
          promise.futureResult.whenFailure { _ in tally.add(1) }
        }
        root.fail(CancellationError())
      }
    }
  }
}

// MARK: - Come and gone

/// The parent lives on, so the link has to be taken off it again.
private func linkedAndCompleted() -> Sides.Side {
  let parent = Future()
  return { count in
    timed {
      for _ in 0..<count { Future(linkedTo: parent).complete() }
    }
  }
}

private func childrenByHand() -> Sides.Side {
  let parent = Parent()
  return { count in
    timed {
      for _ in 0..<count { Child(of: parent).complete() }
    }
  }
}

/// What people write by hand: it knows its children by their identity, and they sign off.
private final class Parent: Sendable {
  private let children = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  @inline(never)
  func add(_ child: Child) {
    children.withLock { $0[ObjectIdentifier(child)] = { [weak child] in child?.cancel() } }
  }

  @inline(never)
  func remove(_ child: Child) {
    _ = children.withLock { $0.removeValue(forKey: ObjectIdentifier(child)) }
  }
}

private final class Child: Sendable {
  private enum Outcome { case completed, cancelled }

  private let outcome = Mutex<Outcome?>(nil)
  private let parent: Parent

  @inline(never)
  init(of parent: Parent) {
    self.parent = parent
    parent.add(self)
  }

  @inline(never)
  func complete() { end(.completed) }

  func cancel() { end(.cancelled) }

  private func end(_ outcome: Outcome) {
    let isFirst = self.outcome.withLock { current in
      guard current == nil else { return false }
      current = outcome
      return true
    }
    if isFirst { parent.remove(self) }
  }
}
