// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// Chains of a hundred thousand futures, on a thread with a stack of one megabyte (law L10).
@Suite(.serialized) struct ValueFutureChainTests {
  /// Shorter under a sanitizer, which is slow; the tests of the laws are as long as ever there.
  static let length = min(100_000, iterations(100_000))

  struct Chain: Sendable {
    let first = ValueFuture<Int>()
    let last: ValueFuture<Int>
    let live = LiveCount()

    init(length: Int, _ link: (ValueFuture<Int>, LiveCount.Instance) -> ValueFuture<Int>) {
      var last = first
      for _ in 0..<length { last = link(last, live.make()) }
      self.last = last
    }

    static func maps() -> Chain {
      Chain(length: length) { future, instance in
        future.map { value in
          instance.touch()
          return value + 1
        }
      }
    }
  }

  @Test func `a chain of maps is built and resolved`() async {
    await onThread {
      let chain = Chain.maps()
      #expect(chain.live.value == Self.length)
      chain.first.complete(with: 0)
      #expect(chain.last.result?.value == Self.length)
      #expect(chain.live.value == 0)
    }
  }

  @Test func `a chain of maps fails`() async {
    await onThread {
      let chain = Chain.maps()
      chain.first.complete(throwing: Reason("broken"))
      #expect(reason(chain.last.result?.error) == Reason("broken"))
      #expect(chain.live.value == 0)
    }
  }

  @Test(arguments: [false, true])
  func `a chain of maps is cancelled from either end`(_ isFromLast: Bool) async {
    await onThread {
      let chain = Chain.maps()
      let (cancelled, seen) = isFromLast ? (chain.last, chain.first) : (chain.first, chain.last)
      let log = EventLog<Bool>()
      cancelled.onCancel(on: .inline) { log.add(seen.isCancelled) }
      cancelled.cancel(throwing: Reason("why"))
      #expect(reason(seen.cancellationReason) == Reason("why"))
      #expect(chain.live.value == 0)
      #expect(log.events == [true])
    }
  }

  @Test func `a chain of maps is dropped while it is pending`() async {
    await onThread {
      func drop() -> (LiveCount, WeakWork) {
        let chain = Chain.maps()
        return (chain.live, WeakWork(chain.last))
      }
      let (live, last) = drop()
      #expect(live.value == 0)
      #expect(last.isGone)
    }
  }

  @Test func `its end is kept by its beginning, and not the other way round`() async {
    await onThread {
      func keepLast() -> (LiveCount, ValueFuture<Int>) {
        let chain = Chain.maps()
        return (chain.live, chain.last)
      }
      let (live, last) = keepLast()
      #expect(live.value == 0)
      #expect(last.cancellationReason is AbandonedError)
    }
  }

  @Test func `a chain on completed futures is built`() async {
    await onThread {
      var last = ValueFuture<Int>.completed(with: 0)
      for _ in 0..<Self.length { last = last.map { $0 + 1 } }
      #expect(last.result?.value == Self.length)
    }
  }

  // MARK: Other kinds

  /// What may stand between two futures of a chain.
  enum Kind: CaseIterable, Sendable {
    case mapOnQueue, flatMap, recover, flatMapError, never, timeout, all, zip, any, race, raceCancellingLosers

    func link(_ future: ValueFuture<Int>, _ instance: LiveCount.Instance) -> ValueFuture<Int> {
      switch self {
      case .mapOnQueue: future.map(on: DispatchQueue.global()) { ($0, instance.touch()).0 }
      case .flatMap: future.flatMap { (ValueFuture.completed(with: $0), instance.touch()).0 }
      case .recover: future.recover { ((0, instance.touch()).0, $0).0 }
      case .flatMapError: future.flatMapError { (ValueFuture.completed(throwing: $0), instance.touch()).0 }
      case .never: future.timeout(after: .seconds(Int64.max))
      case .timeout: future.timeout(after: .seconds(1_000))
      case .all: ValueFuture.all([future]).map { ($0[0], instance.touch()).0 }
      case .zip: ValueFuture.zip(future, .completed(with: "")).map { ($0.0, instance.touch()).0 }
      case .any: .any([future, ValueFuture<Int>().map { ($0, instance.touch()).0 }], cancelLosers: true)
      case .race: .race([future, ValueFuture<Int>().map { ($0, instance.touch()).0 }])
      case .raceCancellingLosers: .race([ValueFuture(), future], cancelLosers: true)
      }
    }

