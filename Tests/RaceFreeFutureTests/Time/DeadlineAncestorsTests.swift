// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

/// The deadlines of the futures on which one depends, through any links.
@Suite struct DeadlineAncestorsTests {
  /// No test takes so long that it comes.
  private let start = Deadline.now + .seconds(1_000_000)

  @Test func `it takes the same, however many were created from the same one, and theirs aren't asked`() {
    let source = ValueFuture<Int>()
    let derived = (0..<1_000).map { _ in source.map { $0 } }
    derived[7].cancel(at: start + .seconds(800))
    #expect(derived[0].deadline == nil && source.deadline == nil)
    source.cancel(at: start + .seconds(900))
    #expect(derived[0].deadline == start + .seconds(900) && derived[7].deadline == start + .seconds(800))
    #expect(source.future.process { $0.cancellingSources.isEmpty })
    #expect(derived[0].future.process { $0.cancellingSources.elementsEqual([source.future], by: ===) })
    source.cancel()
  }

  @Test func `a deadline is found wherever it is set, before or after the links`() {
    for isLinkedFirst in [true, false] {
      let (source, other, parent) = (ValueFuture<Int>(), ValueFuture<Int>(), Future())
      let set = {
        parent.cancel(at: start + .seconds(800))
        other.cancel(at: start + .seconds(700))
      }
      if !isLinkedFirst { set() }
      let derived = source.map { $0 }
      parent.cascadeCancellation(to: derived)
      let all = ValueFuture.all([derived, other]).map { $0[0] }
      if isLinkedFirst { set() }
      #expect(derived.deadline == start + .seconds(800) && all.deadline == start + .seconds(700))
      source.cancel()
      other.cancel()
    }
  }

  @Test func `in graphs of any form it is the earliest of all on which it depends`() {
    var generator = SeededGenerator(seed: testSeed)
    for round in 0..<iterations(300) {
      var graph = Graph()
      for step in 0..<20 {
        graph.grow(start + .seconds(1_000 - step), &generator)
        for index in graph.works.indices {
          #expect(graph.works[index].deadline == graph.earliest(index), "round \(round) of \(testSeed), \(index)")
        }
      }
      for work in graph.works { work.cancel() }
    }
  }

  /// Futures, and on whose cancellation each depends at once.
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
