// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import RaceFreeFuture
import RaceFreeFutureTesting
import TestSupport
import Testing

@Suite struct ManualControlTests {
  @Test func `Nothing runs before it is told to`() throws {
    try withManualControl { control in
      let (future, log) = (Future(label: "load"), Variable<[String]>([]))
      let queue = DispatchQueue(label: "mine")
      future.onComplete { log.value.append("own") }
      future.onCleanUp(on: queue) { log.value.append("given") }
      future.onComplete(on: .main) { log.value.append("main") }
      future.perform { log.value.append("block") }
      future.complete()
      #expect(control.pending == ["queue of \"load\": perform block", "queue of \"load\": complete() queued"])
      #expect(future.isPending)
      #expect(control.runNext() && control.runNext())
      #expect(future.isCompleted && log.value == ["block"])
      #expect(
        control.pending
          == ["queue of \"load\": onComplete", "mine: onCleanUp of \"load\"", "main: onComplete of \"load\""]
      )
      #expect(control.runNext(on: .main) && control.runNext(on: queue) && control.runNext(of: future))
      #expect(log.value == ["block", "main", "given", "own"])
      #expect(!control.runNext() && !control.runNext(on: .main) && !control.runNext(of: future))
    }
  }

  @Test func `What runs may queue more, and makes futures under the same control`() throws {
    try withManualControl { control in
      let inner = Variable<Future?>(nil)
      let outer = Future()
      outer.onComplete {
        let future = Future(label: "inner")
        future.onComplete(on: .main) {}
        future.complete()
        inner.value = future
      }
      outer.complete()
      #expect(control.runAll() == 2)
      #expect(inner.value?.isCompleted == true && control.pending.isEmpty)
    }
  }

  @Test func `Advancing the clock fires the timers in order`() throws {
    try withManualControl { control in
      let log = Variable<[String]>([])
      for (name, seconds) in [("late", 5), ("soon", 1), ("then", 3)] {
        let future = Future(label: name)
        future.onCancel(on: .inline) { log.value.append("\(name) at \(control.clock.now)") }
        future.cancel(after: .seconds(seconds))
      }
      #expect(control.clock.timers.count == 3)
      #expect(control.clock.advance(by: .milliseconds(999)) == 0)
      #expect(control.clock.advance(by: .seconds(3)) == 2)
      #expect(log.value == ["soon at 1.0 seconds", "then at 3.0 seconds"])
      #expect(control.clock.now.offset == .milliseconds(3_999))
      #expect(control.clock.timers.count == 1)
    }
  }

  @Test func `A timer is gone when its future is resolved or it is unregistered`() throws {
    try withManualControl { control in
      let (future, other) = (Future(), Future())
      future.cancel(after: .seconds(1))
      let registration = other.cancel(after: .seconds(1))
      future.complete()
      #expect(registration.unregister() && control.clock.timers.isEmpty)
      #expect(control.clock.advance(by: .seconds(2)) == 0 && other.isPending)
    }
  }

  @Test func `Tasks, background work and time limits wait as well`() async throws {
    try await withManualControl { control in
      let number = ValueFuture.background(label: "number") { _ in 7 }
      let task = ValueFuture.task(label: "task") { try await number.value + 1 }
      #expect(control.pending.count == 2 && number.isPending)
      control.runAll()
      let value = try await task.value
      #expect(value == 8)
      let never = ValueFuture<Int>(label: "never")
      let waiting = Task { try await never.value(within: .seconds(3)) }
      try await eventually("the timer is set", within: .seconds(3_600)) { control.clock.timers.count == 1 }
      control.clock.advance(by: .seconds(3))
      await #expect(throws: TimeoutError.self) { try await waiting.value }
    }
  }

  @Test func `Work that is still queued is an error that names it`() {
    let error = #expect(throws: UnfinishedWork.self) {
      try withManualControl { _ in
        let future = Future(label: "x")
        future.onComplete(on: .main) {}
        future.complete()
      }
    }
    #expect(error?.pending == ["main: onComplete of \"x\""])
    #expect(error?.description.hasPrefix("1 piece of work still queued, which nothing has run: main: ") == true)
    #expect(throws: Never.self) {
      try withManualControl { control in
        let future = Future(label: "x")
        future.perform {}
        #expect(control.dropAll().count == 1)
      }
    }
  }

  @Test func `A future that outlives the control turns to Dispatch`() async throws {
    let future = try withManualControl { _ in Future() }
    let gate = Gate("handler")
    future.onComplete { gate.open() }
    future.complete()
    await gate.passed()
  }

  @Test func `A future of before is left alone`() async throws {
    let (future, gate) = (Future(), Gate("handler"))
    try withManualControl { control in
      future.onComplete { gate.open() }
      future.complete()
      #expect(control.pending.isEmpty)
    }
    await gate.passed()
  }

  @Test(.exitTests) func `A wait that could never end stops the program`() async {
    await #expect(processExitsWith: .failure) {
      try withManualControl { _ in _ = Future(label: "x").wait() }
    }
  }

  @Test(.exitTests) func `Running inside of what runs stops the program`() async {
    await #expect(processExitsWith: .failure) {
      try withManualControl { control in
        let future = Future(label: "x")
        future.perform { control.runAll() }
        future.perform {}
        control.runAll()
      }
    }
  }
}
