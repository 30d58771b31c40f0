// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// Clients of one key in every order, with the cache and with caches that have a fault.
@Suite struct ExploredSharedFuturesTests {
  typealias Work = @Sendable () -> ValueFuture<Int>
  /// Joins the one key of a new cache.
  private typealias Cache = @Sendable (@escaping Work) -> ValueFuture<Int>

  /// Makes computations, and knows which of them run and have begun.
  private final class Computations: Sendable {
    let begun = Variable<[Int]>([])
    /// The first one has begun, and may end.
    let (isStarted, mayEnd) = (Future(), Future())
    private let running = Variable(0)
    private let scenario: TaskScenario
    private let firstFails: Bool

    init(_ scenario: TaskScenario, firstFails: Bool = false) {
      (self.scenario, self.firstFails) = (scenario, firstFails)
    }

    func callAsFunction(_ number: Int) -> Work {
      { [self] in
        .task { [self] in
          running.value += 1
          scenario.check(running.value == 1, "two computations run")
          begun.value.append(number)
          let fails = firstFails && begun.value.count == 1
          isStarted.complete()
          if number == 1, !firstFails { _ = await mayEnd.outcome } else { await Task.yield() }
          running.value -= 1
          if fails { throw Reason("offline") }
          return number
        }
      }
    }
  }

  /// The first client leaves, the second one, which perhaps waits for the end of that, may leave, too, and then a third one
  /// comes.
  private static func leaving(_ leaves: Bool, _ make: @escaping @Sendable () -> Cache) async -> Exploration {
    await exploreTasks("clients leave, and others come", .exhaustive(maxOrders: 1_000)) { scenario in
      let (join, compute) = (make(), Computations(scenario))
      let first = join(compute(1))
      _ = await compute.isStarted.outcome
      first.cancel()
      let second = join(compute(2))
      if leaves { second.cancel() } else { compute.mayEnd.complete() }
      for _ in 1...3 { await Task.yield() }
      let third = join(compute(3))
      compute.mayEnd.complete()
      let value = try await third.value
      if leaves { return }
      scenario.check(try await second.value == value, "they have different values")
      scenario.check(!compute.begun.value.contains(3), "\(compute.begun.value) have begun")
    }
  }

  /// Two clients ask, and each asks once more after a failure, as the first computation is one.
  private static func failing(_ make: @escaping @Sendable () -> Cache) async -> Exploration {
    await exploreTasks("a failure is computed again, once for all", .exhaustive(maxOrders: 1_000)) { scenario in
      let (join, compute) = (make(), Computations(scenario, firstFails: true))
      let client: @Sendable (Int) async throws -> Int = { number in
        do {
          return try await join(compute(number)).value
        } catch {
          return try await join(compute(number)).value
        }
      }
      async let (first, second) = (client(1), client(2))
      let values = try await [first, second]
      scenario.check(values[0] == values[1], "the clients have \(values)")
      scenario.check(compute.begun.value.count == 2, "\(compute.begun.value) have begun")
    }
  }

  private static let cache: @Sendable () -> Cache = {
    let works = SharedFutures<String, Int>(keeping: 1)
    return { works.join("key", $0) }
  }

  @Test(arguments: [false, true])
  func `no matter who leaves when, one computation runs at a time, and who stays gets its value`(leaves: Bool) async {
    let report = await Self.leaving(leaves, Self.cache)
    #expect(report.passed, "\(report)")
  }

  @Test func `a failure isn't joined later, and two clients who ask again begin one computation`() async {
    let report = await Self.failing(Self.cache)
    #expect(report.passed, "\(report)")
  }

  @Test(.withoutRecording, arguments: FaultyCache.Fault.allCases)
  func `a cache with a fault is found out`(fault: FaultyCache.Fault) async {
    let make: @Sendable () -> Cache = {
      let cache = FaultyCache(fault)
      return { cache.join($0) }
    }
    let (report, failure) =
      switch fault {
      case .joinsFailures: (await Self.failing(make), "offline")
      case .beginsAtCancellation, .forgetsWhatRuns: (await Self.leaving(true, make), "two computations run")
      case .forgetsByName: (await Self.leaving(false, make), "they have different values")
      }
    #expect(report.failure?.contains(failure) == true, "\(report)")
  }
}

/// A cache of one key, with a fault.
final class FaultyCache: Sendable {
  enum Fault: CaseIterable {
    /// The next computation begins when the former one was cancelled.
    case beginsAtCancellation
    /// The end of a computation removes whatever there is for the key.
    case forgetsByName
    /// A computation that has failed, but not ended, is joined.
    case joinsFailures
    /// The end of a computation that waited removes the key, although a former one still runs.
    case forgetsWhatRuns
  }

  private struct Slot {
    var scope = Scope(limit: 1)
    var latest: SharedFuture<Int>?
    var openCount = 0
  }

  private let slot = Mutex(Slot())
  private let fault: Fault

  init(_ fault: Fault) { self.fault = fault }

  func join(_ work: @escaping ExploredSharedFuturesTests.Work) -> ValueFuture<Int> {
    slot.withLock { slot in
      if let joiner = slot.latest?.join() {
        guard fault != .joinsFailures, case .failure? = joiner.result else { return joiner }
      }
      if fault == .beginsAtCancellation { slot.scope = Scope(limit: 1) }
      let computation = slot.scope.start(work)
      let shared = SharedFuture(computation)
      slot.latest = shared
      slot.openCount += 1
      Task {
        await computation.drain()
        self.end(shared, isKept: computation.isCompleted)
      }
      return shared.join() ?? computation
    }
  }

  private func end(_ shared: SharedFuture<Int>, isKept: Bool) {
    slot.withLock { slot in
      slot.openCount -= 1
      if fault == .forgetsByName || slot.latest === shared && !isKept { slot.latest = nil }
      guard slot.latest == nil, fault == .forgetsWhatRuns || slot.openCount == 0 else { return }
      slot = Slot()
    }
  }
}
