// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFutureTesting
import TestSupport
import Testing

@testable import RaceFreeFuture

/// Random programs of one thread, run against `Future` and against the literal queue: both must show the same events.
@Suite struct SequentialHistoryTests {
  /// One call.
  ///
  /// Handlers and blocks are known by number.
  enum Call: Sendable {
    case add(Int, Future.Outcome?, Place)
    case remove(Int)
    case resolve(Future.Outcome)
    /// Looks, then calls `complete` or `cancel` if told so, then `tryComplete` or `tryCancel` if told so.
    case perform(Int, decides: Future.Outcome?, tries: Future.Outcome?)
    /// A block that adds a handler from inside.
    case performAdding(Int, Int, Future.Outcome?, Place)
  }

  enum Place: CaseIterable, Sendable { case serial, inline, queue }

  /// Where something happened.
  ///
  /// Between places nothing is promised, so each has a log of its own.
  enum Log: Hashable, Sendable {
    /// Blocks and handlers on the private queue.
    case serial
    case inline
    /// Handlers on a queue that was given.
    case queue
    /// What `remove` answered.
    case answers
  }

  typealias Logs = [Log: [String]]

  /// Calls come in bursts.
  ///
  /// During a burst both queues are kept busy, so that all its calls are queued together; a burst of one call isn't
  /// held up.
  typealias Program = [[Call]]

  @Test(arguments: 0..<4)
  func `one thread sees the events of a literal serial queue`(part: Int) async throws {
    for index in 0..<iterations(300) {
      let seed = testSeed &+ UInt64(part) &* 1_000_003 &+ UInt64(index)
      let program = Self.program(seed)
      let (ours, literal) = await onThread {
        (OursRunner().run(program), LiteralRunner().run(program))
      }
      try #require(ours == literal, "seed \(seed): \(program)")
    }
  }

  @Test func `the programs reach every kind of event`() async {
    var handlersRun = 0
    var removals = Set<Substring>()
    for index in 0..<200 {
      let logs = await onThread { OursRunner().run(Self.program(UInt64(index))) }
      handlersRun += logs.values.joined().count { $0.hasPrefix("handler") }
      removals.formUnion(logs[.answers, default: []].compactMap { $0.split(separator: " ").last })
    }
    #expect(handlersRun > 300)
    #expect(removals == ["true", "false"])
  }

  static func program(_ seed: UInt64) -> Program {
    var generator = SeededGenerator(seed: seed)
    var handlers = 0
    var blocks = 0
    func outcome(_ generator: inout SeededGenerator) -> Future.Outcome {
      Bool.random(using: &generator) ? .completed : .cancelled
    }
    func trigger(_ generator: inout SeededGenerator) -> Future.Outcome? {
      Int.random(in: 0..<3, using: &generator) == 0 ? nil : outcome(&generator)
    }
    func call(_ generator: inout SeededGenerator) -> Call {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<5:
        handlers += 1
        return .add(handlers, trigger(&generator), Place.allCases.randomElement(using: &generator) ?? .serial)
      case 5..<7 where handlers > 0:
        return .remove(Int.random(in: 1...handlers, using: &generator))
      case 7:
        return .resolve(outcome(&generator))
      case 8:
        handlers += 1
        blocks += 1
        return .performAdding(
          blocks,
          handlers,
          trigger(&generator),
          Place.allCases.randomElement(using: &generator) ?? .serial
        )
      default:
        blocks += 1
        return .perform(
          blocks,
          decides: Int.random(in: 0..<4, using: &generator) == 0 ? outcome(&generator) : nil,
          tries: Int.random(in: 0..<4, using: &generator) == 0 ? outcome(&generator) : nil
        )
      }
    }
    return (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      (0..<(Bool.random(using: &generator) ? 1 : Int.random(in: 2...6, using: &generator))).map { _ in call(&generator)
      }
    }
  }
}

/// Runs a program and keeps the logs.
///
/// `lock` guards `logs`.
private class Runner: @unchecked Sendable {
  let other = DispatchQueue(label: "other")
  private let lock = NSLock()
  private var logs: SequentialHistoryTests.Logs = [:]

  func log(_ log: SequentialHistoryTests.Log, _ event: String) {
    lock.withLock { logs[log, default: []].append(event) }
  }

  func context(_ place: SequentialHistoryTests.Place) -> HandlerPlace {
    switch place {
    case .serial: .serialQueue
    case .inline: .inline
    case .queue: other.handlerPlace
    }
  }

