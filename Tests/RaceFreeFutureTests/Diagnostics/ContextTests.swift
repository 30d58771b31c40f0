// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

/// What is switched on holds for the whole program, so each test has one of its own.
@Suite(.exitTests) struct ContextTests {
  @Test func `without being asked for nothing is carried`() async {
    let future = Future()
    let log = EventLog<String>()
    Request.$id.withValue("4711") { _ = future.onComplete { log.add(Request.name) } }
    future.complete()
    _ = await future.handlersFinished
    #expect(Future.contextPropagation == nil && log.events == ["nobody"])
  }

  @Test func `every handler runs in the context in which it was registered, wherever it runs`() async {
    await #expect(processExitsWith: .success) { await ContextTests.handlers() }
  }

  @Test func `blocks, work and stages run in the context in which they were given`() async {
    await #expect(processExitsWith: .success) { try await ContextTests.work() }
  }

  @Test func `a block that is waited for runs in the context of the call, once`() async {
    await #expect(processExitsWith: .success) { ContextTests.waits() }
  }

  @Test func `what a closure captured is released outside of its context, and at once if it is unregistered`() async {
    await #expect(processExitsWith: .success) { await ContextTests.releases() }
  }

  @Test func `what the context of a block captured is released inside the block, which may decide then`() async {
    await #expect(processExitsWith: .success) { await ContextTests.blocks() }
  }

  @Test func `where there is nothing to carry, and when it is switched off, closures run as they are`() async {
    await #expect(processExitsWith: .success) { await ContextTests.nothing() }
  }

  @Test func `carrying a context costs the same at the first handler and at the 200,000th`() async {
    await #expect(processExitsWith: .success) { await ContextTests.many() }
  }

