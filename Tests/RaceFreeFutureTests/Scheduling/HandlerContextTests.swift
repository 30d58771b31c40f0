// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct HandlerContextTests {
  @Test func `handlers for a concurrent queue may run at the same time`() async {
    let future = Future()
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let (first, second) = (Gate("first handler runs"), Gate("second handler runs"))
    // Each waits for the other one: serially this would never end.
    future.onComplete(on: queue) {
      first.open()
      second.wait()
    }
    future.onComplete(on: queue) {
      second.open()
      first.wait()
    }
    future.complete()
    #expect(await future.handlersFinished == .completed)
  }

  @Test func `a blocked private queue holds up no other context`() async {
    let future = Future()
    let gate = Gate("private queue")
    let others = Gate("other contexts")
    let queue = DispatchQueue(label: "given")
    future.onComplete { gate.wait() }
    future.onComplete(on: queue) { others.open() }
    future.complete()
    await others.passed()
    gate.open()
    #expect(await future.handlersFinished == .completed)
  }

  @Test func `handlers of two futures run at the same time, unless they share a queue`() async {
    let futures = [Future(), Future()]
    let inside = [Gate("handler of the first"), Gate("handler of the second")]
    for (index, future) in futures.enumerated() {
      future.onComplete {
        inside[index].open()
        inside[1 - index].wait()
      }
    }
    for future in futures { future.complete() }
    for future in futures { #expect(await future.handlersFinished == .completed) }
    // On one queue each has ended before the next one starts.
    let (queue, log) = (DispatchQueue(label: "shared"), EventLog<String>())
    let others = [Future(), Future()]
    for (index, future) in others.enumerated() {
      future.onComplete(on: queue) {
        log.add("\(index) starts")
        if index == 0 { others[1].complete() }
        log.add("\(index) ends")
      }
    }
    others[0].complete()
    for future in others { #expect(await future.handlersFinished == .completed) }
    #expect(log.events == ["0 starts", "0 ends", "1 starts", "1 ends"])
  }

  @Test func `global queues are contexts`() async {
    let future = Future()
    let gate = Gate("private queue")
    let others = [Gate("default"), Gate("user-initiated")]
    future.onComplete { gate.wait() }
    future.onComplete(on: .global()) { others[0].open() }
    future.onCleanUp(on: .global(qos: .userInitiated)) { others[1].open() }
    future.complete()
    for other in others { await other.passed() }
    gate.open()
    #expect(await future.handlersFinished == .completed)
  }

  /// Something that stands for a queue, as a user of the package may write it.
  private struct Disk: HandlerContext {
    let queue: DispatchQueue
    var handlerPlace: HandlerPlace { queue.handlerPlace }
  }

  @Test func `a queue is a context, and so is a type of one's own that names one`() async {
    let future = Future()
    let marked = MarkedQueue()
    let log = EventLog<Bool>()
    future.onComplete(on: marked.queue) { log.add(marked.isCurrent) }
    future.onComplete(on: Disk(queue: marked.queue)) { log.add(marked.isCurrent) }
    let kept: [HandlerPlace] = [.inline, marked.queue.handlerPlace]
    for place in kept { future.onComplete(on: place) { log.add(marked.isCurrent) } }
    future.complete()
    #expect(await future.handlersFinished == .completed)
    // The inline one runs here, beside the queue.
    #expect(log.events.count == 4)
    #expect(log.events.count { $0 } == 3)
  }
}
