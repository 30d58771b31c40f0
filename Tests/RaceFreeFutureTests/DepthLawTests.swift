// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Lines of all kinds of objects, on a thread with the stack of one of Dispatch (law L10).
///
/// Those of stages are in `ValueFutureChainTests`.
@Suite(.serialized) struct DepthLawTests {
  /// Enough to exhaust the stack if each took fifty bytes of it; a call takes more.
  private static let length = min(10_000, iterations(10_000))

  // MARK: Scopes

  /// The way in which a scope stands next to the last one of a line.
  enum Neighbor: CaseIterable, Sendable {
    case memberOfTheLast, memberIsTheLast, insideTheLast, byTurns

    func scope(after last: Scope, _ index: Int) -> Scope {
      switch self {
      case .memberOfTheLast:
        let next = Scope()
        last.add(next)
        return next
      case .memberIsTheLast:
        let next = Scope()
        next.add(last)
        return next
      case .insideTheLast:
        return Scope(in: last)
      case .byTurns:
        return (index % 2 == 0 ? Neighbor.memberOfTheLast : .insideTheLast).scope(after: last, index)
      }
    }

    /// A line of scopes: the outermost and the innermost one, and what else it has to be kept by.
    func line(_ live: LiveCount) -> (outermost: Scope, innermost: Scope, all: [Scope]) {
      var all = [Scope()]
      for index in 0..<DepthLawTests.length {
        let next = scope(after: all[index], index)
        next.onCancel(on: .inline) { [instance = live.make()] in instance.touch() }
        all.append(next)
      }
      let isTurned = self == .memberIsTheLast
      return (isTurned ? all[all.count - 1] : all[0], isTurned ? all[0] : all[all.count - 1], all)
    }
  }

  @Test(arguments: Neighbor.allCases)
  func `L10 a line of scopes is cancelled, and each is over`(_ neighbor: Neighbor) async {
    let live = LiveCount()
    let isOver = await onThread(stackSize: 512 << 10) {
      let line = neighbor.line(live)
      line.outermost.cancel()
      return line.innermost.isCancelled && line.outermost.count == 0
    }
    #expect(isOver && live.value == 0)
  }

  @Test(arguments: Neighbor.allCases)
  func `L10 a line of scopes ends with the last work of the innermost one`(_ neighbor: Neighbor) async {
    let live = LiveCount()
    let (wasOver, isOver) = await onThread(stackSize: 512 << 10) {
      let line = neighbor.line(live)
      let activity = line.innermost.beginActivity("last")
      line.outermost.cancel()
      let wasOver = line.outermost.count == 0
      activity.end()
      return (wasOver, line.outermost.count == 0)
    }
    #expect(!wasOver && isOver && live.value == 0)
  }

  @Test(arguments: Neighbor.allCases)
  func `L10 a line of scopes is dropped, from either end`(_ neighbor: Neighbor) async {
    for isFromInside in [true, false] {
      let live = LiveCount()
      await onThread(stackSize: 512 << 10) {
        var line = neighbor.line(live).all
        if isFromInside { line.reverse() }
        while line.popLast() != nil {}
      }
      #expect(live.value == 0)
    }
  }

  // MARK: All kinds

  /// An object that keeps a future, which keeps the next object in a handler.
  ///
  /// A deadline is none of them: its timer keeps its future.
  enum Kind: CaseIterable, Sendable {
    case future, token, value, autoCancel, completer, valueCompleter, latest, shared, joiner
    case registration, activity, membership, scope, group

    /// An object; the closure has the handler of its future.
    func object(_ addHandler: (any CancellableWork) -> Void) -> any Sendable {
      switch self {
      case .completer:
        let completer = Future.makeCompleter()
        addHandler(completer)
        return completer
      case .valueCompleter:
        let completer = ValueFuture<Int>.makeCompleter()
        addHandler(completer)
        return completer
      case .value, .shared, .joiner:
        let future = ValueFuture<Int>()
        addHandler(future)
        if self == .value { return future }
        let shared = SharedFuture(future)
        return self == .shared ? shared : shared.join()
      case .scope:
        let scope = Scope()
        addHandler(scope)
        return scope
      default:
        let future = Future()
        addHandler(future)
        return object(of: future)
      }
    }

    private func object(of future: Future) -> any Sendable {
      switch self {
      case .token: return future.cancelToken
      case .autoCancel: return future.cancelOnDeinit()
      case .registration: return future.onComplete {}
      case .activity: return future.beginActivity("open")
      case .membership: return Scope().add(future)
      case .latest:
        let latest = LatestFuture()
        latest.replace(with: future)
        return latest
      case .group: return Future.any([future, Future()])
      default: return future
      }
    }
  }

  @Test func `L10 a line of lazy futures, each of which keeps the next, is dropped`() async {
    let live = LiveCount()
    await onThread(stackSize: 512 << 10) {
      var last = ValueFuture<Int>.completed(with: 0)
      for _ in 0..<Self.length {
        last = .lazy { [last, instance = live.make()] _ in
          instance.touch()
          return last.isCompleted ? 1 : 0
        }
      }
      last = .completed(with: 0)
      _ = last
    }
    #expect(live.value == 0)
  }

  @Test func `L10 a line of tasks, each of which owns the next, is cancelled`() async throws {
    let head = ValueFuture<Int>(label: "head")
    var last = head
    let begun = EventLog<Void>()
    for _ in 0..<1_000 {
      last = .task { [last] in
        begun.add(())
        return try await last.ownedValue
      }
    }
    try await eventually("all have begun") { begun.events.count == 1_000 }
    let token = last.cancelToken
    await onThread(stackSize: 512 << 10) { token.cancel() }
    #expect(await head.outcome == .cancelled)
  }

  @Test(arguments: Kind.allCases)
  func `L10 a line of objects, each of which keeps the next, is dropped`(_ kind: Kind) async {
    let live = LiveCount()
    await onThread(stackSize: 512 << 10) {
      var last: any Sendable = 0
      for _ in 0..<Self.length {
        last = kind.object { work in
          work.onCancel(on: .inline) { [last, instance = live.make()] in _ = (last, instance) }
        }
      }
      last = 0
      _ = last
    }
    #expect(live.value == 0)
  }

  @Test(arguments: Kind.allCases)
  func `L10 a line of objects goes when the first one is cancelled`(_ kind: Kind) async {
    let live = LiveCount()
    await onThread(stackSize: 512 << 10) {
      var last: any Sendable = 0
      var token = CancelToken.never
      for _ in 0..<Self.length {
        last = kind.object { work in
          work.onCancel(on: .inline) { [last, instance = live.make()] in _ = (last, instance) }
          token = work.cancelToken
        }
      }
      token.cancel()
      last = 0
      _ = last
    }
    #expect(live.value == 0)
  }
}
