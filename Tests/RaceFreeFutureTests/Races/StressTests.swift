// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFuture

/// The races in which a future is resolved, each run until its actors have met many times.
///
/// `RACEFREEFUTURE_ITERATIONS=50` makes each of them a million rounds.
@Suite(.serialized) struct StressTests {
  private static var rounds: Int { iterations(20_000) }

  @Test func `complete against cancel: one wins, and only its handlers run`() async {
    final class Subject: Sendable {
      let future = Future()
      let completions = Atomic(0), cancellations = Atomic(0), cleanUps = Atomic(0), winners = Atomic(0)
      init() {
        future.onComplete(on: .inline) { [self] in completions.add(1, ordering: .relaxed) }
        future.onCancel(on: .inline) { [self] in cancellations.add(1, ordering: .relaxed) }
        future.onCleanUp { [self] in cleanUps.add(1, ordering: .relaxed) }
      }
    }
    let completed = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { if $0.future.tryComplete() { $0.winners.add(1, ordering: .relaxed) } },
        { if $0.future.tryCancel() { $0.winners.add(1, ordering: .relaxed) } },
      ],
      verify: { subject in
        subject.future.performAndWait { _ in }
        let isCompleted = subject.future.isCompleted
        if isCompleted { completed.add(1, ordering: .relaxed) }
        #expect(subject.winners.load(ordering: .relaxed) == 1)
        #expect(subject.completions.load(ordering: .relaxed) == (isCompleted ? 1 : 0))
        #expect(subject.cancellations.load(ordering: .relaxed) == (isCompleted ? 0 : 1))
        #expect(subject.cleanUps.load(ordering: .relaxed) == 1)
      }
    )
    // Had one side always won, the two would never have met.
    #expect((1..<Self.rounds).contains(completed.load(ordering: .relaxed)))
  }

  @Test func `adding against resolving: no handler is lost or doubled, and none overtakes`() async {
    final class Subject: Sendable {
      let future = Future()
      let runs = EventLog<Int>()
      let inlineRuns = Atomic(0)
    }
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { subject in
          for index in 0..<4 { subject.future.onComplete { subject.runs.add(index) } }
          subject.future.onComplete(on: .inline) { subject.inlineRuns.add(1, ordering: .relaxed) }
        },
        { $0.future.complete() },
      ],
      verify: { subject in
        for _ in 0..<2 { subject.future.performAndWait { _ in } }
        #expect(subject.runs.events == [0, 1, 2, 3])
        #expect(subject.inlineRuns.load(ordering: .relaxed) == 1)
      }
    )
  }

  @Test func `removing against resolving: exactly one of removed and ran`() async {
    final class Subject: Sendable {
      let future = Future()
      let ran = Atomic(0), removed = Atomic(0)
      let registrations: [Registration]
      init() {
        let (future, ran) = (self.future, Counter())
        // The first inline handler of a future has no node; the others have.
        registrations = [HandlerContext.inline, .serialQueue, .inline].map { context in
          future.onCancel(on: context) { ran.add() }
        }
        counter = ran
      }
      let counter: Counter
    }
    final class Counter: Sendable {
      let value = Atomic(0)
      func add() { value.add(1, ordering: .relaxed) }
    }
    let ranInAll = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { $0.future.cancel() },
        { subject in
          for registration in subject.registrations where registration.remove() {
            subject.removed.add(1, ordering: .relaxed)
          }
        },
      ],
      verify: { subject in
        for _ in 0..<2 { subject.future.performAndWait { _ in } }
        let ran = subject.counter.value.load(ordering: .relaxed)
        ranInAll.add(ran, ordering: .relaxed)
        #expect(ran + subject.removed.load(ordering: .relaxed) == 3)
      }
    )
    #expect((1..<Self.rounds * 3).contains(ranInAll.load(ordering: .relaxed)))
  }

  @Test func `awaiting against resolving against cancelling the task: every waiter wakes exactly once`() async {
    final class Subject: Sendable {
      let future = Future()
      let task: Task<Void, Never>
      let endings = EventLog<Future.Outcome>()
      let ended = DispatchSemaphore(value: 0)
      init() {
        task = Task { [future, endings, ended] in
          do {
            try await future.value
            endings.add(.completed)
          } catch {
            endings.add(.cancelled)
          }
          ended.signal()
        }
      }
    }
    let left = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [{ $0.future.complete() }, { $0.task.cancel() }],
      verify: { subject in
        subject.ended.wait()
        #expect(subject.future.isCompleted)
        #expect(subject.endings.events.count == 1)
        if subject.endings.events == [.cancelled] { left.add(1, ordering: .relaxed) }
      }
    )
    // Had nobody left early, or everybody, the three would never have met.
    #expect((1..<Self.rounds).contains(left.load(ordering: .relaxed)))
  }

  @Test func `linking against resolving: a link never misses, and leaves nothing behind`() async {
    final class Subject: Sendable {
      let parent = Future(), other = Future(), outer = Future()
      let child = EventLog<Future>()
    }
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { subject in
          subject.child.add(Future(linkedTo: subject.parent, subject.other))
          subject.outer.passControl(to: subject.parent)
        },
        { $0.parent.cancel() },
      ],
      verify: { subject in
        #expect(subject.child.events[0].isCancelled)
        #expect(subject.outer.isCancelled)
        // The child is resolved, so the other parent, which lives on, has forgotten it.
        #expect(subject.other.process { $0.dismantleLinks() } == nil)
        #expect(subject.other.isPending)
      }
    )
  }

  @Test func `children resolved against their parent's cancellation: none is missed`() async {
    final class Subject: Sendable {
      let parent = Future()
      let children: [Future]
      init() {
        let parent = self.parent
        children = (0..<8).map { _ in Future(linkedTo: parent) }
      }
    }
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { $0.parent.cancel() },
        { subject in for index in stride(from: 0, to: 8, by: 2) { subject.children[index].complete() } },
      ],
      verify: { subject in
        for index in stride(from: 1, to: 8, by: 2) { #expect(subject.children[index].isCancelled) }
      }
    )
  }

  @Test func `what is linked to a future that was about to go is told by it`() async {
    final class Subject: @unchecked Sendable {
      weak let session: Future?
      // Each is used by one actor, and read when both have returned.
      var child: Future?
      var late: (parent: Future, child: Future)?
      init(linkedTo root: Future) {
        let session = Future(linkedTo: root)
        self.session = session
        child = Future(linkedTo: session)
      }
    }
    let root = Future()
    let broughtBack = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject(linkedTo: root) },
      actors: [
        { $0.child = nil },
        { subject in
          if let session = subject.session { subject.late = (session, Future(linkedTo: session)) }
        },
      ],
      verify: { subject in
        guard let (parent, child) = subject.late else { return }
        broughtBack.add(1, ordering: .relaxed)
        parent.cancel()
        #expect(child.isCancelled)
      }
    )
    #expect(broughtBack.load(ordering: .relaxed) > 0)
  }

  @Test func `children coming and going against a parent's cancellation: all are cancelled or gone`() async {
    final class Subject: Sendable {
      let parent = Future()
      let completed = Atomic(0)
    }
    let live = LiveCount()
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { subject in
          for index in 0..<4 {
            let instance = live.make()
            let child = Future(linkedTo: subject.parent)
            child.onCleanUp(on: .inline) { instance.touch() }
            if index % 2 == 0, child.tryComplete() { subject.completed.add(1, ordering: .relaxed) }
          }
        },
        { $0.parent.cancel() },
      ],
      verify: { #expect($0.parent.isCancelled) }
    )
    #expect(live.value == 0)
  }

  @Test func `two cancellations in one tree: no handler sees a half-cancelled tree below itself`() async {
    final class Subject: Sendable {
      let chain: [Future]
      let halves = Atomic(0)
      init() {
        var chain = [Future()]
        for _ in 0..<6 { chain.append(Future(linkedTo: chain[chain.count - 1])) }
        self.chain = chain
        for (index, future) in chain.enumerated() {
          let below = Array(chain[index...])
          future.onCancel(on: .inline) { [self] in
            if !below.allSatisfy(\.isCancelled) { halves.add(1, ordering: .relaxed) }
          }
        }
      }
    }
    let middleFirst = Atomic(0)
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { $0.chain[0].cancel() },
        { if $0.chain[2].tryCancel() { middleFirst.add(1, ordering: .relaxed) } },
      ],
      verify: { subject in
        #expect(subject.chain.allSatisfy { $0.isCancelled })
        #expect(subject.halves.load(ordering: .relaxed) == 0)
      }
    )
    #expect((1..<Self.rounds).contains(middleFirst.load(ordering: .relaxed)))
  }

  @Test func `perform against cancel: what a block saw holds until it ends`() async {
    final class Subject: Sendable {
      let future = Future()
      let torn = Atomic(0)
    }
    await stress(
      rounds: Self.rounds,
      make: { Subject() },
      actors: [
        { subject in
          subject.future.performAndWait { state in
            let before = state.isPending
            for _ in 0..<20 where state.isPending != before { subject.torn.add(1, ordering: .relaxed) }
          }
        },
        { $0.future.cancel() },
      ],
      verify: { subject in
        subject.future.performAndWait { _ in }
        #expect(subject.future.isCancelled)
        #expect(subject.torn.load(ordering: .relaxed) == 0)
      }
    )
  }
}
