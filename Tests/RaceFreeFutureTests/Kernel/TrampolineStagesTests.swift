// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Closures inside each other on one thread, which has the stack of a pool's.
@Suite(.serialized) struct TrampolineStagesTests {
  private static let stackSize = 512 << 10
  static let length = min(100_000, iterations(100_000))

  /// What the steps of a loop may be.
  enum Step: CaseIterable, Sendable {
    case flatMap, flatMapError, mapThenFlatMap, joined, lazy, timed

    /// A loop whose steps are there already.
    func loop(_ left: Int, _ touch: @escaping @Sendable () -> Void = {}) -> ValueFuture<Int> {
      touch()
      if left == 0 { return .completed(with: 7) }
      switch self {
      case .flatMap:
        return ValueFuture.completed(with: left).flatMap { loop($0 - 1, touch) }
      case .flatMapError:
        return ValueFuture<Int>.completed(throwing: Reason("again")).flatMapError { _ in loop(left - 1, touch) }
      case .mapThenFlatMap:
        return ValueFuture.completed(with: left).map { $0 - 1 }.flatMap { loop($0, touch) }
      case .joined:
        return ValueFuture.all([.completed(with: left)]).flatMap { loop($0[0] - 1, touch) }
      case .lazy:
        let page = ValueFuture.lazy { _ in left }
        _ = try? page.wait()
        return page.flatMap { loop($0 - 1, touch) }
      case .timed:
        return ValueFuture.completed(with: left).timeout(after: .seconds(1_000)).flatMap { loop($0 - 1, touch) }
      }
    }
  }

  @Test(arguments: Step.allCases)
  func `a loop of steps that are there needs no more stack for many than for some`(_ step: Step) async throws {
    // A hundred thousand of the simplest, of the others enough to exhaust the stack many times.
    let length = step == .flatMap ? Self.length : Self.length / 10
    let value = await onThread(stackSize: Self.stackSize) { step.loop(length).result?.value }
    #expect(value == 7)
  }

  @Test func `it is resolved when the outermost has returned, with all its closures released`() async {
    let live = LiveCount()
    await onThread(stackSize: Self.stackSize) {
      let instance = live.make()
      let loop = Step.flatMap.loop(1_000) { instance.touch() }
      #expect(!loop.isPending)
    }
    #expect(live.value == 0)
  }

  @Test func `a tree of steps is walked once, and what its branches bring comes together`() async {
    let log = EventLog<Int>()
    await onThread(stackSize: Self.stackSize) {
      @Sendable func visit(_ node: Int) -> ValueFuture<Int> {
        log.add(node)
        let children = node < 1 << 20 ? [node + 1] + (node % 100 == 0 ? [node + (1 << 20)] : []) : []
        return ValueFuture.completed(with: node).flatMap { node in
          ValueFuture.all(children.filter { $0 % (1 << 20) <= 10_000 }.map(visit)).map { $0.reduce(1, +) }
        }
      }
      #expect(visit(1).result?.value == 10_100)
    }
    #expect(log.events.sorted() == Array(1...10_000) + (1...100).map { $0 * 100 + (1 << 20) })
  }

  /// Calls the body inside so many closures that the next one is left to the outermost.
  private static func atTheLimit(_ body: @escaping @Sendable () -> Void) {
    _ = ValueFuture.completed(with: ()).map {
      if ValueFuture.completed(with: ()).map({}).isPending { body() } else { atTheLimit(body) }
    }
  }

  @Test func `the outermost closure has a value, too, if others were left to it`() async {
    let value = await onThread(stackSize: Self.stackSize) {
      let outermost = ValueFuture.completed(with: 1).map { number in
        Self.atTheLimit {}
        return number + 1
      }
      return outermost.result?.value
    }
    #expect(value == 2)
  }

  /// Ways to block.
  enum Wait: CaseIterable, Sendable {
    case wait, futureWait, timeout, futureTimeout, performAndWait, tryComplete, unregisterAndWait, lazy

    func wait(for future: ValueFuture<Int>) -> Int? {
      switch self {
      case .wait: return try? future.wait()
      case .futureWait: _ = future.cancelToken.wait()
      case .timeout: return try? future.wait(timeout: .seconds(3_600))
      case .futureTimeout: _ = future.cancelToken.wait(timeout: .seconds(3_600))
      case .performAndWait: Future().performAndWait {}
      case .tryComplete:
        let other = Future()
        // In line behind a block that waits for what this thread would run later.
        other.perform { _ = future.cancelToken.wait() }
        other.tryComplete()
      case .unregisterAndWait:
        let (other, runs) = (Future(), Gate("the handler runs"))
        let registration = other.onComplete {
          runs.open()
          _ = future.cancelToken.wait()
        }
        other.complete()
        runs.wait()
        registration.unregisterAndWait()
      case .lazy: return try? ValueFuture.lazy { _ in try future.wait() }.wait()
      }
      return future.result?.value
    }
  }

  @Test(arguments: Wait.allCases)
  func `a thread that blocks inside has run before what was left to the outermost`(_ wait: Wait) async {
    let seen = EventLog<String>()
    await onThread(stackSize: Self.stackSize) {
      _ = ValueFuture.completed(with: ()).map {
        // More of them than the stack has room for, so that some are left.
        let loop = Step.flatMap.loop(1_000)
        seen.add(loop.isPending ? "pending" : "there")
        seen.add("\(wait.wait(for: loop) ?? 0)")
      }
    }
    #expect(seen.events == ["pending", "7"])
  }

  @Test func `a closure for a queue runs on that queue, however many are inside each other`() async throws {
    let marked = MarkedQueue("own")
    @Sendable func loop(_ left: Int) -> ValueFuture<Bool> {
      if left == 0 { return .completed(with: true) }
      return ValueFuture.completed(with: left).flatMap(on: marked.queue) { left in
        marked.isCurrent ? loop(left - 1) : .completed(with: false)
      }
    }
    #expect(try await loop(1_000).value)
  }

  @Test func `what was cancelled meanwhile isn't run any more, and its value is given back`() async {
    let (log, undelivered) = (EventLog<String>(), EventLog<Int>())
    await onThread(stackSize: Self.stackSize) {
      Self.atTheLimit {
        let lease = ValueFuture<Int>(onUndelivered: { undelivered.add($0) })
        lease.complete(with: 7)
        let left = lease.map { _ in log.add("it ran") }
        log.add(left.isPending ? "left" : "run at once")
        left.cancel()
      }
    }
    #expect(log.events == ["left"])
    #expect(undelivered.events == [7])
  }

  @Test func `a task that waits for what was left is resumed`() async throws {
    let loops = EventLog<ValueFuture<Int>>()
    let (left, awaited) = (Gate("left"), Gate("awaited"))
    let thread = Task {
      await onThread(stackSize: Self.stackSize) {
        _ = ValueFuture.completed(with: ()).map {
          loops.add(Step.flatMap.loop(1_000))
          left.open()
          awaited.wait()
        }
      }
    }
    await left.passed()
    let task = Task { try await loops.events[0].value }
    awaited.open()
    #expect(try await task.value == 7)
    await thread.value
  }
}
