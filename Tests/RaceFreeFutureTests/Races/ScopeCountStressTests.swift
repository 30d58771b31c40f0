// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Scopes in several levels, in which threads begin, end and move work of all kinds at the same time.
///
/// Whoever has something open anywhere never finds a scope around it drained, and in the end all of them are.
@Suite struct ScopeCountStressTests {
  private final class Tree: Sendable {
    /// The scopes, each with the number of the one around it; the outermost is the first.
    let scopes: [Scope]
    private let around: [Int]
    /// The number of times that a scope was drained around something open; and of those that were looked at.
    let early = Atomic(0)
    let looks = Atomic(0)

    init() {
      // A line of four with a branch, and a line of three.
      around = [0, 0, 1, 2, 0, 4, 1]
      var scopes = [Scope(label: "0")]
      for index in 1..<around.count { scopes.append(Scope(in: scopes[around[index]], label: "\(index)")) }
      self.scopes = scopes
    }

    /// Looks at all scopes around one in which something is open.
    func look(from number: Int) {
      var next = number
      while true {
        looks.add(1, ordering: .relaxed)
        if scopes[next].future.isDrained { early.add(1, ordering: .relaxed) }
        if next == 0 { return }
        next = around[next]
      }
    }
  }

  /// A piece of work that is open in a scope of the tree.
  private struct Piece {
    let number: Int
    let end: () -> Void
    /// Moves to another scope, before it leaves this one.
    var move: ((Scope) -> Piece.Move)?
    typealias Move = (leave: () -> Void, end: () -> Void)
  }

  private struct Worker {
    let tree: Tree
    var state: UInt64

    mutating func random(_ count: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(count))
    }

    mutating func begin() -> Piece {
      let number = random(tree.scopes.count)
      let scope = tree.scopes[number]
      switch random(4) {
      case 0:
        let activity = scope.beginActivity("activity")
        return Piece(number: number) { activity.end() }
      case 1:
        // The task of a library: without a name.
        scope.keepOpen()
        return Piece(number: number) { scope.letGo() }
      default:
        let member = Future()
        let membership = scope.add(member)
        return Piece(number: number, end: { member.complete() }) { other in
          other.add(member)
          return (leave: { membership?.leave() }, end: { member.complete() })
        }
      }
    }

    mutating func run(_ rounds: Int) {
      var mine: [Piece] = []
      for _ in 0..<rounds {
        if mine.isEmpty || random(3) == 0 { mine.append(begin()) }
        if random(3) == 0, let piece = mine.popLast() {
          if let move = piece.move {
            let number = random(tree.scopes.count)
            let (leave, end) = move(tree.scopes[number])
            leave()
            mine.append(Piece(number: number, end: end))
          } else {
            // Begun there before it ends here.
            mine.append(begin())
            piece.end()
          }
        }
        if let piece = mine.last { tree.look(from: piece.number) }
        if random(2) == 0 { mine.popLast()?.end() }
      }
      while let piece = mine.popLast() { piece.end() }
    }
  }

  @Test func `L12 no scope is drained around something open, and in the end all are`() async {
    let rounds = 200
    await stress(
      rounds: iterations(300),
      make: { Tree() },
      actors: (1...3).map { number in
        { tree in
          var worker = Worker(tree: tree, state: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
          worker.run(rounds)
        }
      },
      verify: { tree in
        let (early, looks) = (tree.early.load(ordering: .relaxed), tree.looks.load(ordering: .relaxed))
        #expect(early == 0 && looks > 0)
        #expect(tree.scopes.allSatisfy { $0.future.isDrained && $0.count == 0 })
      }
    )
  }

  /// A nested scope that is cancelled while others look.
  private final class Cancelled: Sendable {
    let outer = Scope(label: "outer")
    let inner: Scope
    let firstHasEnded = Atomic(false)
    let lateHasEnded = Atomic(false)
    let early = Atomic(false)

    init() {
      inner = Scope(in: Scope(in: outer))
      inner.onCancel { self.firstHasEnded.store(true, ordering: .releasing) }
    }

    /// Who sees the outcome and then a drained scope also sees that the handler has returned.
    func look(at hasEnded: borrowing Atomic<Bool>) {
      guard inner.isCancelled, outer.future.isDrained else { return }
      if !hasEnded.load(ordering: .acquiring) { early.store(true, ordering: .releasing) }
    }

    func verify() {
      let drained = Gate("drained")
      Task {
        await outer.drain()
        drained.open()
      }
      drained.wait()
      look(at: firstHasEnded)
      let isEarly = early.load(ordering: .acquiring)
      #expect(!isEarly && inner.isCancelled && outer.future.isDrained)
    }
  }

  @Test func `L12 no scope is drained around one that is cancelled, before the handlers of that have returned`() async {
    let look: @Sendable (Cancelled) -> Void = { subject in
      for _ in 0..<20 { subject.look(at: subject.firstHasEnded) }
    }
    await stress(
      rounds: iterations(5_000),
      make: { Cancelled() },
      actors: [{ $0.inner.cancel() }, look, look],
      verify: { $0.verify() }
    )
  }

  @Test func `L12 a handler that is added while a nested scope is cancelled is waited for as well`() async {
    await stress(
      rounds: iterations(5_000),
      make: { Cancelled() },
      actors: [
        { $0.inner.cancel() },
        { subject in
          subject.inner.onCancel { subject.lateHasEnded.store(true, ordering: .releasing) }
          for _ in 0..<20 { subject.look(at: subject.lateHasEnded) }
        },
      ],
      verify: { subject in
        subject.verify()
        subject.look(at: subject.lateHasEnded)
        let isEarly = subject.early.load(ordering: .acquiring)
        #expect(!isEarly)
      }
    )
  }
}