  @Test func `a hook that doesn't run the body stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Future.contextPropagation = { { _ in } }
      let future = Future()
      future.onComplete(on: .inline) {}
      future.complete()
    }
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("hasn't run") == true)
  }

  @Test func `a hook that runs the body twice stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Future.contextPropagation = {
        { body in
          body()
          body()
        }
      }
      let future = Future()
      future.onComplete(on: .inline) {}
      future.complete()
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("has run its body twice") == true)
  }

  // MARK: In a program of its own

  fileprivate static func blocks() async {
    for isAwaited in [false, true] {
      let future = Future()
      let log = EventLog<String>()
      future.onComplete(on: .inline) { log.add("handler") }
      Future.contextPropagation = {
        let object = OnDeinit { log.add("context ends, \(future.tryComplete())") }
        return { body in
          object.touch()
          body()
        }
      }
      if isAwaited { await future.withTurn {} } else { future.perform {} }
      Future.contextPropagation = nil
      // Behind the block, and what it has decided.
      await future.withTurn {}
      #expect(log.events == ["context ends, true", "handler"])
    }
  }

  fileprivate static func handlers() async {
    Request.carry()
    let log = EventLog<String>()
    let contexts: [HandlerPlace] = [.serialQueue, .inline, DispatchQueue(label: "other").handlerPlace]
    for context in contexts {
      for isLate in [false, true] {
        for outcome in [Future.Outcome.completed, .cancelled] {
          let future = Future()
          if isLate { future.resolve(outcome) }
          // The first inline handler needs no node, the others do.
          for id in ["a", "b"] {
            Request.$id.withValue(id) {
              future.onComplete(on: context) { log.add("\(id)\(Request.name)") }
              future.onCancel(on: context) { log.add("\(id)\(Request.name)") }
              future.onCancel(on: context) { (_: any Error) in log.add("\(id)\(Request.name)") }
              future.onCleanUp(on: context) { log.add("\(id)\(Request.name)") }
              future.onCleanUp(on: context) { (_: Future.Outcome) in log.add("\(id)\(Request.name)") }
            }
          }
          Request.$id.withValue("whoever resolves it") { future.resolve(outcome) }
          _ = await future.handlersFinished
        }
      }
    }
    let number = ValueFuture<Int>()
    Request.$id.withValue("v") {
      number.onResult { _ in log.add("v\(Request.name)") }
      number.onValue(on: .inline) { _ in log.add("v\(Request.name)") }
    }
    number.complete(with: 7)
    _ = await number.handlersFinished
    let count = 3 * 2 * 2 * (3 + 4) + 2
    #expect(log.events.count == count)
    #expect(log.events.allSatisfy { ["aa", "bb", "vv"].contains($0) })
  }

  fileprivate static func work() async throws {
    Request.carry()
    let log = EventLog<String>()
    let future = Future()
    try await Request.$id.withValue("r") {
      future.perform { log.add(Request.name) }
      future.cancelToken.perform { log.add(Request.name) }
      future.unlessCancelled { log.add(Request.name) }
      await future.withTurn { log.add(Request.name) }
      future.performAndWait { log.add(Request.name) }
      let background = ValueFuture.background { _ in Request.name }
      let lazy = ValueFuture.lazy { _ in Request.name }
      let queue = DispatchQueue(label: "stages")
      let mapped = background.map(on: queue) { $0 + Request.name }.flatMap { text in
        ValueFuture.background { _ in text + Request.name }
      }
      try await Request.$id.withValue("somebody else") {
        log.add(try await lazy.value)
        log.add(try await mapped.value)
      }
      future.attach({ 1 }, stop: { _ in log.add(Request.name) })
    }
    future.cancel()
    #expect(log.events == ["r", "r", "r", "r", "r", "r", "rrr", "r"])
    // Inline, completed by code in another context.
    let source = ValueFuture<String>()
    let stages = Request.$id.withValue("r") {
      [source.map { $0 + Request.name }, source.flatMap { .completed(with: $0 + Request.name) }]
    }
    Request.$id.withValue("somebody else") { source.complete(with: Request.name + " ") }
    for stage in stages { #expect(try await stage.value == "somebody else r") }
  }

  fileprivate static func waits() {
    let log = EventLog<String>()
    // The thread that waits may run the block itself, in its own context: so the context is made visible.
    Future.contextPropagation = {
      log.add("captured")
      return { body in
        log.add("begins")
        body()
        log.add("ends")
      }
    }
    Future().performAndWait { log.add("block") }
    #expect(log.events == ["captured", "begins", "block", "ends"])
  }

  fileprivate static func releases() async {
    Request.carry()
    let log = EventLog<String>()
    let future = Future()
    Request.$id.withValue("r") {
      future.onComplete(on: .inline) { [last = OnDeinit { log.add("released: \(Request.name)") }] in
        last.touch()
        log.add("runs: \(Request.name)")
      }
      let taken = future.onComplete { [last = OnDeinit { log.add("taken back") }] in last.touch() }
      #expect(taken.unregister())
      #expect(log.events == ["taken back"])
    }
    future.complete()
    _ = await future.handlersFinished
    #expect(log.events == ["taken back", "runs: r", "released: nobody"])
  }

  fileprivate static func many() async {
    Request.carry()
    let count = 200_000
    let runs = Atomic(0)
    // What is called through one more closure each time needs more stack each time.
    await onThread(stackSize: 256 << 10) {
      Request.$id.withValue("r") {
        for _ in 1...count {
          let future = Future()
          future.onComplete(on: .inline) { if Request.id == "r" { runs.add(1, ordering: .relaxed) } }
          future.complete()
        }
      }
    }
    #expect(runs.load(ordering: .relaxed) == count)
  }

  fileprivate static func nothing() async {
    Request.carry()
    let log = EventLog<String>()
    let future = Future()
    future.onComplete(on: .inline) { log.add(Request.name) }
    Request.$id.withValue("r") { _ = future.onComplete(on: .inline) { log.add(Request.name) } }
    Future.contextPropagation = nil
    Request.$id.withValue("s") { _ = future.onComplete(on: .inline) { log.add(Request.name) } }
    Request.$id.withValue("t") { future.complete() }
    // Whoever resolves a future runs its inline handlers: what isn't carried finds what is there.
    #expect(log.events == ["t", "r", "t"])
  }
}

private enum Request {
  @TaskLocal static var id: String?
  static var name: String { id ?? "nobody" }

  static func carry() {
    Future.contextPropagation = {
      guard let id else { return nil }
      return { body in $id.withValue(id, operation: body) }
    }
  }
}
