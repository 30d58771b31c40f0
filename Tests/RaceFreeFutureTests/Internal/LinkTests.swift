// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RaceFreeFuture

@Suite struct LinkTests {
  /// A way in which the end of a link that isn't kept comes to its own end.
  enum End: CaseIterable, Sendable {
    case targetCompleted, targetCancelled, targetCancelledByWalk, targetWithHandlerCancelledByWalk, targetTaken
    case sourceCompleted, sourceCancelled, sourceOfStageCompleted, sourceOfStageOnQueueCompleted

    func link(from source: Future, to target: Future) -> Link {
      switch self {
      case .sourceOfStageCompleted, .sourceOfStageOnQueueCompleted:
        Stage(
          .answerCompletion,
          backward: .cascade,
          from: source,
          to: target,
          on: self == .sourceOfStageCompleted ? .inline : .serialQueue,
          .own,
          .resolution { resolution, _ in resolution }
        )
      case .sourceCompleted, .sourceCancelled:
        Link(.follow, backward: .cascade, from: source, to: target, keeping: .target)
      default:
        Link(.cascade, from: source, to: target, keeping: .source)
      }
    }

    func happen(to link: Link, _ source: Future, _ target: Future) async {
      switch self {
      case .targetCompleted: target.complete()
      case .targetCancelled: target.cancel()
      case .targetCancelledByWalk, .sourceCancelled: source.cancel()
      case .targetWithHandlerCancelledByWalk:
        target.onCancel(on: .inline) {}
        source.cancel()
      case .targetTaken:
        target.process { $0.ignore(link) }
        source.process { $0.detach(link) }
      case .sourceCompleted, .sourceOfStageCompleted: source.complete()
      case .sourceOfStageOnQueueCompleted:
        source.complete()
        await source.withTurn {}
      }
    }
  }

  @Test(arguments: End.allCases)
  func `K1 the address of the end that isn't kept is erased when that comes to its end`(end: End) async {
    let (source, target) = (Future(), Future())
    let link = end.link(from: source, to: target)
    source.connect(link, to: target)
    #expect(link.unkept != nil)
    await end.happen(to: link, source, target)
    // Both ends are still alive: nothing but the code that erases can have done so.
    #expect(link.unkept == nil)
    withExtendedLifetime((source, target)) {}
  }

  @Test(arguments: [Link.End.source, .target])
  func `K1 the address of an end that is released undecided is erased`(kept end: Link.End) throws {
    let kept = Future()
    var connected: Link?
    do {
      let other = Future()
      let (source, target) = end == .source ? (kept, other) : (other, kept)
      let link = Link(.cascade, from: source, to: target, keeping: end)
      source.connect(link, to: target)
      connected = link
    }
    let link = try #require(connected)
    #expect(link.unkept == nil)
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
