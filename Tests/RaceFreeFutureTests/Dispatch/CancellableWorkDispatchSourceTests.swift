// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct CancellableWorkDispatchSourceTests {
  /// The two ends of a pipe.
  private struct Descriptors: Sendable {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(unsafe pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    func send() {
      let byte: [UInt8] = [7]
      #expect(unsafe write(writing, byte, 1) == 1)
    }

    func receive() -> UInt8 {
      var byte: [UInt8] = [0]
      #expect(unsafe read(reading, &byte, 1) == 1)
      return byte[0]
    }
  }

  /// A source that reads from the pipe; its cancel handler closes the reading end.
  private func source(
    _ pipe: Descriptors,
    on target: MarkedQueue,
    _ log: EventLog<String>,
    received: Gate,
    closed: Gate
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reading, queue: target.queue)
    source.setEventHandler {
      log.add("read \(pipe.receive())")
      received.open()
    }
    source.setCancelHandler {
      log.add("close \(close(pipe.reading))")
      closed.open()
    }
    return source
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `an attached source is active until the outcome and is closed exactly once`(
    _ outcome: Future.Outcome
  ) async throws {
    let pipe = try Descriptors()
    let target = MarkedQueue()
    let (received, closed) = (Gate("received"), Gate("closed"))
    let log = EventLog<String>()
    let future = Future()
    future.attach(source(pipe, on: target, log, received: received, closed: closed))
    pipe.send()
    await received.passed()
    #expect(log.events == ["read 7"])
    future.resolve(outcome)
    for _ in 0..<3 {
      future.cancel()
      future.complete()
    }
    await closed.passed()
    await target.drained()
    #expect(log.events == ["read 7", "close 0"])
    close(pipe.writing)
  }

  @Test(arguments: [Future.Outcome.completed, .cancelled])
  func `attached to a resolved future it is closed at once`(_ outcome: Future.Outcome) async throws {
    let pipe = try Descriptors()
    let target = MarkedQueue()
    let (received, closed) = (Gate("received"), Gate("closed"))
    let log = EventLog<String>()
    let future = Future()
    future.resolve(outcome)
    pipe.send()
    future.attach(source(pipe, on: target, log, received: received, closed: closed))
    await closed.passed()
    await target.drained()
    #expect(log.events == ["close 0"])
    close(pipe.writing)
  }

  @Test func `a token can hold a source as well`() async throws {
    let pipe = try Descriptors()
    let target = MarkedQueue()
    let (received, closed) = (Gate("received"), Gate("closed"))
    let log = EventLog<String>()
    let future = Future()
    future.cancelToken.attach(source(pipe, on: target, log, received: received, closed: closed))
    pipe.send()
    await received.passed()
    future.cancel()
    await closed.passed()
    #expect(log.events == ["read 7", "close 0"])
    close(pipe.writing)
  }

  @Test func `a source is closed also if its future is dropped while it is pending`() async throws {
    let pipe = try Descriptors()
    let (received, closed) = (Gate("received"), Gate("closed"))
    let log = EventLog<String>()
    do {
      let future = Future()
      future.attach(source(pipe, on: MarkedQueue(), log, received: received, closed: closed))
    }
    await closed.passed()
    #expect(log.events == ["close 0"])
    #expect(close(pipe.writing) == 0)
  }

  @Test func `cancelling the source itself says nothing to the future`() async throws {
    let pipe = try Descriptors()
    let target = MarkedQueue()
    let (received, closed) = (Gate("received"), Gate("closed"))
    let log = EventLog<String>()
    let future = Future()
    let source = source(pipe, on: target, log, received: received, closed: closed)
    future.attach(source)
    source.cancel()
    await closed.passed()
    #expect(future.isPending)
    future.cancel()
    await target.drained()
    #expect(log.events == ["close 0"])
    close(pipe.writing)
  }

  @Test func `it closes after the last event handler has returned`() async throws {
    let pipe = try Descriptors()
    let target = MarkedQueue()
    let (received, closed, leave) = (Gate("received"), Gate("closed"), Gate("event handler"))
    let log = EventLog<String>()
    let future = Future()
    let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reading, queue: target.queue)
    source.setEventHandler {
      received.open()
      leave.wait()
      log.add("read \(pipe.receive())")
    }
    source.setCancelHandler {
      log.add("close \(close(pipe.reading))")
      closed.open()
    }
    future.attach(source)
    pipe.send()
    await received.passed()
    future.cancel()
    leave.open()
    await closed.passed()
    #expect(log.events == ["read 7", "close 0"])
    close(pipe.writing)
  }

  @Test func `a timer source fires until the outcome`() async {
    let target = MarkedQueue()
    let (fired, stopped) = (Gate("fired"), Gate("stopped"))
    let future = Future()
    let timer = DispatchSource.makeTimerSource(queue: target.queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(1))
    timer.setEventHandler { fired.open() }
    timer.setCancelHandler { stopped.open() }
    future.attach(timer)
    await fired.passed()
    future.complete()
    await stopped.passed()
  }

  @Test func `after the outcome the source is released with its handlers`() async {
    let target = MarkedQueue()
    let (stopped, released) = (Gate("stopped"), Gate("released"))
    let future = Future()
    do {
      let timer = DispatchSource.makeTimerSource(queue: target.queue)
      timer.schedule(deadline: .distantFuture)
      timer.setEventHandler { [last = OnDeinit { released.open() }] in last.touch() }
      timer.setCancelHandler { stopped.open() }
      future.attach(timer)
    }
    future.complete()
    await stopped.passed()
    await released.passed()
  }
}
