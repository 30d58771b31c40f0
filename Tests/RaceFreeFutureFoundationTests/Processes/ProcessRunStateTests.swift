// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  @testable import RaceFreeFutureFoundation

  @Suite struct ProcessRunStateTests {
    private let exit = ProcessExit(status: 3, reason: .exit)
    private static let steps: [ProcessStopStep] = [
      .send(.interrupt, allowing: .seconds(1)), .send(.terminate, allowing: .seconds(5)), .send(.kill),
    ]

    @Test func `a run is over when the exit is known and every end is closed`() {
      var state = ProcessRunState(open: [.input, .output, .error, .watch])
      #expect(state.closed(.output) == [])
      #expect(state.foundationSaysExited(exit) == [.close(.input), .close(.watch)])
      #expect(state.closed(.watch) == [])
      #expect(state.closed(.input) == [])
      #expect(state.closed(.error) == [.finish(exit)])
      #expect(state.foundationSaysExited(exit) == [])
      #expect(state.stop() == [])
    }

    @Test func `a stopped run gets a signal, and closes everything at the exit`() {
      var state = ProcessRunState(open: [.output, .error, .watch], stopping: [.send(.terminate)])
      #expect(state.stop() == [.send(.terminate, then: nil)])
      #expect(state.stop() == [])
      #expect(state.systemSaysExited(exit) == [.close(.output), .close(.error), .close(.watch)])
      #expect(state.closed(.output) + state.closed(.watch) == [])
      #expect(state.closed(.error) == [.finish(exit)])
      #expect(state.foundationSaysExited(exit) == [])
    }

    @Test func `a run is stopped step by step, until the exit is known`() {
      var state = ProcessRunState(open: [.watch], stopping: Self.steps)
      #expect(state.stop() == [.send(.interrupt, then: .seconds(1))])
      #expect(state.stepIsOver() == [.send(.terminate, then: .seconds(5))])
      #expect(state.stop() == [])
      var late = state
      #expect(late.stepIsOver() == [.send(.kill, then: nil)])
      #expect(late.stepIsOver() == [])
      #expect(state.systemSaysExited(exit) == [.close(.watch)])
      #expect(state.stepIsOver() == [])
      var unstoppable = ProcessRunState(open: [.watch])
      #expect(unstoppable.stop() == [])
    }

    @Test func `the rest of the group gets the steps that are left, and is waited for`() {
      var state = ProcessRunState(open: [.watch], stopping: Self.steps)
      #expect(state.stop() == [.send(.interrupt, then: .seconds(1))])
      state.groupRemains()
      #expect(state.systemSaysExited(exit) == [.close(.watch)])
      #expect(state.closed(.watch) == [])
      #expect(state.stepIsOver() == [.send(.terminate, then: .seconds(5))])
      var late = state
      #expect(late.stepIsOver() == [.send(.kill, then: nil)])
      #expect(late.closed(.group) == [.finish(exit)])
      #expect(state.closed(.group) == [.finish(exit)])
      #expect(state.stepIsOver() == [])
    }

    @Test func `stopped after the exit, nobody gets a signal`() {
      var state = ProcessRunState(open: [.output])
      #expect(state.foundationSaysExited(exit) == [])
      #expect(state.stop() == [.close(.output)])
      #expect(state.closed(.output) == [.finish(exit)])
      var early = ProcessRunState(open: [.output])
      #expect(early.systemSaysExited(exit) == [.waitForFoundation])
      #expect(early.stop() == [.close(.output)])
    }

    @Test func `Foundation is waited for a moment`() {
      var state = ProcessRunState(open: [])
      #expect(state.systemSaysExited(exit) == [.waitForFoundation])
      #expect(state.foundationSaysExited(exit) == [.finish(exit)])
      #expect(state.foundationIsLate() == [])
      var late = ProcessRunState(open: [])
      #expect(late.systemSaysExited(exit) == [.waitForFoundation])
      #expect(late.foundationIsLate() == [.finish(exit)])
      #expect(late.foundationSaysExited(exit) == [])
    }

    @Test func `what the system said counts, for Foundation may not know`() {
      var state = ProcessRunState(open: [])
      #expect(state.systemSaysExited(exit) == [.waitForFoundation])
      #expect(state.foundationSaysExited(ProcessExit(status: 0, reason: .exit)) == [.finish(exit)])
    }

    @Test func `whatever happens in whatever order, a run is over once, and no signal comes after the exit`() {
      var generator = SeededGenerator(seed: testSeed)
      for _ in 0..<iterations(20_000) {
        let ends = Set(ProcessRunState.End.allCases.filter { _ in Bool.random(using: &generator) })
        var state = ProcessRunState(open: ends, stopping: Self.steps)
        var log: [ProcessRunState.Action] = []
        var events = Array(repeating: 0, count: 2) + [1, 2, 3, 5, 5, 5] + ends.indices.map { _ in 4 }
        events.shuffle(using: &generator)
        var left = ends
        for event in events {
          let (knewExit, groupRemained) = (state.exit != nil, left.contains(.group))
          let answer =
            switch event {
            case 0: state.stop()
            case 1: state.systemSaysExited(exit)
            case 2: state.foundationSaysExited(exit)
            case 3: state.foundationIsLate()
            case 5: state.isStopped ? state.stepIsOver() : []
            default: state.closed(left.removeFirst())
            }
          let mayBeSignalled = !knewExit || groupRemained
          #expect(mayBeSignalled || !answer.contains { Self.signal(of: $0) != nil }, "seed \(testSeed)")
          log += answer
        }
        #expect(log.filter { $0 == .finish(exit) }.count == 1, "seed \(testSeed)")
        let signals = log.compactMap(Self.signal)
        #expect(signals == Self.steps.prefix(signals.count).map(\.signal), "seed \(testSeed)")
      }
    }

    private static func signal(of action: ProcessRunState.Action) -> ProcessSignal? {
      if case .send(let signal, then: _) = action { signal } else { nil }
    }
  }
#endif
