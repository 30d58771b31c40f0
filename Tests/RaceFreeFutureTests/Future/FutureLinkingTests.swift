// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct FutureLinkingTests {
  @Test func `handlers of a tree run from its root`() {
    let log = EventLog<String>()
    let root = Future()
    let child = Future(linkedTo: root)
    let grandchild = Future(linkedTo: child)
    for (name, future) in [("grandchild", grandchild), ("child", child), ("root", root)] {
      future.onCancel(on: .inline) { log.add(name) }
    }
    root.cancel()
    #expect(log.events == ["root", "child", "grandchild"])
  }

  @Test func `a link to a future that is cancelled already takes its turn behind the block that made it`() async {
    let (source, other) = (Future(), Future())
    source.cancel()
    #expect(
      await other.withTurn {
        source.cascadeCancellation(to: other)
        return other.isPending
      }
    )
    #expect(await other.withTurn { other.isCancelled })
  }

  // MARK: Cascade

  @Test func `a cancellation cascades with its reason`() {
    let (source, other) = (Future(), Future())
    source.cascadeCancellation(to: other)
    #expect(other.isPending)
    source.cancel(throwing: Reason("why"))
    #expect(reason(other.cancellationReason) == Reason("why"))
  }

  @Test func `a cancellation doesn't cascade backwards`() {
    let (source, other) = (Future(), Future())
    source.cascadeCancellation(to: other)
    other.cancel()
    #expect(source.isPending)
  }

  @Test func `a completion doesn't cascade`() {
    let (source, other) = (Future(), Future())
    source.cascadeCancellation(to: other)
    source.complete()
    #expect(other.isPending)
    #expect(other.tryComplete())
  }

  @Test func `a cancelled future cancels the other one when they are linked`() {
    let (source, other) = (Future(), Future())
    source.cancel(throwing: Reason("before"))
    source.cascadeCancellation(to: other)
    #expect(reason(other.cancellationReason) == Reason("before"))
  }

  @Test func `a resolved future is not changed by a cascade`() {
    let (source, completed, cancelled) = (Future(), Future(), Future())
    source.cascadeCancellation(to: completed)
    source.cascadeCancellation(to: cancelled)
    completed.complete()
    cancelled.cancel(throwing: Reason("own"))
    source.cancel(throwing: Reason("other"))
    #expect(completed.isCompleted)
    #expect(reason(cancelled.cancellationReason) == Reason("own"))
  }

  @Test func `the target keeps the source while both are pending, and not the other way round`() {
    let (source, other) = (Future(), Future())
    func linkedSource() -> Weak<Future> {
      let source = Future()
      source.cascadeCancellation(to: other)
      return Weak(source)
    }
    func linkedTarget() -> Weak<Future> {
      let target = Future()
      source.cascadeCancellation(to: target)
      return Weak(target)
    }
    let kept = linkedSource()
    #expect(!kept.isGone)
    #expect(linkedTarget().isGone)
    source.cancel()
    #expect(other.tryComplete())
    #expect(kept.isGone)
  }

  @Test func `linking a future to itself does nothing`() {
    let completed = Future()
    completed.cascadeCancellation(to: completed)
    completed.passControl(to: completed)
    #expect(completed.tryComplete())
    let cancelled = Future()
    cancelled.passControl(to: cancelled)
    cancelled.cascadeCancellation(to: cancelled)
    #expect(cancelled.tryCancel())
    func dropped() -> Weak<Future> {
      let future = Future()
      future.passControl(to: future)
      future.cascadeCancellation(to: future)
      return Weak(future)
    }
    #expect(dropped().isGone)
  }

  @Test func `a ring is cancelled once around, wherever it begins`() async {
    for start in 0..<3 {
      let ring = [Future(), Future(), Future()]
      let log = EventLog<Int>()
      for index in 0..<3 {
        ring[index].cascadeCancellation(to: ring[(index + 1) % 3])
        ring[index].onCancel(on: .inline) { log.add(index) }
      }
      ring[start].cancel(throwing: Reason("round"))
      #expect(log.events.sorted() == [0, 1, 2])
      #expect(ring.allSatisfy { reason($0.cancellationReason) == Reason("round") })
    }
  }

  @Test func `two links to the same future cancel it once`() {
    let (source, other) = (Future(), Future())
    let log = EventLog<Int>()
    source.cascadeCancellation(to: other)
    source.cascadeCancellation(to: other)
    other.onCancel(on: .inline) { log.add(1) }
    source.cancel()
    #expect(log.events == [1])
  }

  @Test func `a future with a queued perform block follows behind it`() async {
    let (source, other) = (Future(), Future())
    let gate = Gate("line")
    source.cascadeCancellation(to: other)
    other.standStill(until: gate)
    source.cancel(throwing: Reason("why"))
    #expect(other.isPending)
    gate.open()
    #expect(await other.outcome == .cancelled)
    #expect(reason(other.cancellationReason) == Reason("why"))
  }

  @Test func `no handler sees a half-cancelled tree`() async {
    let root = Future()
    let children = (0..<3).map { _ in Future(linkedTo: root) }
    let grandchildren = children.map { Future(linkedTo: $0, root) }
    let tree = [root] + children + grandchildren
    let log = EventLog<Bool>()
    for future in tree {
      future.onCancel(on: .inline) { log.add(tree.allSatisfy(\.isCancelled)) }
      future.onCancel { log.add(tree.allSatisfy(\.isCancelled)) }
    }
    root.cancel()
    for future in tree { _ = await future.handlersFinished }
    #expect(log.events == Array(repeating: true, count: 2 * tree.count))
  }

  @Test func `a cancellation inside a perform block cascades after the block`() async {
    let (source, other) = (Future(), Future())
    source.cascadeCancellation(to: other)
    let log = EventLog<Bool>()
    source.perform {
      source.cancel(throwing: Reason("inside"))
      log.add(other.isPending)
    }
    #expect(await other.outcome == .cancelled)
    #expect(log.events == [true])
    #expect(reason(other.cancellationReason) == Reason("inside"))
  }

  // MARK: Pass control

  @Test func `passed control joins the two futures`() {
    let cancelledOutside = (outer: Future(), inner: Future())
    cancelledOutside.outer.passControl(to: cancelledOutside.inner)
    cancelledOutside.outer.cancel(throwing: Reason("outside"))
    #expect(reason(cancelledOutside.inner.cancellationReason) == Reason("outside"))

    let cancelledInside = (outer: Future(), inner: Future())
    cancelledInside.outer.passControl(to: cancelledInside.inner)
    cancelledInside.inner.cancel(throwing: Reason("inside"))
    #expect(reason(cancelledInside.outer.cancellationReason) == Reason("inside"))

    let completedInside = (outer: Future(), inner: Future())
    completedInside.outer.passControl(to: completedInside.inner)
    completedInside.inner.complete()
    #expect(completedInside.outer.isCompleted)
  }

  @Test func `completing the outer future doesn't complete the inner one but takes the link off`() {
    let (outer, inner) = (Future(), Future())
    outer.passControl(to: inner)
    outer.complete()
    #expect(inner.isPending)
    inner.cancel()
    #expect(outer.isCompleted)
  }

  @Test func `control passed to a resolved future takes its outcome over at once`() {
    let (first, completed) = (Future(), Future())
    completed.complete()
    first.passControl(to: completed)
    #expect(first.isCompleted)
    let (second, cancelled) = (Future(), Future())
    cancelled.cancel(throwing: Reason("before"))
    second.passControl(to: cancelled)
    #expect(reason(second.cancellationReason) == Reason("before"))
  }

  @Test func `control passed by a cancelled future cancels the inner one`() {
    let (outer, inner) = (Future(), Future())
    outer.cancel(throwing: Reason("before"))
    outer.passControl(to: inner)
    #expect(reason(inner.cancellationReason) == Reason("before"))
  }

  @Test func `control passed by a completed future changes nothing`() {
    let (outer, inner) = (Future(), Future())
    outer.complete()
    outer.passControl(to: inner)
    #expect(inner.isPending)
    inner.cancel()
    #expect(outer.isCompleted)
  }

  @Test func `the inner future keeps the outer one, and not the other way round`() {
    let log = EventLog<Future.Outcome>()
    let inner = Future()
    func passedOuter() -> Weak<Future> {
      let outer = Future()
      outer.onCleanUp(on: .inline) { log.add($0) }
      outer.passControl(to: inner)
      return Weak(outer)
    }
    let outer = passedOuter()
    #expect(!outer.isGone)
    inner.complete()
    #expect(log.events == [.completed])
    #expect(outer.isGone)

    let keptOuter = Future()
    func droppedInner() -> Weak<Future> {
      let inner = Future()
      keptOuter.passControl(to: inner)
      return Weak(inner)
    }
    #expect(droppedInner().isGone)
    #expect(keptOuter.cancellationReason is AbandonedError)
  }

  @Test func `a cancellation goes on past a future in the middle that has gone`() {
    let (source, target) = (Future(), Future())
    func linkedThroughMany() {
      let middle = (0..<4).map { _ in Future() }
      source.cascadeCancellation(to: middle[0])
      for index in 1..<4 { middle[index - 1].cascadeCancellation(to: middle[index]) }
      middle[3].cascadeCancellation(to: target)
    }
    linkedThroughMany()
    #expect(target.isPending)
    source.cancel(throwing: Reason("far away"))
    #expect(reason(target.cancellationReason) == Reason("far away"))
  }

  @Test func `a cancellation goes on past a child that has gone, from each parent to each follower`() {
    for canceller in 0..<3 {
      let (parents, followers) = ((0..<3).map { _ in Future() }, (0..<3).map { _ in Future() })
      func linkedThroughOne() {
        let middle = Future(linkedTo: parents[0], parents[1], parents[2])
        for follower in followers { middle.cascadeCancellation(to: follower) }
      }
      linkedThroughOne()
      followers[1].complete()
      parents[canceller].cancel()
      #expect(followers.map(\.isCancelled) == [true, false, true])
      #expect(parents.count { $0.isPending } == 2)
    }
  }

  @Test func `what a future in the middle handed on by completing isn't handed on without it`() {
    let (source, target) = (Future(), Future())
    func linkedThroughOne() {
      let middle = Future()
      source.cascadeCancellation(to: middle)
      middle.cascadeCancellation(to: target)
      middle.complete()
    }
    linkedThroughOne()
    source.cancel()
    #expect(target.isPending)
  }

  @Test func `a cycle of cascades keeps itself until one of it is resolved`() {
    func cycle() -> (Future, Weak<Future>) {
      let (first, second, third) = (Future(), Future(), Future())
      first.cascadeCancellation(to: second)
      second.cascadeCancellation(to: third)
      third.cascadeCancellation(to: first)
      return (first, Weak(second))
    }
    let (first, second) = cycle()
    #expect(!second.isGone)
    first.cancel()
    #expect(second.isGone)
  }

  @Test func `a cancellation isn't lost when neighbors in the middle go in one nest`() {
    let (source, target) = (Future(), Future())
    func linkedThroughTwo() {
      let (outer, inner) = (Future(), Future())
      source.cascadeCancellation(to: outer)
      outer.cascadeCancellation(to: inner)
      inner.cascadeCancellation(to: target)
      inner.onCancel(on: .inline) { _ = outer }
    }
    linkedThroughTwo()
    source.cancel()
    #expect(target.isCancelled)
  }

  @Test func `a joiner of shared work hands a cancellation on although nobody else holds it`() {
    let (work, target) = (ValueFuture<Int>(), Future())
    let shared = SharedFuture(work)
    let other = shared.join()
    func joinAndLink() { shared.join()?.cancelToken.cascadeCancellation(to: target) }
    joinAndLink()
    #expect(target.isPending)
    work.cancel()
    #expect(target.isCancelled && other?.isCancelled == true)
  }

  @Test func `an outer future ends as abandoned with the last of those that speak for it`() {
    let outer = Future()
    func droppedInner() { outer.passControl(to: Future()) }
    let second = Future()
    outer.passControl(to: second)
    droppedInner()
    #expect(outer.isPending)
    second.complete()
    #expect(outer.isCompleted)
    let other = Future()
    func droppedTwice() {
      let inner = Future()
      for _ in 0..<2 { other.passControl(to: inner) }
    }
    droppedTwice()
    #expect(other.cancellationReason is AbandonedError)
  }

  @Test func `a ring of passed control keeps itself until one of it is resolved`() {
    let live = LiveCount()
    func ring() -> Weak<Future> {
      let (left, right) = (Future(), Future())
      left.passControl(to: right)
      right.passControl(to: left)
      left.onCleanUp(on: .inline) { [instance = live.make()] in instance.touch() }
      return Weak(left)
    }
    let left = ring()
    #expect(live.value == 1)
    left.object?.cancel()
    #expect(left.isGone)
    #expect(live.value == 0)
  }

  @Test func `the inner future forgets a resolved outer one`() {
    let inner = Future()
    func passedOuter() -> Weak<Future> {
      let outer = Future()
      outer.passControl(to: inner)
      outer.complete()
      return Weak(outer)
    }
    #expect(passedOuter().isGone)
  }

  @Test func `futures that pass control to each other share their outcome`() {
    let (left, right) = (Future(), Future())
    left.passControl(to: right)
    right.passControl(to: left)
    right.complete()
    #expect(left.isCompleted)
  }
}
