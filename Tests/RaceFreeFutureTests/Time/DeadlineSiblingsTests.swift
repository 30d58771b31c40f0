// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Futures that were created from one: each of them may cancel it, and so bring it a deadline.
@Suite struct DeadlineSiblingsTests {
  private let now = Deadline.now

  /// The number of futures that reading the deadline visits.
  private func visited(_ work: some CancellableWork) -> Int {
    var (found, known) = ([work.cancelToken.future], Set<ObjectIdentifier>())
    while let future = found.popLast() {
      if known.insert(ObjectIdentifier(future)).inserted { found += future.process { $0.deadlinesAhead().others } }
    }
    return known.count
  }

  @Test func `it takes the same, however many there are`() {
    let source = ValueFuture<Int>()
    let derived = (0..<1_000).map { _ in source.map { $0 } }
    #expect(visited(derived[0]) == 2 && derived[0].deadline == nil)
    source.cancel(at: now + .seconds(900))
    #expect(visited(derived[0]) == 2 && derived[0].deadline == now + .seconds(900))
    derived[7].cancel(at: now + .seconds(800))
    #expect(visited(derived[0]) == 3 && derived[0].deadline == now + .seconds(800))
    let below = derived[3].map { $0 }.map { $0 }
    #expect(visited(derived[0]) == 3)
    below.cancel(at: now + .seconds(700))
    #expect(visited(derived[0]) == 6 && derived[0].deadline == now + .seconds(700))
    source.cancel()
  }

  @Test func `a deadline is found wherever it is set, before or after the links`() {
    for isLinkedFirst in [true, false] {
      let (source, other, parent) = (ValueFuture<Int>(), ValueFuture<Int>(), Future())
      let derived = (0..<3).map { _ in source.map { $0 } }
      let set = {
        parent.cancel(at: now + .seconds(800))
        other.cancel(at: now + .seconds(700))
      }
      if !isLinkedFirst { set() }
      parent.cascadeCancellation(to: derived[1])
      #expect(derived[0].deadline == (isLinkedFirst ? nil : now + .seconds(800)))
      let all = ValueFuture.all([derived[2], other])
      if isLinkedFirst { set() }
      #expect(derived[0].deadline == now + .seconds(700))
      let any = ValueFuture.any([all.map { $0[0] }, derived[1]])
      any.cancel(at: now + .seconds(600))
      #expect(derived[0].deadline == now + .seconds(600))
      source.cancel()
      other.cancel()
    }
  }

  @Test func `a chain of 100,000 passes a deadline on to its beginning`() {
    let source = ValueFuture<Int>()
    let sibling = source.map { $0 }
    var last = source
    for _ in 0..<100_000 { last = last.map { $0 } }
    last.cancel(at: now + .seconds(900))
    #expect(sibling.deadline == now + .seconds(900))
    source.cancel()
  }

  @Test func `one that is set while a link is made is found`() async {
    for _ in 0..<iterations(1_000) {
      let (source, beginning, target) = (Future(), Future(), Future())
      beginning.passControl(to: source)
      await onThreads([
        { source.passControl(to: target) },
        { [now] in target.cancel(at: now + .seconds(900)) },
      ])
      #expect(beginning.deadline == now + .seconds(900))
      target.cancel()
    }
  }

  @Test func `in graphs of any form it is the earliest of all that reach it`() {
    var generator = SeededGenerator(seed: testSeed)
    for round in 0..<iterations(300) {
      var graph = Graph()
      for step in 0..<20 {
        graph.grow(now + .seconds(1_000 - step), &generator)
        for index in graph.works.indices {
          #expect(graph.works[index].deadline == graph.earliest(index), "round \(round) of \(testSeed), \(index)")
        }
      }
      for work in graph.works { work.cancel() }
    }
  }

  /// Futures, and whose cancellation reaches whom at once.
  private struct Graph {
    var works = [ValueFuture<Int>()]
    private var deadlines: [ContinuousClock.Instant?] = [nil]
    private var reaches: [(from: Int, to: Int)] = []

    mutating func grow(_ instant: ContinuousClock.Instant, _ generator: inout SeededGenerator) {
      let (one, two) = (
        Int.random(in: works.indices, using: &generator), Int.random(in: works.indices, using: &generator)
      )
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: add(ValueFuture())
      case 1, 2: add(works[one].map { $0 }, of: [one])
      case 3: add(ValueFuture.all([works[one], works[two]]).map { $0[0] }, of: [one, two])
      case 4: add(ValueFuture.any([works[one], works[two]]), of: [one, two], isAny: true)
      case 5 where one != two:
        works[one].cascadeCancellation(to: works[two])
        reaches.append((one, two))
      default:
        works[one].cancel(at: instant)
        deadlines[one] = instant
      }
    }

    private mutating func add(_ work: ValueFuture<Int>, of sources: [Int] = [], isAny: Bool = false) {
      for source in sources {
        reaches.append((works.count, source))
        if !isAny { reaches.append((source, works.count)) }
      }
      works.append(work)
      deadlines.append(nil)
    }

    func earliest(_ index: Int) -> ContinuousClock.Instant? {
      var (found, known) = ([index], Set<Int>())
      while let next = found.popLast() {
        if known.insert(next).inserted { found += reaches.filter { $0.to == next }.map(\.from) }
      }
      return known.compactMap { deadlines[$0] }.min()
    }
  }
}
