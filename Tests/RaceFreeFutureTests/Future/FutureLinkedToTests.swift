// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureLinkedToTests {
  @Test func `a linked future is cancelled with any of its parents, for the same reason`() {
    for index in 0..<3 {
      let parents = [Future(), Future(), Future()]
      let child = Future(linkedTo: parents[0], parents[1], parents[2], label: "child")
      #expect(child.isPending)
      #expect(child.origin.label == "child")
      parents[index].cancel(throwing: Reason("parent \(index)"))
      #expect(reason(child.cancellationReason) == Reason("parent \(index)"))
      parents[(index + 1) % 3].cancel(throwing: Reason("late"))
      #expect(reason(child.cancellationReason) == Reason("parent \(index)"))
    }
  }

  @Test func `a future linked to tokens is cancelled with any of them`() {
    for index in 0..<2 {
      let parents = [Future(), Future()]
      let child = Future(linkedTo: parents[0].cancelToken, parents[1].cancelToken, label: "child")
      #expect(child.origin.label == "child")
      parents[index].cancel(throwing: Reason("token \(index)"))
      #expect(reason(child.cancellationReason) == Reason("token \(index)"))
    }
  }

  @Test func `linked to a cancelled parent it is born cancelled`() {
    let (pending, cancelled) = (Future(), Future())
    cancelled.cancel(throwing: Reason("before"))
    let child = Future(linkedTo: pending, cancelled)
    #expect(reason(child.cancellationReason) == Reason("before"))
    #expect(Future(linkedTo: cancelled.cancelToken).isCancelled)
    #expect(pending.isPending)
  }

  @Test func `a parent's completion says nothing`() {
    let (completed, pending) = (Future(), Future())
    completed.complete()
    let child = Future(linkedTo: completed, pending)
    #expect(child.isPending)
    pending.complete()
    #expect(child.isPending)
  }

  @Test func `resolving the new future does nothing to its parents`() {
    let parent = Future()
    Future(linkedTo: parent).cancel()
    Future(linkedTo: parent).complete()
    #expect(parent.isPending)
  }

  @Test func `the same parent twice is one parent`() {
    let parent = Future()
    let child = Future(linkedTo: parent, parent)
    let log = EventLog<Int>()
    child.onCancel(on: .inline) { log.add(1) }
    parent.cancel()
    #expect(log.events == [1])
  }

  @Test func `it keeps its parents while it is pending, and not after`() {
    func orphan() -> (child: Future, parents: [Weak<Future>]) {
      let (mother, father) = (Future(), Future())
      return (Future(linkedTo: mother, father), [Weak(mother), Weak(father)])
    }
    for outcome in [Future.Outcome.completed, .cancelled] {
      let (child, parents) = orphan()
      #expect(parents.allSatisfy { !$0.isGone })
      child.resolve(outcome)
      #expect(parents.allSatisfy { $0.isGone })
    }
    #expect(orphan().parents.allSatisfy { $0.isGone }, "a future that goes lets its parents go")
  }

  @Test func `a parent doesn't keep it`() {
    let parent = Future()
    func dropped() -> Weak<Future> {
      let child = Future(linkedTo: parent)
      return withExtendedLifetime(child) { Weak(child) }
    }
    #expect(dropped().isGone)
    parent.cancel()
  }

  @Test func `a cancelled parent that nobody else keeps cancels and goes`() {
    func family() -> (child: Future, grandparent: Future, parent: Weak<Future>) {
      let grandparent = Future()
      let parent = Future(linkedTo: grandparent)
      return (Future(linkedTo: parent), grandparent, Weak(parent))
    }
    let (child, grandparent, parent) = family()
    #expect(!parent.isGone)
    grandparent.cancel(throwing: Reason("top"))
    #expect(reason(child.cancellationReason) == Reason("top"))
    #expect(parent.isGone)
  }

  @Test func `of two parents that are cancelled at the same time, one gives the reason and the handler runs once`()
    async
  {
    struct Family: Sendable {
      let mother = Future()
      let father = Future()
      let child: Future
      let log = EventLog<Reason?>()
      init() {
        child = Future(linkedTo: mother, father)
        child.onCancel(on: .inline) { [log] in log.add(reason($0)) }
      }
    }
    await stress(
      rounds: iterations(1_500),
      make: { Family() },
      actors: [
        { $0.mother.cancel(throwing: Reason("mother")) },
        { $0.father.cancel(throwing: Reason("father")) },
      ],
      verify: { family in
        #expect(family.log.events == [reason(family.child.cancellationReason)])
        #expect(family.child.isCancelled)
      }
    )
  }

  @Test func `a child made while its parent is being cancelled is cancelled`() async {
    struct Family: Sendable {
      let parent = Future()
      let children = EventLog<Future>()
    }
    await stress(
      rounds: iterations(1_500),
      make: { Family() },
      actors: [
        { $0.parent.cancel() },
        { family in
          for _ in 0..<4 { family.children.add(Future(linkedTo: family.parent)) }
        },
      ],
      verify: { #expect($0.children.events.allSatisfy { $0.isCancelled }) }
    )
  }

  @Test func `trees that overlap and are cancelled at the same time are whole to the handlers of either`() async {
    struct Families: Sendable {
      let roots = [Future(), Future()]
      let leaves: [Future]
      let torn = EventLog<Int>()
      init() {
        let middle = Future(linkedTo: roots[0], roots[1])
        leaves = (0..<10).map { _ in Future(linkedTo: middle) }
        for (index, root) in roots.enumerated() {
          root.onCancel(on: .inline) { [leaves, torn] in
            if !leaves.allSatisfy(\.isCancelled) { torn.add(index) }
          }
        }
      }
    }
    await stress(
      rounds: iterations(1_500),
      make: { Families() },
      actors: [{ $0.roots[0].cancel() }, { $0.roots[1].cancel() }],
      verify: { families in
        #expect(families.torn.events == [])
        #expect(families.leaves.allSatisfy { $0.isCancelled })
      }
    )
  }

  @Test func `a child that resolves while its parent is being cancelled has one outcome`() async {
    struct Family: Sendable {
      let parent = Future()
      let child: Future
      let log = EventLog<Future.Outcome>()
      init() {
        child = Future(linkedTo: parent)
        child.onCleanUp(on: .inline) { [log] in log.add($0) }
      }
    }
    await stress(
      rounds: iterations(1_500),
      make: { Family() },
      actors: [{ $0.parent.cancel() }, { $0.child.complete() }],
      verify: { family in
        #expect(family.log.events == [family.child.isCompleted ? .completed : .cancelled])
      }
    )
  }
}
