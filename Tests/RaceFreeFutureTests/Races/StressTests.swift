// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFuture

/// The races in which a future is resolved, with every outcome that they may have.
///
/// `RACEFREEFUTURE_ITERATIONS=100` makes each of them a million rounds.
@Suite(.serialized) struct StressTests {
  private static var rounds: Int { iterations(10_000) }
  /// Whether both sides have to win now and then.
  ///
  /// Had one side always won, the two would never have met. Not to be asked of a short run under a sanitizer, which may
  /// well be one-sided.
  private static var isLong: Bool { rounds >= 10_000 }

  /// Counts calls.
  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
  }

  @Test func `complete against cancel: one wins, and only its handlers run`() async throws {
    final class Subject: Sendable {
      let future = Future()
      let completions = Counter(), cancellations = Counter(), cleanUps = Counter()
      init() {
        future.onComplete(on: .inline) { [completions] in completions.add() }
        future.onCancel(on: .inline) { [cancellations] in cancellations.add() }
        future.onCleanUp { [cleanUps] in cleanUps.add() }
      }
    }
    await race(
      "complete against cancel",
      .init(rounds: Self.rounds, requiresAllAcceptable: Self.isLong),
      make: { Subject() },
      actors: { $0.future.tryComplete() },
      { $0.future.tryCancel() },
      outcome: { subject, completed, cancelled in
        subject.future.performAndWait {}
        let ran = "ran \(subject.completions.count) \(subject.cancellations.count) \(subject.cleanUps.count)"
        return "\(completed) \(cancelled), \(subject.future.isCompleted ? "completed" : "cancelled"), \(ran)"
      },
      expect: [
        .acceptable("true false, completed, ran 1 0 1", "completed first"),
        .acceptable("false true, cancelled, ran 0 1 1", "cancelled first"),
      ]
    )
  }

  @Test func `adding against resolving: no handler is lost or doubled, and none overtakes`() async throws {
    final class Subject: Sendable {
      let future = Future()
      let runs = EventLog<Int>()
      let inlineRuns = Counter()
    }
    await race(
      "handlers that are added while the future completes",
      .init(rounds: Self.rounds),
      make: { Subject() },
      actors: { subject in
        for index in 0..<4 { subject.future.onComplete { subject.runs.add(index) } }
        subject.future.onComplete(on: .inline) { subject.inlineRuns.add() }
      },
      { $0.future.complete() },
      outcome: { subject, _, _ in
        for _ in 0..<2 { subject.future.performAndWait {} }
        return "\(subject.runs.events) and \(subject.inlineRuns.count) inline"
      },
      expect: [.acceptable("[0, 1, 2, 3] and 1 inline", "each once, in order")]
    )
  }

  @Test func `removing against resolving: exactly one of removed and ran`() async throws {
    final class Subject: Sendable {
      let future = Future()
      let ran = (0..<3).map { _ in Counter() }
      let registrations: [Registration]
      init() {
        // The first inline handler of a future has no node; the others have.
        registrations = zip([HandlerPlace.inline, .serialQueue, .inline], ran).map { [future] context, ran in
          future.onCancel(on: context) { ran.add() }
        }
      }
    }
    await race(
      "handlers that are removed while the future is cancelled",
      .init(rounds: Self.rounds, requiresAllAcceptable: Self.isLong),
      make: { Subject() },
      actors: { $0.future.cancel() },
      { $0.registrations.map { $0.unregister() } },
      outcome: { subject, _, removed in
        for _ in 0..<2 { subject.future.performAndWait {} }
        let runs = subject.ran.map(\.count)
        guard zip(removed, runs).allSatisfy({ $0.1 == ($0.0 ? 0 : 1) }) else {
          return "removed \(removed), ran \(runs)"
        }
        return removed.contains(true) ? "removed at least one" : "ran all"
      },
      expect: [
        .acceptable("ran all", "cancelled first"),
        .acceptable("removed at least one", "removed first"),
      ]
    )
  }

  @Test func `awaiting against resolving against cancelling the task: every waiter wakes exactly once`() async throws {
    final class Subject: Sendable {
      let future = Future()
      let task: Task<Void, Never>
      let endings = EventLog<String>()
      let ended = DispatchSemaphore(value: 0)
      init() {
        task = Task { [future, endings, ended] in
          do {
            try await future.value
            endings.add("had the outcome")
          } catch {
            endings.add("left early")
          }
          ended.signal()
        }
      }
    }
    await race(
      "a task that waits, completion and the task's cancellation",
      .init(rounds: Self.rounds, patience: .seconds(300), requiresAllAcceptable: Self.isLong),
      make: { Subject() },
      actors: { $0.future.tryComplete() },
      { $0.task.cancel() },
      outcome: { subject, _, _ in
        subject.ended.wait()
        return subject.endings.events + (subject.future.isCompleted ? [] : ["not completed"])
      },
      expect: [
        .acceptable(["had the outcome"], "completed first"),
        .acceptable(["left early"], "cancelled first; the future is completed all the same"),
      ]
    )
  }

  @Test func `linking against resolving: a link never misses, and leaves nothing behind`() async throws {
    struct Subject: Sendable {
      let parent = Future(), other = Future(), outer = Future()
    }
    await race(
      "links that are made while the parent is cancelled",
      .init(rounds: Self.rounds),
      make: { Subject() },
      actors: { subject in
        subject.outer.passControl(to: subject.parent)
        return Future(linkedTo: subject.parent, subject.other)
      },
      { $0.parent.cancel() },
      outcome: { subject, child, _ in
        // The child is resolved, so the other parent, which lives on, has forgotten it.
        let isForgotten = subject.other.process { $0.handlers.isEmpty && $0.sources.isEmpty }
        return [child.isCancelled, subject.outer.isCancelled, subject.other.isPending, isForgotten]
      },
      expect: [
        .acceptable([true, true, true, true], "child and outer cancelled, other parent untouched and without links")
      ]
    )
  }

  @Test func `a middle future that is let go against a cancellation: the one behind it is cancelled`() async throws {
    final class Subject: Sendable {
      let source = Future(), target = Future()
      let middle = Locked<Future?>(nil)
      init() {
        let middle = Future(linkedTo: source)
        middle.cascadeCancellation(to: target)
        self.middle.withLock { $0 = middle }
      }
    }
    await race(
      "the last reference to the one in the middle goes while the source is cancelled",
      .init(rounds: Self.rounds),
      make: { Subject() },
      actors: { _ = $0.middle.withLock { $0.take() } },
      { $0.source.cancel() },
      outcome: { subject, _, _ in
        [subject.target.isCancelled, subject.source.process { $0.handlers.isEmpty && $0.sources.isEmpty }]
      },
      expect: [.acceptable([true, true], "cancelled, by either way, and no link is left")]
    )
  }

  @Test func `an inner future that goes against its completion: the outer one ends`() async throws {
    final class Subject: Sendable {
      let outer = Future()
      let inner: Locked<Future?>
      init() {
        let inner = Future()
        outer.passControl(to: inner)
        self.inner = Locked(inner)
      }
    }
    await race(
      "the last reference to the inner future goes while another is completing it",
      .init(rounds: Self.rounds),
      make: { Subject() },
      actors: { _ = $0.inner.withLock { $0.take() } },
      { $0.inner.withLock { $0 }?.complete() },
      outcome: { subject, _, _ in
        subject.outer.isCompleted ? "completed" : "\(subject.outer.cancellationReason is AbandonedError)"
      },
      expect: [.acceptable("completed", "the inner one first"), .acceptable("true", "abandoned")]
    )
  }

  @Test func `children resolved against their parent's cancellation: none is missed`() async throws {
    struct Subject: Sendable {
      let parent = Future()
      let children: [Future]
      init() { children = (0..<8).map { [parent] _ in Future(linkedTo: parent) } }
    }
    await race(
      "half of the children complete while their parent is cancelled",
      .init(rounds: Self.rounds),
      make: { Subject() },
      actors: { $0.parent.cancel() },
      { subject in for index in stride(from: 0, to: 8, by: 2) { subject.children[index].complete() } },
      outcome: { subject, _, _ in
        let others = stride(from: 1, to: 8, by: 2).filter { subject.children[$0].isCancelled }
        return "\(subject.children.count { $0.isPending }) pending, \(others.count) of the others cancelled"
      },
      expect: [.acceptable("0 pending, 4 of the others cancelled", "each is told")]
    )
  }

  @Test func `what is linked to a future that was about to go is told by it`() async throws {
    final class Subject: @unchecked Sendable {
      weak let session: Future?
      /// Used by one actor only.
      var child: Future?
      init(linkedTo root: Future) {
        let session = Future(linkedTo: root)
        self.session = session
        child = Future(linkedTo: session)
      }
    }
    let root = Future()
    await race(
      "the last child of a session goes while a new one is linked to it by a weak reference",
      .init(rounds: Self.rounds, requiresAllAcceptable: Self.isLong),
      make: { Subject(linkedTo: root) },
      actors: { $0.child = nil },
      { subject in subject.session.map { session in (session, Future(linkedTo: session)) } },
      outcome: { subject, _, late in
        guard let (session, child) = late else { return "the session was gone" }
        session.cancel()
        return child.isCancelled ? "told" : "not told"
      },
      expect: [
        .acceptable("the session was gone"),
        .acceptable("told", "the new child keeps its session, which tells it"),
        .forbidden("not told", "the new link was lost"),
      ]
    )
  }

  @Test func `children coming and going against a parent's cancellation: all are cancelled or gone`() async throws {
    let live = LiveCount()
    await race(
      "children are made, some complete, and all are dropped while their parent is cancelled",
      .init(rounds: Self.rounds),
      make: { Future() },
      actors: { parent in
        (0..<4).count { index in
          let instance = live.make()
          let child = Future(linkedTo: parent)
          child.onCleanUp(on: .inline) { instance.touch() }
          return index % 2 == 0 && child.tryComplete()
        }
      },
      { $0.cancel() },
      outcome: { parent, completed, _ in "\(parent.isCancelled), \(completed) completed" },
      expect: (0...2).map { .acceptable("true, \($0) completed") }
    )
    try await eventually("all children are released") { live.value == 0 }
  }

  @Test func `two cancellations in one tree: no handler sees a half-cancelled tree below itself`() async throws {
    final class Subject: Sendable {
      let chain: [Future]
      let halves = Counter()
      init() {
        var chain = [Future()]
        for _ in 0..<6 { chain.append(Future(linkedTo: chain[chain.count - 1])) }
        self.chain = chain
        for (index, future) in chain.enumerated() {
          let below = Array(chain[index...])
          future.onCancel(on: .inline) { [halves] in
            if !below.allSatisfy(\.isCancelled) { halves.add() }
          }
        }
      }
    }
    await race(
      "a tree is cancelled at its root and in its middle",
      .init(rounds: Self.rounds, requiresAllAcceptable: Self.isLong),
      make: { Subject() },
      actors: { $0.chain[0].tryCancel() },
      { $0.chain[2].tryCancel() },
      outcome: { subject, root, middle in
        let all = subject.chain.allSatisfy(\.isCancelled) ? "all" : "not all"
        return "\(root) \(middle), \(all) cancelled, \(subject.halves.count) half trees seen"
      },
      expect: [
        .acceptable("true false, all cancelled, 0 half trees seen", "the root was first, and told the middle"),
        .acceptable("true true, all cancelled, 0 half trees seen", "the middle was first"),
      ]
    )
  }

  @Test(arguments: [false, true])
  func `two cancellations of futures that pass control: no handler sees one that isn't cancelled`(
    toMany: Bool
  ) async throws {
    final class Subject: Sendable {
      let middle = Future()
      let others = (0..<6).map { _ in Future() }
      let halves = Counter()
      init(toMany: Bool) {
        // The middle one speaks for all others, or all others for the middle one.
        for other in others { if toMany { middle.passControl(to: other) } else { other.passControl(to: middle) } }
        for future in others + [middle] {
          future.onCancel(on: .inline) { [middle, others, halves] in
            if !middle.isCancelled || !others.allSatisfy(\.isCancelled) { halves.add() }
          }
        }
      }
    }
    await race(
      "one in the middle and one of those around it are cancelled",
      .init(rounds: Self.rounds, requiresAllAcceptable: false),
      make: { Subject(toMany: toMany) },
      actors: { $0.middle.cancel() },
      { $0.others[0].cancel() },
      outcome: { subject, _, _ in
        "\(subject.middle.isCancelled), \(subject.halves.count) half trees seen"
      },
      expect: [.acceptable("true, 0 half trees seen", "each walk has found its way to all others")]
    )
  }

  @Test func `perform against cancel: what a block saw holds until it ends`() async throws {
    await race(
      "a block looks again and again while the future is cancelled",
      .init(rounds: Self.rounds, requiresAllAcceptable: Self.isLong),
      make: { Future() },
      actors: { future in
        future.performAndWait { Set((0..<20).map { _ in future.isPending }) }
      },
      { $0.cancel() },
      outcome: { future, seen, _ in
        future.performAndWait {}
        return "\(seen.map { $0 ? "pending" : "cancelled" }.sorted()), \(future.isCancelled)"
      },
      expect: [
        .acceptable("[\"pending\"], true", "the block was first"),
        .acceptable("[\"cancelled\"], true", "the cancellation was first"),
      ]
    )
  }
}
