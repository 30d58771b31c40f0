// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@testable import RaceFreeFutureTestingTools

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

  @Test func `those for two let two in, and the others as these leave`() async throws {
    let (turns, room, end) = (Turns(atATime: 2), Room(), Future(label: "end"))
    try await withThrowingTaskGroup { group in
      for _ in 0..<50 {
        group.addTask {
          await turns.take {
            room.enter()
            _ = await end.outcome
            room.leave()
          }
        }
      }
      defer { end.complete() }
      try await eventually("two are inside") { room.entries.load(ordering: .relaxed) == 2 }
    }
    #expect(room.entries.load(ordering: .relaxed) == 50)
    #expect(room.most.load(ordering: .relaxed) == 2)
  }

  @Test func `a turn ends with the error of its block`() async {
    struct Stumble: Error {}
    let turns = Turns()
    await #expect(throws: Stumble.self) { try await turns.take { () throws(Stumble) in throw Stumble() } }
    #expect(await turns.take { 7 } == 7)
  }

  private final class Room: Sendable {
    let most = Atomic(0)
    let entries = Atomic(0)
    private let inside = Atomic(0)

    func enter() {
      most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
      entries.add(1, ordering: .relaxed)
    }

    func leave() { inside.subtract(1, ordering: .relaxed) }
  }
}
