// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct CancellableWorkTests {
  /// A type as a user of the package may write it.
  private final class Upload: CancellableWork {
    private let future = Future(label: "upload")

    var cancelToken: CancelToken { future.cancelToken }

    func finish() { future.complete() }
  }

  /// One pending work of each kind that the core has.
  private static func all() -> [any CancellableWork] {
    [
      Future(), Future().cancelToken, ValueFuture<Int>(), Future.makeCompleter(), ValueFuture<Int>.makeCompleter(),
      Upload(),
    ]
  }

  @Test func `a type of one's own has everything by telling its token`() async {
    let upload = Upload()
    let log = EventLog<String>()
    upload.onComplete(on: .inline) { log.add("complete") }
    upload.onCancel(on: .inline) { log.add("cancel") }
    upload.onCleanUp(on: .inline) { log.add("\($0)") }
    upload.perform { log.add("pending: \(upload.isPending)") }
    #expect(upload.origin.label == "upload")
    #expect(upload.unlessCancelledAndWait { 1 } == 1)
    upload.finish()
    #expect(await upload.handlersFinished == .completed)
    #expect(log.events == ["pending: true", "complete", "completed"])
    #expect(!upload.tryCancel())
  }

  @Test func `every kind of work is cancelled, for the reason that is given`() async {
    for work in Self.all() {
      let log = EventLog<Reason?>()
      work.onCancel(on: .inline) { log.add(reason($0)) }
      work.cancel(throwing: Reason("why"))
      #expect(log.events == [Reason("why")])
      #expect(work.isCancelled && !work.isPending && !work.isCompleted)
      #expect(reason(work.cancellationReason) == Reason("why"))
      #expect(throws: Reason("why")) { try work.checkCancellation() }
      #expect(await work.outcome == .cancelled)
      #expect(await onThread { work.cancelToken.wait() } == .cancelled)
    }
  }

  @Test func `every kind of work cancels every other, and is a parent of futures, of which it may be one of several`() {
    for (index, work) in Self.all().enumerated() {
      for other in Self.all() {
        let source = Self.all()[index]
        source.cascadeCancellation(to: other)
        source.cancel()
        #expect(other.isCancelled)
      }
      let child = Future(linkedTo: CancelToken.never, ValueFuture<Int>(), work)
      let value = ValueFuture<String>(linkedTo: work, Future())
      #expect(child.isPending && value.isPending)
      work.cancel(throwing: Reason("parent"))
      #expect(reason(child.cancellationReason) == Reason("parent"))
      #expect(reason(value.cancellationReason) == Reason("parent"))
      #expect(Future(linkedTo: work).isCancelled)
    }
  }

  @Test func `work of all kinds, mixed, makes one future`() {
    let (future, value, upload) = (Future(), ValueFuture<Int>(), Upload())
    let all = Future.all([future, value, upload])
    let any = Future.any([future.cancelToken, value, upload])
    let first = Future()
    first.passControl(to: value)
    future.complete()
    #expect(any.isCompleted && all.isPending && first.isPending)
    value.complete(with: 1)
    #expect(first.isCompleted && all.isPending)
    upload.finish()
    #expect(all.isCompleted)
  }

  @Test func `a group and a slot take every kind`() {
    let (group, slot) = (DispatchGroup(), LatestFuture())
    let log = EventLog<Int>()
    for work in Self.all() {
      group.enter(until: work)
      #expect(slot.current?.isCancelled != true)
      slot.replace(with: work)
      #expect(slot.current == work.cancelToken)
    }
    let value = ValueFuture<Int>()
    let registration = slot.replace(with: value, on: .inline) { _ in log.add(2) }
    #expect(group.wait(timeout: .now()) == .success)
    #expect(registration.unregister())
    value.complete(with: 2)
    #expect(log.events == [])
  }

  @Test func `a completer takes work with its stop, and tells the reason`() {
    let completer = Future.makeCompleter()
    let log = EventLog<String>()
    completer.attach {
      7
    } stop: {
      log.add("stop \($0)")
    }
    completer.onCancel(on: .inline) { log.add("\(reason($0) == Reason("why"))") }
    completer.cancel(throwing: Reason("why"))
    #expect(log.events == ["stop 7", "true"])
  }

  @Test func `a future's own block may complete it, and that of its token sees the same state`() async {
    let future = Future()
    let seen = future.cancelToken.performAndWait { future.cancelToken.isPending }
    #expect(seen)
    future.performAndWait { future.complete() }
    #expect(await future.withTurn { future.isCompleted })
    #expect(future.isCompleted)
  }

  @Test func `waiting for a value future brings its value, however the call is written`() async {
    let future = ValueFuture<Int>.completed(with: 7)
    let values = await onThread {
      let (plain, timed) = (try? future.wait(), try? future.wait(timeout: .seconds(1)))
      return [plain, timed]
    }
    #expect(values == [7, 7])
    let awaited = try? await future.value
    #expect(awaited == 7)
    #expect(await onThread { future.cancelToken.wait(timeout: .zero) } == .completed)
  }

  @Test func `a lazy value future isn't started by waiting for no more than its outcome`() async {
    let lazy = ValueFuture.lazy { _ in 1 }
    async let outcome = lazy.outcome
    lazy.cancel()
    #expect(await outcome == .cancelled)
  }
}
