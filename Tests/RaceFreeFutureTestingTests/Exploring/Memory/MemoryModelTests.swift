// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFutureExploring

/// The rules of the model, by their numbers.
@Suite struct MemoryModelTests {
  private typealias Ordering = MemoryModel.Ordering

  private struct World {
    var model = MemoryModel()
    let a: Int
    let b: Int
    let x: Int
    let y: Int

    init() {
      x = model.addLocation(0, by: 0)
      y = model.addLocation(0, by: 0)
      a = model.addThread(by: 0)
      b = model.addThread(by: 0)
    }
  }

  @Test func `A new value needn't be seen, and its own thread sees it`() {
    var world = World()
    world.model.store(1, world.x, by: world.a, .relaxed)
    #expect(world.model.readable(world.x, by: world.a, .relaxed).count == 1)
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 2)
    #expect(world.model.value(world.x) == 1 && world.model.value(world.x, age: 1) == 0)
  }

  @Test func `1: who has read a value reads no older one`() {
    var world = World()
    for value in 1...3 { world.model.store(MemoryModel.Bits(value), world.x, by: world.a, .relaxed) }
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 4)
    #expect(world.model.load(world.x, age: 1, by: world.b, .relaxed) == 2)
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 2)
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `2: what was released is known to who acquires it, and to nobody else`(releases: Bool, acquires: Bool) {
    var world = World()
    world.model.store(1, world.x, by: world.a, .relaxed)
    world.model.store(1, world.y, by: world.a, releases ? .releasing : .relaxed)
    #expect(world.model.load(world.y, by: world.b, acquires ? .acquiring : .relaxed) == 1)
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == (releases && acquires ? 1 : 2))
  }

  @Test func `2: an old value brings only what was known when it was stored`() {
    var world = World()
    world.model.store(1, world.y, by: world.a, .releasing)
    world.model.store(1, world.x, by: world.a, .relaxed)
    world.model.store(2, world.y, by: world.a, .releasing)
    #expect(world.model.load(world.y, age: 1, by: world.b, .acquiring) == 1)
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 2)
  }

  @Test(arguments: [(true, true), (true, false), (false, true)])
  func `2: fences make relaxed accesses release and acquire`(releases: Bool, acquires: Bool) {
    var world = World()
    world.model.store(1, world.x, by: world.a, .relaxed)
    if releases { world.model.fence(by: world.a, .releasing) }
    world.model.store(1, world.y, by: world.a, .relaxed)
    _ = world.model.load(world.y, by: world.b, .relaxed)
    if acquires { world.model.fence(by: world.b, .acquiring) }
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == (releases && acquires ? 1 : 2))
  }

  @Test func `2: an update goes on with the release that it read, a store doesn't`() {
    for isUpdate in [true, false] {
      var world = World()
      let c = world.model.addThread(by: 0)
      world.model.store(1, world.x, by: world.a, .relaxed)
      world.model.store(1, world.y, by: world.a, .releasing)
      if isUpdate {
        _ = world.model.update(world.y, by: c, .relaxed) { $0 + 1 }
      } else {
        world.model.store(2, world.y, by: c, .relaxed)
      }
      #expect(world.model.load(world.y, by: world.b, .acquiring) == 2)
      #expect(world.model.readable(world.x, by: world.b, .relaxed).count == (isUpdate ? 1 : 2))
    }
  }

  @Test func `3: an update replaces the newest value, whatever its thread has seen`() {
    var world = World()
    world.model.store(5, world.x, by: world.a, .relaxed)
    #expect(world.model.update(world.x, by: world.b, .relaxed) { $0 * 2 } == 5)
    #expect(world.model.value(world.x) == 10)
  }

  @Test(arguments: [true, false])
  func `4: sequentially consistent loads see what such accesses have seen before`(isSequential: Bool) {
    let ordering: MemoryModel.Ordering = isSequential ? .sequentiallyConsistent : .acquiringAndReleasing
    var world = World()
    world.model.store(1, world.x, by: world.a, ordering)
    #expect(world.model.readable(world.x, by: world.b, ordering).count == (isSequential ? 1 : 2))
    // A relaxed load may still be late.
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 2)
  }

  @Test func `4: a fence sees what the threads of earlier fences knew`() {
    for isLater in [true, false] {
      var world = World()
      if !isLater { world.model.fence(by: world.b, .sequentiallyConsistent) }
      world.model.store(1, world.x, by: world.a, .relaxed)
      world.model.fence(by: world.a, .sequentiallyConsistent)
      if isLater { world.model.fence(by: world.b, .sequentiallyConsistent) }
      #expect(world.model.readable(world.x, by: world.b, .relaxed).count == (isLater ? 1 : 2))
    }
  }

  @Test func `4: a fence makes nothing happen before`() {
    var world = World()
    world.model.tick(world.a)
    let written = world.model.moment(of: world.a)
    world.model.fence(by: world.a, .sequentiallyConsistent)
    world.model.fence(by: world.b, .sequentiallyConsistent)
    #expect(!world.model.knows(written, world.b) && world.model.knows(written, world.a))
  }

  @Test func `5: an old value is read twice, then a newer one`() {
    var world = World()
    world.model.store(1, world.x, by: world.a, .relaxed)
    for _ in 0..<MemoryModel.mostStaleReads {
      #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 2)
      #expect(world.model.load(world.x, age: 1, by: world.b, .relaxed) == 0)
    }
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 1)
    world.model.store(2, world.x, by: world.a, .relaxed)
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 2)
  }

  @Test func `What is written under a lock is known to the next thread that takes it`() {
    var world = World()
    world.model.store(1, world.x, by: world.a, .relaxed)
    let written = world.model.moment(of: world.a)
    let released = world.model.release(by: world.a)
    #expect(!world.model.knows(written, world.b))
    world.model.acquire(released, by: world.b)
    #expect(world.model.knows(written, world.b))
    #expect(world.model.readable(world.x, by: world.b, .relaxed).count == 1)
  }
}
