// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

@testable import RaceFreeFuture

/// Derived futures by themselves; what users see of them is in the tests of `ValueFuture`.
struct DerivedFutureTests {
  private let source = Future(label: "source")

  private func derive(from source: Future?) -> DerivedFuture {
    DerivedFuture(label: "derived", site: CreationSite(#fileID, #line), from: source, .relay)
  }

  private func answers(_ stage: Stage) -> Bool { stage.target.process { $0.takeAnswer(of: stage) } != nil }

  @Test func `S2 the closure is taken once for the only source`() {
    let stage = Stage(target: derive(from: source), link: nil)
    #expect(answers(stage))
    #expect(!answers(stage))
  }

  @Test func `S2 the closure is taken once for each of several sources`() {
    let derived = derive(from: nil)
    let links = (0..<2).map { Link(.answer(Int32($0)), from: source, to: derived, keeping: .target) }
    for link in links { _ = derived.process { $0.addSource(link) } }
    for link in links {
      #expect(answers(Stage(target: derived, link: link)))
      #expect(!answers(Stage(target: derived, link: link)))
    }
  }

  @Test func `the only source gets no answer from inside the block that has decided`() async {
    let derived = derive(from: source)
    #expect(source.connect(derived) == nil)
    let answer = EventLog<Bool>()
    derived.perform {
      derived.complete()
      answer.add(self.answers(Stage(target: derived, link: nil)))
    }
    // Behind all that the turn before carries out.
    await derived.withTurn {}
    #expect(answer.events == [false])
    let isLeft = source.process { !$0.handlers.isEmpty }
    #expect(!isLeft, "the deliverer has cut it")
  }

  @Test func `M7 a cancellation that comes back to a source which another walk marks joins`() {
    var machine = FutureMachine()
    _ = machine.add(Link(.cascade, from: source, to: Future(), keeping: .source))
    let cancelled = Resolution.cancelled(CancellationError())
    _ = machine.decide(cancelled, .arriving, on: .current)
    #expect(machine.phase == .marking)
    switch machine.arrive(cancelled, fromDerived: nil) {
    case .join: break
    default: Issue.record("not joined")
    }
  }

  @Test func `it knows only the memory of its source, and keeps nothing at its outcome`() {
    weak var released: Future?
    let derived: DerivedFuture
    do {
      let source = Future(label: "source")
      released = source
      derived = derive(from: source)
      _ = source.connect(derived)
    }
    #expect(released == nil && derived.isCancelled && derived.answer == nil)
    let isFree = derived.process { $0.sources.isEmpty }
    #expect(isFree)
  }
}
