// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// Threads that add to scopes, end work in them, cancel and drain them at the same time.
@Suite struct ScopeStressTests {
  private final class Subject: Sendable {
    let scope = Scope(label: "scope")
    let inside: Scope
    let members = (0..<4).map { _ in Future() }
    let drained = Gate("drained")
    /// What has begun and not ended; and how much of that there was when the scope was drained.
    let running = Atomic(0)
    let late = Atomic(0)
    let activity: Activity

    init() {
      inside = Scope(in: scope)
      activity = inside.beginActivity("first")
      for member in members {
        running.add(1, ordering: .acquiringAndReleasing)
        member.onCleanUp { self.running.subtract(1, ordering: .acquiringAndReleasing) }
      }
      scope.add(members[0])
      inside.add(members[1])
    }

    func drain() {
      Task {
        await scope.drain()
        late.store(running.load(ordering: .acquiring), ordering: .releasing)
        drained.open()
      }
    }
  }

  @Test func `a drained scope has ended, and every wait ends`() async {
    await stress(
      rounds: iterations(2_000),
      make: { Subject() },
      actors: [
        { subject in
          // In it before the first one ends: so the scope isn't over before they are.
          subject.scope.add(subject.members[2])
          subject.inside.add(subject.members[3])
          for member in subject.members.dropFirst(2) { member.complete() }
          subject.activity.end()
        },
        { subject in subject.drain() },
        { subject in subject.scope.cancel() },
      ],
      verify: { subject in
        subject.drained.wait()
        #expect(subject.late.load(ordering: .acquiring) == 0)
        #expect(subject.scope.count == 0 && subject.inside.count == 0)
      }
    )
  }

  /// Work that moves from a nested scope into the outer one: at each moment something is open.
  private final class Moving: Sendable {
    let scope = Scope(label: "scope")
    let nested: Mutex<Activity?>
    let drained = Gate("drained")
    let isOpen = Atomic(true)
    let isLate = Atomic(false)

    init() { nested = Mutex(Scope(in: scope).beginActivity("nested")) }
  }

  @Test func `work that moves out of a scope which goes at that moment is waited for`() async {
    await stress(
      rounds: iterations(10_000),
      make: { Moving() },
      actors: [
        { subject in
          let activity = subject.scope.beginActivity("outer")
          subject.nested.withLock { $0.take() }?.end()
          for _ in 0..<20 { _ = subject.scope.count == 0 }
          subject.isOpen.store(false, ordering: .releasing)
          activity.end()
        },
        { subject in
          Task {
            await subject.scope.drain()
            subject.isLate.store(subject.isOpen.load(ordering: .acquiring), ordering: .releasing)
            subject.drained.open()
          }
        },
      ],
      verify: { subject in
        subject.drained.wait()
        #expect(subject.isLate.load(ordering: .acquiring) == false)
      }
    )
  }

  @Test func `of many who add and take out at the same time nothing is left`() async {
    let actor: @Sendable (Scope) -> Void = { scope in
      let futures = (0..<8).map { _ in Future() }
      let memberships = futures.map { scope.add($0) }
      for (index, future) in futures.enumerated() {
        if index % 2 == 0 { future.complete() } else { memberships[index]?.leave() }
      }
    }
    await stress(
      rounds: iterations(1_000),
      make: { Scope(label: "scope") },
      actors: [actor, actor, actor],
      verify: { scope in #expect(scope.count == 0) }
    )
  }
}
