// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

@testable import RaceFreeFutureFoundation

@Suite struct OperationPhaseTests {
  /// The two threads that take an operation through its life.
  ///
  /// One starts it, the other brings the news that its future is resolved. Whoever is told to announces the end.
  private struct World: Hashable {
    var phase = OperationPhase.waiting
    var starter = ["start", "begin", "mainReturned"]
    var resolver = ["resolve"]
    var finishes = 0
    var begins = 0

    mutating func step(_ isStarter: Bool) {
      let event = isStarter ? starter.removeFirst() : resolver.removeFirst()
      let (wasExecuting, wasFinished) = (phase.isExecuting, phase.isFinished)
      let duty: OperationPhase.Duty
      switch event {
      case "start": duty = phase.start()
      case "begin": duty = phase.begin()
      case "mainReturned": duty = phase.mainReturned()
      case "resolve": duty = phase.resolve()
      default: duty = phase.finish()
      }
      #expect(!(phase.isExecuting && phase.isFinished))
      if !["begin", "finish"].contains(event) {
        #expect(phase.isExecuting == wasExecuting && phase.isFinished == wasFinished, "\(event) is to change nothing")
      }
      switch duty {
      case .nothing:
        if event == "start" { starter = [] }
      case .begin:
        begins += 1
      case .finish:
        finishes += 1
        if isStarter { starter = ["finish"] } else { resolver = ["finish"] }
      }
    }
  }

  @Test func `in every order of the events it is finished once, after all have come`() {
    var worlds: Set<World> = [World()]
    var ends: Set<World> = []
    var seen = worlds
    while let world = worlds.popFirst() {
      if world.starter.isEmpty, world.resolver.isEmpty { ends.insert(world) }
      // Whatever is left to come, it isn't finished before.
      if !world.resolver.isEmpty && world.resolver != ["finish"] { #expect(!world.phase.isFinished) }
      for isStarter in [true, false] where !(isStarter ? world.starter : world.resolver).isEmpty {
        var next = world
        next.step(isStarter)
        if seen.insert(next).inserted { worlds.insert(next) }
      }
    }
    #expect(ends.count == 2, "it was executing, or it was skipped")
    for end in ends {
      #expect(end.phase == .finished)
      #expect(end.finishes == 1)
    }
    #expect(seen.contains { $0.phase == .startingResolved } && seen.contains { $0.phase == .inMainResolved })
  }

  @Test func `an event that comes a second time changes nothing`() {
    let events: [(inout OperationPhase) -> OperationPhase.Duty] = [
      { $0.start() }, { $0.resolve() }, { $0.begin() }, { $0.mainReturned() }, { $0.finish() },
    ]
    for phase in (0...9).compactMap(OperationPhase.init(rawValue:)) {
      for event in events {
        var once = phase
        _ = event(&once)
        var twice = once
        #expect(event(&twice) == .nothing)
        #expect(twice == once)
      }
    }
  }

  @Test func `once finished it stays finished`() {
    var phase = OperationPhase.finished
    let duties = [phase.start(), phase.begin(), phase.mainReturned(), phase.resolve(), phase.finish()]
    #expect(duties.allSatisfy { $0 == .nothing })
    #expect(phase == .finished)
  }
}