  func log(of place: SequentialHistoryTests.Place) -> SequentialHistoryTests.Log {
    switch place {
    case .serial: .serial
    case .inline: .inline
    case .queue: .queue
    }
  }

  func end() {}

  func run(_ program: SequentialHistoryTests.Program) -> SequentialHistoryTests.Logs {
    for burst in program {
      let gate = Gate("burst")
      if burst.count > 1 {
        occupy { gate.wait() }
        other.async { gate.wait() }
      }
      for call in burst { perform(call) }
      gate.open()
      // Handlers may add work behind what was there: three rounds settle what one burst can cause.
      for _ in 0..<3 {
        drain()
        other.sync {}
      }
    }
    let result = lock.withLock { logs }
    end()
    return result
  }

  func occupy(_ body: @escaping @Sendable () -> Void) {}
  func drain() {}
  func perform(_ call: SequentialHistoryTests.Call) {}
}

private final class OursRunner: Runner, @unchecked Sendable {
  private let future = Future()
  private var registrations: [Int: Registration] = [:]

  override func occupy(_ body: @escaping @Sendable () -> Void) { future.perform { body() } }
  override func drain() { future.performAndWait {} }
  override func end() { future.cancel(); drain(); drain(); registrations = [:] }

  override func perform(_ call: SequentialHistoryTests.Call) {
    switch call {
    case .add(let id, let trigger, let place):
      registrations[id] = add(id, trigger, place)
    case .remove(let id):
      if let registration = registrations[id] { log(.answers, "remove \(id) \(registration.unregister())") }
    case .resolve(.completed):
      future.complete()
    case .resolve(.cancelled):
      future.cancel()
    case .perform(let id, let decides, let tries):
      future.perform { [self] in
        log(.serial, "block \(id) \(future.isPending ? "pending" : future.isCompleted ? "completed" : "cancelled")")
        if decides == .completed { future.complete() }
        if decides == .cancelled { future.cancel() }
        if tries == .completed { log(.serial, "block \(id) \(future.tryComplete())") }
        if tries == .cancelled { log(.serial, "block \(id) \(future.tryCancel())") }
      }
    case .performAdding(let id, let handler, let trigger, let place):
      future.perform { [self] in
        log(.serial, "block \(id) \(future.isPending ? "pending" : future.isCompleted ? "completed" : "cancelled")")
        _ = add(handler, trigger, place)
      }
    }
  }

  private func add(_ id: Int, _ trigger: Future.Outcome?, _ place: SequentialHistoryTests.Place) -> Registration {
    let log = log(of: place)
    let body: @Sendable () -> Void = { [self] in self.log(log, "handler \(id)") }
    return switch trigger {
    case .completed: future.onComplete(on: context(place), body)
    case .cancelled: future.onCancel(on: context(place), body)
    case nil: future.onCleanUp(on: context(place), body)
    }
  }
}

private final class LiteralRunner: Runner, @unchecked Sendable {
  private let future = LiteralFuture()
  private var handlers: [Int: LiteralFuture.Handler] = [:]

  override func occupy(_ body: @escaping @Sendable () -> Void) { future.perform { body() } }
  override func drain() { future.queue.sync {} }
  override func end() { future.resolve(.cancelled); drain(); drain(); handlers = [:] }

  override func perform(_ call: SequentialHistoryTests.Call) {
    switch call {
    case .add(let id, let trigger, let place):
      let log = log(of: place)
      handlers[id] = future.add(trigger, context(place)) { [self] in self.log(log, "handler \(id)") }
    case .remove(let id):
      if let handler = handlers[id] { log(.answers, "remove \(id) \(future.remove(handler))") }
    case .resolve(let outcome):
      future.resolve(outcome)
    case .perform(let id, let decides, let tries):
      future.perform { [self] in
        log(.serial, "block \(id) \(future.outcome.map { "\($0)" } ?? "pending")")
        if let decides { future.resolve(decides) }
        if let tries {
          log(.serial, "block \(id) \(future.outcome == nil)")
          future.resolve(tries)
        }
      }
    case .performAdding(let id, let handler, let trigger, let place):
      let log = log(of: place)
      future.perform { [self] in
        self.log(.serial, "block \(id) \(future.outcome.map { "\($0)" } ?? "pending")")
        _ = future.add(trigger, context(place)) { [self] in self.log(log, "handler \(handler)") }
      }
    }
  }
}
