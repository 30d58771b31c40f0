// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// A deadline that is moved while it comes, with timers of Dispatch's.
@Suite(.serialized) struct DeadlineStressTests {
  /// What became of each call, and of the future.
  private final class Subject: Sendable {
    let future = Future()
    let deadline: Deadline
    let feeding = Variable(0)
    let pulling = Variable<Bool?>(nil)
    let taking = Variable<Bool?>(nil)
    let wasPending = Variable<Bool?>(nil)
    /// The instant of the deadline before all moves.
    let first: ContinuousClock.Instant

    init(_ interval: Duration) {
      deadline = future.cancel(after: interval)
      first = deadline.instant
    }
  }

  @Test func `moving against coming: of moved and cancelled exactly one holds`() async {
    final class Subject: Sendable {
      let future = Future()
      let moved = Variable<Deadline?>(nil)
    }
    await stress(
      rounds: iterations(5_000),
      make: { Subject() },
      actors: [
        { subject in
          // It comes on another thread, now before the move and now after it.
          let deadline = subject.future.cancel(after: .microseconds(.random(in: 1...100)))
          spin(microseconds: .random(in: 0...150))
          if deadline.extend(by: .seconds(3_600)) { subject.moved.value = deadline }
        }
      ],
      verify: { subject in
        if let deadline = subject.moved.value {
          // The former instant cancels nothing any more, also not when it has long passed.
          while ContinuousClock.now < deadline.instant - .seconds(3_600) + .microseconds(100) {}
          #expect(subject.future.isPending && deadline.unregister())
        } else {
          // No block is queued: what decided has done so by now.
          #expect(subject.future.isCancelled)
        }
      }
    )
  }

  @Test func `of moves at the same time, to and fro, the last one counts, and it comes`() async {
    await stress(
      rounds: iterations(2_000),
      make: { Subject(.seconds(3_600)) },
      actors: [
        { subject in
          for _ in 0..<10 where subject.deadline.extend(by: .microseconds(5)) { subject.feeding.value += 1 }
        },
        { subject in
          // From an hour to now, and on from there by whatever the other one adds.
          subject.pulling.value = subject.deadline.extend(by: .seconds(-3_600) + .microseconds(50))
        },
      ],
      verify: { subject in
        #expect(subject.pulling.value == true)
        #expect(subject.future.wait() == .cancelled)
        let error = subject.future.cancellationReason as? TimeoutError
        #expect(error?.deadline == subject.deadline.instant && ContinuousClock.now >= subject.deadline.instant)
        let moves = Duration.microseconds(50 + 5 * subject.feeding.value) - .seconds(3_600)
        #expect(subject.deadline.instant == subject.first + moves)
      }
    )
  }

  @Test func `taking back against the timer: true and it is pending, or false and it is cancelled`() async {
    await stress(
      rounds: iterations(5_000),
      make: { Subject(.microseconds(.random(in: 1...100))) },
      actors: [
        { subject in
          spin(microseconds: .random(in: 0...100))
          subject.taking.value = subject.deadline.unregister()
          // At once: nothing is queued that could still be about to decide.
          subject.wasPending.value = subject.future.isPending
        }
      ],
      verify: { subject in #expect(subject.taking.value == subject.wasPending.value) }
    )
  }

  @Test func `moving against taking back and against the outcome: nothing is left, and nothing cancels`() async {
    await stress(
      rounds: iterations(2_000),
      make: { Subject(.seconds(1_800)) },
      actors: [
        { subject in for _ in 0..<5 { subject.deadline.move(to: .now + .seconds(.random(in: 1_000...2_000))) } },
        { subject in subject.taking.value = subject.deadline.unregister() },
        { subject in subject.future.complete() },
      ],
      verify: { subject in
        #expect(subject.future.isCompleted && subject.taking.value != nil)
        #expect(!subject.deadline.move(to: .now) && subject.future.deadline == nil)
      }
    )
  }

  @Test func `code that asks for the deadline while links and deadlines come and go finds one that was there`() async {
    final class Tree: Sendable {
      let (root, child) = (Future(), Future())
      let base = ContinuousClock.now + .seconds(1_000)
      let wrong = EventLog<ContinuousClock.Instant>()
    }
    await stress(
      rounds: iterations(2_000),
      make: { Tree() },
      actors: [
        { tree in
          tree.root.cascadeCancellation(to: tree.child)
          tree.root.cancel(at: tree.base).extend(by: .seconds(1))
          tree.root.cancel()
        },
        { tree in
          tree.child.cancel(at: tree.base + .seconds(2)).unregister()
          tree.child.cancel(at: tree.base + .seconds(3))
        },
        { tree in
          let possible = (0...3).map { tree.base + .seconds($0) }
          for _ in 0..<5 { if let found = tree.child.deadline, !possible.contains(found) { tree.wrong.add(found) } }
        },
      ],
      verify: { tree in #expect(tree.wrong.events.isEmpty && tree.child.deadline == nil && tree.child.isCancelled) }
    )
  }
}
