// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization

/// Programs in which a task begins, or continues, before the code that lets it is ready for that.
extension InterruptedPrograms {
  /// A request whose waiter looks whether it is over.
  private final class Request: Sendable {
    private struct State {
      var isBusy = true
      var waiting: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())
    let (stream, out) = AsyncStream<Void>.makeStream()

    var isBusy: Bool { state.withLock(\.isBusy) }

    func finish() { state.withLock { $0.isBusy = false } }

    func wait() async -> Bool {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isBusy { state.waiting = continuation }
          return !state.isBusy
        }
        if isOver { continuation.resume() }
      }
      return isBusy
    }

    func resume() { state.withLock { $0.waiting.take() }?.resume() }
  }

  private final class Value: Sendable {
    let real: Mutex<Int>
    init(_ value: Int) { real = Mutex(value) }
  }

  /// The first example of Coyote and of shuttle: the task that is made is faster than its maker.
  static let fasterTask = pair("nobody is faster", fails: "it is 1") { isMended, scenario in
    let value = Value(0)
    let begin = { Task { value.real.withLock { $0 = 1 } } }
    if isMended {
      let before = value.real.withLock(\.self)
      await begin().value
      return scenario.check(before == 0, "it is \(before)")
    }
    let task = begin()
    let before = value.real.withLock(\.self)
    scenario.check(before == 0, "it is \(before)")
    await task.value
  }

  static let fasterChild = pair("no child is faster", fails: "it is 2") { isMended, scenario in
    let value = Value(1)
    await withTaskGroup { group in
      if isMended { value.real.withLock { $0 *= 10 } }
      group.addTask { value.real.withLock { $0 += 1 } }
      let seen = value.real.withLock(\.self)
      scenario.check(isMended || seen == 1, "it is \(seen)")
    }
  }

  static let fasterResume = pair("who was resumed isn't busy", fails: "it is busy") { isMended, scenario in
    let request = Request()
    let waiter = Task(name: "waiter") { await request.wait() }
    let finisher = Task(name: "finisher") {
      await Task.yield()
      if isMended { request.finish() }
      request.resume()
      // The mistake: the waiter has looked already.
      request.finish()
    }
    await finisher.value
    scenario.check(await !waiter.value, "it is busy")
  }

  static let fasterStream = pair("who receives isn't busy", fails: "it is busy") { isMended, scenario in
    let request = Request()
    let waiter = Task(name: "waiter") {
      for await _ in request.stream { break }
      return request.isBusy
    }
    let finisher = Task(name: "finisher") {
      if isMended { request.finish() }
      request.out.yield()
      request.finish()
    }
    await finisher.value
    scenario.check(await !waiter.value, "it is busy")
  }

  private actor Keeper {
    func look(_ request: Request) -> Bool { request.isBusy }
    func begin(_ request: Request, isMended: Bool) -> Task<Bool, Never> {
      if isMended { request.finish() }
      defer { request.finish() }
      return Task.detached { await Keeper().look(request) }
    }
  }

  static let fasterActor = pair("an actor's task isn't faster", fails: "it is busy") { isMended, scenario in
    let task = await Keeper().begin(Request(), isMended: isMended)
    scenario.check(await !task.value, "it is busy")
  }

  /// What a cancellation has resumed may act before the code behind it.
  static let fasterHandler = pair("who was cancelled isn't busy", fails: "it is busy") { isMended, scenario in
    let request = Request()
    let waiter = Task(name: "waiter") {
      await withTaskCancellationHandler {
        await request.wait()
      } onCancel: {
        request.resume()
      }
    }
    let canceller = Task(name: "canceller") {
      if isMended { request.finish() }
      waiter.cancel()
      request.finish()
      // Too early for the handler, perhaps.
      request.resume()
    }
    await canceller.value
    scenario.check(await !waiter.value, "it is busy")
  }
}
