// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureTesting

@Suite struct TurnsTests {
  @Test func `no two have their turn at the same time, and all get it`() async {
    let room = Room()
    let turns = await withTaskGroup(of: Int.self) { group in
      for number in 0..<50 {
        group.addTask {
          await Turns.take {
            room.enter()
            await Task.yield()
            room.leave()
            return number
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(turns.sorted() == Array(0..<50))
    #expect(room.most.load(ordering: .relaxed) == 1)
  }

  private final class Room: Sendable {
    let most = Atomic(0)
    private let inside = Atomic(0)

    func enter() { most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed) }
    func leave() { inside.subtract(1, ordering: .relaxed) }
  }
}
