// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@_spi(Drawing) @testable import RaceFreeFutureExploring

/// Orders that are drawn at random: which mistakes each way of drawing finds, and what is counted.
@Suite(.serialized) struct SamplingTests {
  typealias Way = Search.Way

  /// Returns the number of the first order that fails, of at most 300; nil if none does.
  private func firstFailure(
    _ way: Way,
    seed: Int,
    _ scenario: @escaping @Sendable (Scenario) throws -> Void
  ) async -> Int? {
    var search = Search.sample(orders: 300, seed: UInt64(seed))
    search.ways = [way]
    let report = await Explorer("\(way)", search, .steps(scenario)).run()
    return report.failure == nil ? nil : report.orders
  }

  /// Counts forty times before the only moment at which it may not be seen.
  private static let late: @Sendable (Scenario) -> Void = { scenario in
    let (shared, busy) = (Variable(0), Variable(0))
    scenario.thread("long") {
      for _ in 0..<40 { busy.value += 1 }
      shared.value = 1
      shared.value = 0
    }
    scenario.thread("short") { if shared.value == 1 { throw Reason("seen") } }
  }

  /// Many write twice each, and one reads.
  private static let crowd: @Sendable (Scenario) -> Void = { scenario in
    let (first, second) = (Variable(0), Variable(0))
    for number in 0..<8 {
      scenario.thread("\(number)") {
        first.value = 1
        second.value = 1
      }
    }
    scenario.thread("reader") { if first.value != second.value { throw Reason("half") } }
  }

  @Test func `By the steps ahead, a moment late in a long line is found`() async {
    for seed in 1...5 {
      #expect(await firstFailure(.weights, seed: seed, Self.late) != nil)
    }
  }

  @Test func `By conflicts, one who comes between two of a crowd is found`() async {
    for seed in 1...5 {
      #expect(await firstFailure(.conflicts, seed: seed, Self.crowd) != nil)
    }
  }

  @Test(.withoutRecording)
  func `Where threads have many races, one who comes between two of a crowd is found among the first orders`() async {
    var search = Search.exhaustive(maxOrders: 2_000)
    for seed in 1...5 {
      search.seed = UInt64(seed)
      let report = await explore("a crowd", search, scenario: Self.crowd)
      #expect(report.failure != nil && report.orders < 100, "\(report)")
    }
    search.ways = []
    let alone = await explore("a crowd", search, scenario: Self.crowd)
    #expect(alone.failure == nil && alone.orders == 2_000, "\(alone)")
  }

  @Test func `Of a search that runs all orders, those that were drawn first aren't counted`() async {
    var search = Search.exhaustive(seed: 1)
    let lines: @Sendable (Scenario) -> Void = { scenario in
      let shared = Variable(0)
      for number in 0..<5 { scenario.thread("\(number)") { shared.value = number } }
    }
    let mixed = await explore("five writers", search, scenario: lines)
    search.ways = []
    let alone = await explore("five writers", search, scenario: lines)
    #expect(mixed.isComplete && alone.isComplete && mixed.orders == 120 && alone.orders == 120, "\(mixed)")
  }

  @Test(.withoutRecording, arguments: Way.allCases)
  func `Each way finds a lost increment of tasks, the same for the same seed`(way: Way) async {
    var reports: [Exploration] = []
    for _ in 0..<2 {
      var search = Search.sample(orders: 300, seed: 1)
      search.ways = [way]
      let body: @Sendable @concurrent (TaskScenario) async -> Void = { scenario in
        let box = Box()
        let add: @Sendable () async -> Void = { await box.set(box.value + 1) }
        async let one: Void = add()
        async let two: Void = add()
        _ = await (one, two)
        await scenario.check(box.value == 2, "lost")
      }
      await reports.append(Explorer("\(way)", search, .body(body)).run())
    }
    #expect(reports.allSatisfy { $0.failure == "lost" } && reports[0].order == reports[1].order, "\(reports)")
  }

  @Test func `Orders that were drawn before are counted once more, but as the same`() async {
    let report = await explore("two orders", .sample(orders: 50, seed: 1)) { scenario in
      for name in ["a", "b"] { scenario.actor(name, .init("step") {}) }
    }
    #expect(report.passed && report.orders == 50)
    let words = report.description.replacing("\n", with: " ")
    #expect(words.contains("50 at random with seed 1 (2 different ones)"), "\(report)")
  }

  // MARK: What is known of the lines

  @Test func `A line's steps ahead are its own, and those of the lines that it will make`() {
    var trail = OrderTrail()
    let thing = Footprint.Thing.primitive(1)
    // Line 0 makes 1 in its first step, and 1 makes 2.
    trail.append(0, of: [0], .nothing)
    trail.append(1, of: [0, 1], Footprint(thing, .write), madeBy: 0)
    trail.append(2, of: [0, 2], Footprint(thing, .read), madeBy: 1)
    trail.append(0, of: [0, 2], Footprint(thing, .read))
    trail.append(2, of: [2], Footprint(.primitive(2), .read))
    let profile = OrderProfile(trail)
    #expect(profile.shared == [thing])
    #expect(profile.footprint(of: 2, at: 1) == Footprint(.primitive(2), .read))
    #expect(profile.footprint(of: 2, at: 2) == nil && profile.footprint(of: 3, at: 0) == nil)
    func ahead(_ line: Int, _ index: Int, _ known: Set<Int>, _ thing: Footprint.Thing?) -> Int {
      profile.ahead(of: line, at: index, besides: known.contains, profile.counts(of: thing))
    }
    #expect(ahead(0, 0, [0], nil) == 5 && ahead(0, 1, [0, 1], nil) == 1)
    #expect(ahead(1, 0, [0, 1], nil) == 3 && ahead(1, 1, [0, 1, 2], nil) == 0 && ahead(2, 1, [2], nil) == 1)
    #expect(ahead(0, 0, [0], thing) == 3 && ahead(2, 1, [2], thing) == 0 && ahead(7, 0, [7], nil) == 0)
  }
}
