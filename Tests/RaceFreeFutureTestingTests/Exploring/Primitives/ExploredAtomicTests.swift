// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

private typealias Atomic = Explored.Atomic

/// Programs that are known from the theory of memory, each with the outcomes that it may have.
@Suite struct ExploredAtomicTests {
  /// The outcomes of all orders; each thread returns what it read.
  private func outcomes(
    _ count: Int,
    _ threads: @escaping @Sendable ([ExploredBox]) -> [() -> [Int]]
  ) async -> Set<[Int]> {
    let seen = Variable<Set<[Int]>>([])
    let report = await explore("all outcomes") { scenario in
      let bodies = threads((0..<count).map { _ in ExploredBox() })
      // Not a `Variable`, so that noting it is no step.
      let results = Plain(bodies.map { _ in [Int]() })
      for (number, body) in bodies.enumerated() {
        scenario.thread("\(number)") { results.value[number] = body() }
      }
      scenario.atEnd {
        seen.value.insert(results.value.flatMap(\.self))
        return nil
      }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    return seen.value
  }

  private final class Plain {
    var value: [[Int]]
    init(_ value: [[Int]]) { self.value = value }
  }

  final class ExploredBox: Sendable {
    let value = Explored.Atomic(0)
  }

  // MARK: Store buffers

  @Test func `Store buffers: with release and acquire both may read the old value`() async {
    let outcomes = await outcomes(2) { atomics in
      [0, 1].map { me in
        {
          atomics[me].value.store(1, ordering: .releasing)
          return [atomics[1 - me].value.load(ordering: .acquiring)]
        }
      }
    }
    #expect(outcomes == [[0, 0], [0, 1], [1, 0], [1, 1]])
  }

  @Test func `Store buffers: if all is sequentially consistent one of them reads the new value`() async {
    let outcomes = await outcomes(2) { atomics in
      [0, 1].map { me in
        {
          atomics[me].value.store(1, ordering: .sequentiallyConsistent)
          return [atomics[1 - me].value.load(ordering: .sequentiallyConsistent)]
        }
      }
    }
    #expect(outcomes == [[0, 1], [1, 0], [1, 1]])
  }

  @Test func `Store buffers: a fence in both threads is enough`() async {
    let outcomes = await outcomes(2) { atomics in
      [0, 1].map { me in
        {
          atomics[me].value.store(1, ordering: .relaxed)
          Explored.atomicMemoryFence(ordering: .sequentiallyConsistent)
          return [atomics[1 - me].value.load(ordering: .relaxed)]
        }
      }
    }
    #expect(outcomes == [[0, 1], [1, 0], [1, 1]])
  }

  // MARK: Publishing

  @Test(arguments: [false, true], [false, true])
  func `Publishing: what was stored before is seen if both release and acquire`(releases: Bool, acquires: Bool) async {
    let outcomes = await outcomes(2) { atomics in
      [
        {
          atomics[0].value.store(1, ordering: .relaxed)
          atomics[1].value.store(1, ordering: releases ? .releasing : .relaxed)
          return []
        },
        {
          let flag = atomics[1].value.load(ordering: acquires ? .acquiring : .relaxed)
          return [flag, atomics[0].value.load(ordering: .relaxed)]
        },
      ]
    }
    let always: Set = [[0, 0], [0, 1], [1, 1]]
    #expect(outcomes == (releases && acquires ? always : always.union([[1, 0]])))
  }

  @Test func `Publishing: fences order relaxed accesses`() async {
    let outcomes = await outcomes(2) { atomics in
      [
        {
          atomics[0].value.store(1, ordering: .relaxed)
          Explored.atomicMemoryFence(ordering: .releasing)
          atomics[1].value.store(1, ordering: .relaxed)
          return []
        },
        {
          let flag = atomics[1].value.load(ordering: .relaxed)
          Explored.atomicMemoryFence(ordering: .acquiring)
          return [flag, atomics[0].value.load(ordering: .relaxed)]
        },
      ]
    }
    #expect(outcomes == [[0, 0], [0, 1], [1, 1]])
  }

  @Test func `Publishing: a relaxed update in between keeps the release`() async {
    let outcomes = await outcomes(2) { atomics in
      [
        {
          atomics[0].value.store(1, ordering: .relaxed)
          atomics[1].value.store(1, ordering: .releasing)
          return []
        },
        {
          _ = atomics[1].value.wrappingAdd(10, ordering: .relaxed)
          return []
        },
        {
          let flag = atomics[1].value.load(ordering: .acquiring)
          return [flag, atomics[0].value.load(ordering: .relaxed)]
        },
      ]
    }
    #expect(!outcomes.contains([11, 0]) && outcomes.contains([11, 1]))
    // If the update came first, the plain store behind it releases as well.
    #expect(!outcomes.contains([1, 0]) && outcomes.contains([10, 0]))
  }

  // MARK: Coherence, and who sees what

  @Test func `Coherence: nobody reads an older value after a newer one`() async {
    let outcomes = await outcomes(1) { atomics in
      [
        {
          atomics[0].value.store(1, ordering: .relaxed)
          atomics[0].value.store(2, ordering: .relaxed)
          return []
        },
        { (0..<2).map { _ in atomics[0].value.load(ordering: .relaxed) } },
      ]
    }
    #expect(outcomes == [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]])
  }

  @Test(arguments: [false, true])
  func `Two readers may see two stores in different orders, unless all is sequentially consistent`(
    isSequential: Bool
  ) async {
    let outcomes = await outcomes(2) { atomics in
      let write: @Sendable (Int) -> [Int] = { number in
        if isSequential {
          atomics[number].value.store(1, ordering: .sequentiallyConsistent)
        } else {
          atomics[number].value.store(1, ordering: .releasing)
        }
        return []
      }
      let read: @Sendable (Int) -> [Int] = { first in
        [first, 1 - first].map { number in
          isSequential
            ? atomics[number].value.load(ordering: .sequentiallyConsistent)
            : atomics[number].value.load(ordering: .acquiring)
        }
      }
      return [{ write(0) }, { write(1) }, { read(0) }, { read(1) }]
    }
    #expect(outcomes.contains([1, 0, 1, 0]) == !isSequential)
    #expect(outcomes.contains([1, 1, 1, 1]) && outcomes.contains([0, 0, 0, 0]))
  }

  @Test func `What is not simulated: no load returns what is stored later`() async {
    let outcomes = await outcomes(2) { atomics in
      [0, 1].map { me in
        {
          let read = atomics[me].value.load(ordering: .relaxed)
          atomics[1 - me].value.store(1, ordering: .relaxed)
          return [read]
        }
      }
    }
    #expect(outcomes == [[0, 0], [0, 1], [1, 0]])
  }

  /// The test Z6.U of "Repairing sequential consistency in C/C++11" (Lahav and others, 2017): C++20 allows 1, 3, 0.
  @Test func `What is not simulated: an order of the sequentially consistent accesses against that of the steps`() async
  {
    let outcomes = await outcomes(2) { atomics in
      let (x, y) = (atomics[0], atomics[1])
      return [
        {
          x.value.store(1, ordering: .sequentiallyConsistent)
          y.value.store(1, ordering: .releasing)
          return []
        },
        {
          let old = y.value.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
          return [old, y.value.load(ordering: .relaxed)]
        },
        {
          y.value.store(3, ordering: .sequentiallyConsistent)
          return [x.value.load(ordering: .sequentiallyConsistent)]
        },
      ]
    }
    #expect(outcomes.contains([1, 3, 1]) && !outcomes.contains([1, 3, 0]))
  }

  // MARK: Updates

  @Test func `Updates are never lost, not even relaxed ones`() async {
    let report = await explore("counts") { scenario in
      let counter = Atomic(0)
      for name in ["a", "b", "c"] {
        scenario.thread(name) { counter.add(1, ordering: .relaxed) }
      }
      scenario.atEnd { counter.load(ordering: .relaxed) == 3 ? nil : "lost" }
    }
    #expect(report.passed && report.isComplete && report.orders == 6, "\(report)")
  }

  @Test(.withoutRecording) func `A load and a store instead of an update lose one`() async {
    let report = await explore("counts") { scenario in
      let counter = Atomic(0)
      for name in ["a", "b"] {
        scenario.thread(name) {
          let old = counter.load(ordering: .sequentiallyConsistent)
          counter.store(old + 1, ordering: .sequentiallyConsistent)
        }
      }
      scenario.atEnd { counter.load(ordering: .relaxed) == 2 ? nil : "\(counter.load(ordering: .relaxed))" }
    }
    #expect(report.failure == "1", "\(report)")
  }

  @Test func `A weak exchange may fail without a reason, a strong one doesn't`() async {
    for isWeak in [true, false] {
      let seen = Variable<Set<Bool>>([])
      let report = await explore("weak") { scenario in
        let atomic = Atomic(0)
        scenario.thread("a") {
          let result =
            isWeak
            ? atomic.weakCompareExchange(expected: 0, desired: 1, ordering: .relaxed)
            : atomic.compareExchange(expected: 0, desired: 1, ordering: .relaxed)
          seen.value.insert(result.exchanged)
        }
      }
      #expect(report.passed && report.isComplete, "\(report)")
      #expect(seen.value == (isWeak ? [true, false] : [true]))
    }
  }

  @Test(.withoutRecording, arguments: [1, 2, 3], [false, true])
  func `A loop around a weak exchange has an end`(count: Int, isMended: Bool) async {
    let report = await explore("counts", .exhaustive(maxOrders: iterations(5_000))) { scenario in
      let counter = Atomic(0)
      let lock = Atomic(0)
      for name in 0..<count {
        scenario.thread("\(name)") {
          while !lock.weakCompareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {}
          if !isMended { lock.store(0, ordering: .releasing) }
          var old = counter.load(ordering: .relaxed)
          if isMended {
            while case let result = counter.weakCompareExchange(expected: old, desired: old + 1, ordering: .relaxed),
              !result.exchanged
            { old = result.original }
            lock.store(0, ordering: .releasing)
          } else {
            counter.store(old + 1, ordering: .relaxed)
          }
        }
      }
      scenario.atEnd { counter.load(ordering: .relaxed) == count ? nil : "an increment is lost" }
    }
    #expect(report.failure == (isMended || count == 1 ? nil : "an increment is lost"), "\(report)")
  }

  @Test(.withoutRecording, arguments: [1, 2, 3] as [UInt64]) func `Priorities find a late store as well`(
    seed: UInt64
  ) async {
    let report = await explore("by priorities", .sample(orders: 500, seed: seed)) { scenario in
      let data = Atomic(0)
      let isReady = Atomic(false)
      let isLate = Atomic(false)
      scenario.thread("writer") {
        data.store(1, ordering: .relaxed)
        isReady.store(true, ordering: .relaxed)
      }
      scenario.thread("reader") {
        if isReady.load(ordering: .acquiring), data.load(ordering: .relaxed) == 0 {
          isLate.store(true, ordering: .relaxed)
        }
      }
      scenario.atEnd { isLate.load(ordering: .relaxed) ? "late" : nil }
    }
    #expect(report.failure == "late" && report.description.contains("0, which is out of date"), "\(report)")
    #expect(report.description.contains("drawn at random with seed \(seed)"), "\(report)")
  }

  @Test func `A loop that waits for a store ends, and is no deadlock`() async {
    let report = await explore("spinning") { scenario in
      let flag = Atomic(false)
      scenario.thread("a") { flag.store(true, ordering: .releasing) }
      scenario.thread("b") { while !flag.load(ordering: .acquiring) {} }
    }
    #expect(report.passed && report.isComplete, "\(report)")
  }

  @Test(.withoutRecording) func `An object that is published without release is told when it is used`() async {
    for releases in [false, true] {
      let report = await explore("publishing an object") { scenario in
        let published = unsafe Atomic<Unmanaged<ExploredBox>?>(nil)
        // Kept, because the atomic doesn't.
        let kept = Variable<[ExploredBox]>([])
        scenario.thread("maker") {
          let box = ExploredBox()
          kept.value.append(box)
          let mine = unsafe Unmanaged.passUnretained(box)
          if releases {
            unsafe published.store(mine, ordering: .releasing)
          } else {
            unsafe published.store(mine, ordering: .relaxed)
          }
        }
        scenario.thread("user") {
          let found = unsafe published.load(ordering: .acquiring)?.takeUnretainedValue()
          _ = found?.value.load(ordering: .relaxed)
        }
      }
      #expect(report.passed == releases, "\(report)")
      if !releases {
        #expect(report.failure?.contains("nothing says that it was made before") == true, "\(report)")
      }
    }
  }
}
