// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

/// What a block decides about its own future, and what it isn't asked about.
@Suite struct CancellableWorkPerformingTests {
  /// A way to run a block in the turn of a future.
  enum Form: CaseIterable {
    case perform, withTurn, performAndWait

    func run(_ work: some CancellableWork, _ body: @escaping @Sendable () -> Void) async {
      switch self {
      case .perform: work.perform(body)
      case .withTurn: await work.withTurn(body)
      case .performAndWait: await onThread { work.performAndWait(body) }
      }
    }
  }

  /// A call that resolves a pending future.
  enum Call: CaseIterable {
    case complete, completeWithHandler, tryComplete, completer
    case completeWithValue, completeWithError, completeWithResult, tryCompleteWithValue, completerOfValue
    case cancel, cancelWithHandler, tryCancel, cancelOfToken, deadlineThatHasPassed, releaseOfCompleter

    func make() -> (work: CancelToken, call: @Sendable () -> Void) {
      let (future, value) = (Future(), ValueFuture<Int>())
      switch self {
      case .complete: return (future.cancelToken, { future.complete() })
      case .completeWithHandler: return (future.cancelToken, { future.complete {} })
      case .tryComplete: return (future.cancelToken, { future.tryComplete() })
      case .completer:
        let completer = Future.makeCompleter()
        return (completer.cancelToken, { completer.complete() })
      case .completeWithValue: return (value.cancelToken, { value.complete(with: 1) })
      case .completeWithError: return (value.cancelToken, { value.complete(throwing: Reason("failure")) })
      case .completeWithResult:
        return (value.cancelToken, { value.complete(with: Result<Int, Reason>.success(1)) })
      case .tryCompleteWithValue: return (value.cancelToken, { value.tryComplete(with: 1) })
      case .completerOfValue:
        let completer = ValueFuture<Int>.makeCompleter()
        return (completer.cancelToken, { completer.complete(with: 1) })
      case .cancel: return (future.cancelToken, { future.cancel() })
      case .cancelWithHandler: return (future.cancelToken, { future.cancel {} })
      case .tryCancel: return (future.cancelToken, { future.tryCancel() })
      case .cancelOfToken: return (value.cancelToken, { value.cancelToken.cancel() })
      case .deadlineThatHasPassed: return (future.cancelToken, { future.cancel(after: .zero) })
      case .releaseOfCompleter:
        let completer = EventLog<Completer<Future>>()
        completer.add(Future.makeCompleter())
        return (completer.events[0].cancelToken, { completer.removeAll() })
      }
    }
  }

  /// A link by which the first future decides the second.
  enum LinkKind: CaseIterable {
    case cascade, passControl, map, flatMap, all, any

    func make() -> (source: ValueFuture<Int>, target: CancelToken) {
      let source = ValueFuture<Int>()
      switch self {
      case .cascade: return (source, Future(linkedTo: source).cancelToken)
      case .passControl:
        let target = Future()
        target.passControl(to: source)
        return (source, target.cancelToken)
      case .map: return (source, source.map { $0 + 1 }.cancelToken)
      case .flatMap: return (source, source.flatMap { .completed(with: $0 + 1) }.cancelToken)
      case .all: return (source, ValueFuture.all([source]).cancelToken)
      case .any: return (source, ValueFuture.any([source]).cancelToken)
      }
    }

    func decide(_ source: ValueFuture<Int>) {
      if self == .cascade { source.cancel() } else { source.complete(with: 1) }
    }
  }

  @Test(arguments: Call.allCases, Form.allCases)
  func `a block decides its own future in place, and handlers start after the block`(_ call: Call, _ form: Form) async {
    let (work, decide) = call.make()
    let log = EventLog<String>()
    work.onCleanUp(on: .inline) { log.add("inline handler") }
    work.onCleanUp { log.add("handler") }
    await form.run(work) {
      log.add("pending \(work.isPending)")
      decide()
      log.add("pending \(work.isPending)")
      work.onCleanUp(on: .inline) { log.add("late handler") }
      work.cancel(throwing: Reason("too late"))
      log.add("block ends")
    }
    _ = await work.handlersFinished
    #expect(log.events.prefix(4) == ["pending true", "pending false", "block ends", "inline handler"])
    #expect(Set(log.events.suffix(2)) == ["handler", "late handler"])
    #expect(reason(work.cancellationReason) == nil)
  }

  @Test(arguments: Form.allCases)
  func `what a block calls of another future takes that one's turn`(_ form: Form) async {
    let (future, idle, busy) = (Future(), Future(), Future())
    let (gate, log) = (Gate("line"), EventLog<String>())
    idle.onComplete(on: .inline) { log.add("idle, handler") }
    busy.onCancel(on: .inline) { log.add("busy, handler") }
    busy.standStill(until: gate)
    await form.run(future) {
      idle.complete()
      busy.cancel()
      log.add("busy, pending \(busy.isPending)")
    }
    await future.withTurn {}
    #expect(log.events == ["idle, handler", "busy, pending true"])
    gate.open()
    #expect(await busy.handlersFinished == .cancelled)
    #expect(log.events.last == "busy, handler")
    #expect(future.isPending)
  }

  @Test(arguments: Form.allCases)
  func `what another thread decides while a block runs is queued behind it, and loses against the block`(
    _ form: Form
  ) async {
    let future = Future()
    let (entered, leave, log) = (Gate("block runs"), Gate("cancelled"), EventLog<Bool>())
    let block = Task {
      await form.run(future) {
        entered.open()
        leave.wait()
        log.add(future.isPending)
        future.complete()
      }
    }
    await entered.passed()
    await onThread { future.cancel() }
    leave.open()
    await block.value
    #expect(await future.handlersFinished == .completed)
    #expect(log.events == [true])
  }

  @Test(arguments: LinkKind.allCases, Form.allCases)
  func `what a link decides because of a block is queued behind that block`(_ link: LinkKind, _ form: Form) async {
    let (source, target) = link.make()
    let log = EventLog<String>()
    await form.run(target) {
      link.decide(source)
      log.add("source pending \(source.isPending), target pending \(target.isPending)")
    }
    #expect(await target.outcome == (link == .cascade ? .cancelled : .completed))
    #expect(log.events == ["source pending false, target pending true"])
  }

  @Test(arguments: LinkKind.allCases)
  func `a block decides before what a link has queued behind it`(_ link: LinkKind) async {
    let (source, target) = link.make()
    await target.withTurn {
      link.decide(source)
      target.cancel(throwing: Reason("block"))
    }
    #expect(await target.outcome == .cancelled)
    #expect(reason(target.cancellationReason) == Reason("block"))
  }

  @Test func `a block of another future, or a handler there, has no part in the turn`() async {
    let (future, other) = (Future(), Future())
    let (entered, leave) = (Gate("block runs"), Gate("decided elsewhere"))
    let log = EventLog<Bool>()
    future.perform {
      entered.open()
      leave.wait()
      log.add(future.isPending)
    }
    await entered.passed()
    other.onComplete { future.cancel() }
    other.perform {
      future.complete()
      other.complete()
    }
    #expect(await other.handlersFinished == .completed)
    leave.open()
    #expect(await future.outcome == .completed)
    #expect(log.events == [true])
  }
}
