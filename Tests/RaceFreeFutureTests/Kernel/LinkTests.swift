// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct LinkTests {
  // MARK: Either end may be asked for (K1)

  @Test(arguments: [Link.End.source, .target])
  func `K1 an end that was released isn't found, by whatever time`(kept end: Link.End) throws {
    let kept = Future()
    let other: Link.End = end == .source ? .target : .source
    var connected: Link?
    do {
      let future = Future()
      let (source, target) = end == .source ? (kept, future) : (future, kept)
      let link = Link(.cascade, from: source, to: target, keeping: end)
      source.connect(link, to: target)
      #expect(link.future(at: other) === future)
      connected = link
    }
    let link = try #require(connected)
    #expect(link.future(at: other) == nil)
    #expect(link.future(at: end) === kept)
  }

  @Test func `K1 an end may be asked for while another thread releases it`() {
    for _ in 0..<iterations(2_000) {
      let source = Future()
      let target = Locked<Future?>(Future())
      guard let link = target.withLock({ $0.map { Link(.cascade, from: source, to: $0, keeping: .source) } }) else {
        return
      }
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 { return target.release { $0.take() } }
        while let future = link.future(at: .target) { #expect(future.isPending) }
      }
      #expect(link.future(at: .target) == nil)
    }
  }

  // MARK: Verdicts

  @Test func `any completes without keeping the value of the first`() {
    let live = LiveCount()
    let any: Future
    do {
      let (value, other) = (ValueFuture<LiveCount.Instance>(), Future())
      any = Future.any([value, other])
      value.complete(with: live.make())
      #expect(any.isCompleted)
    }
    withExtendedLifetime(any) { #expect(live.value == 0) }
  }

  // MARK: No link stays (K4)

  /// A link to a source, of which nothing must stay at the target, or vice versa.
  enum Leftover: CaseIterable, Sendable {
    case toCompleted, toCancelled, fromCompletedTarget, completedSource, completedSourceOfOneWay, completedTarget
    case cancelledTarget
  }

  @Test(arguments: Leftover.allCases)
  func `K4 no link stays at either end, whichever is decided first, and however`(leftover: Leftover) {
    let (source, target) = (Future(), Future())
    switch leftover {
    case .toCompleted:
      source.complete()
      source.cascadeCancellation(to: target)
    case .toCancelled:
      source.cancel()
      source.cascadeCancellation(to: target)
    case .fromCompletedTarget:
      target.complete()
      source.cascadeCancellation(to: target)
    case .completedSource:
      source.cascadeCancellation(to: target)
      source.complete()
    case .completedSourceOfOneWay:
      source.connect(Link(.cascade, from: source, to: target, keeping: .target), to: target)
      source.complete()
    case .completedTarget:
      source.cascadeCancellation(to: target)
      target.complete()
    case .cancelledTarget:
      target.passControl(to: source)
      target.cancel()
    }
    for future in [source, target] {
      let isFree = future.process { $0.sources.isEmpty && $0.handlers.entries.isEmpty }
      #expect(isFree)
    }
  }
}