    /// Enough to exhaust the stack if each took a hundred bytes of it.
    func chain() -> Chain { Chain(length: 10_000, link) }
  }

  @Test(arguments: Kind.allCases)
  func `a chain of any kind is resolved`(_ kind: Kind) async throws {
    let chain = await onThread {
      let chain = kind.chain()
      chain.first.complete(with: 7)
      return chain
    }
    #expect(try await chain.last.value == 7)
    try await eventually("the chain is released") { chain.live.value == 0 }
  }

  @Test(arguments: Kind.allCases)
  func `a chain of any kind fails`(_ kind: Kind) async throws {
    let chain = await onThread {
      let chain = kind.chain()
      chain.first.complete(throwing: Reason("broken"))
      return chain
    }
    #expect(await chain.last.outcome == .completed)
    var error = chain.last.result?.error
    // One inside the other.
    while let several = error as? AllFailedError { error = several.errors.first }
    #expect(kind == .recover ? chain.last.result?.value == 0 : reason(error) == Reason("broken"))
    try await eventually("the chain is released") { chain.live.value == 0 }
  }

  @Test(arguments: Kind.allCases, [false, true])
  func `a chain of any kind is cancelled from either end`(_ kind: Kind, _ isFromLast: Bool) async {
    await onThread {
      let chain = kind.chain()
      let (cancelled, seen) = isFromLast ? (chain.last, chain.first) : (chain.first, chain.last)
      cancelled.cancel(throwing: Reason("why"))
      #expect(reason(seen.cancellationReason) == Reason("why"))
      #expect(chain.live.value == 0)
    }
  }

  @Test(arguments: Kind.allCases)
  func `a chain of any kind is dropped while it is pending`(_ kind: Kind) async {
    let live = await onThread { kind.chain().live }
    // A timer keeps its future until it fires.
    if kind != .timeout { #expect(live.value == 0) }
  }

  @Test(arguments: [false, true])
  func `races of one are cancelled from their beginning, and dropped`(_ isAny: Bool) async {
    await onThread {
      func make() -> Chain { Chain(length: 10_000) { future, _ in isAny ? .any([future]) : .race([future]) } }
      let chain = make()
      chain.first.cancel(throwing: Reason("why"))
      #expect(reason(chain.last.cancellationReason) == Reason("why"))
      func drop() -> WeakWork { WeakWork(make().last) }
      #expect(drop().isGone)
    }
  }

  // MARK: Chains that grow

  @Test func `steps that each choose the next one end`() async {
    await onThread {
      let steps = EventLog<ValueFuture<Int>>()
      @Sendable func next(_ left: Int) -> ValueFuture<Int> {
        if left == 0 { return .completed(with: 7) }
        let step = ValueFuture<Int>()
        steps.removeAll()
        steps.add(step)
        return step.flatMap { _ in next(left - 1) }
      }
      let all = next(Self.length)
      for _ in 0..<Self.length {
        for step in steps.events { step.complete(with: 0) }
      }
      #expect(all.result?.value == 7)
    }
  }

  @Test func `tries that each make another try end, or are cancelled`() async {
    await onThread {
      let tries = EventLog<ValueFuture<Int>>()
      @Sendable func attempt(_ left: Int) -> ValueFuture<Int> {
        let future = ValueFuture<Int>()
        tries.removeAll()
        tries.add(future)
        return left == 0 ? future : future.flatMapError { _ in attempt(left - 1) }
      }
      let all = attempt(Self.length)
      for _ in 0..<Self.length {
        for future in tries.events { future.complete(throwing: Reason("again")) }
      }
      #expect(all.isPending)
      all.cancel(throwing: Reason("enough"))
      #expect(tries.events.map { reason($0.cancellationReason) } == [Reason("enough")])
    }
  }
}
