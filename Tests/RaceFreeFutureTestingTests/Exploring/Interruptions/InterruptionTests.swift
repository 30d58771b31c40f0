// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct InterruptionTests {
  @Test(arguments: InterruptedPrograms.ofPrimitives.map(\.right))
  func `Tasks with locks that are right pass, in every order that can be told apart`(program: AsyncProgram) async {
    let report = await program.explored(.exhaustive)
    #expect(report.passedAllThatDiffer, "\(report)")
  }

  @Test(.withoutRecording, arguments: InterruptedPrograms.ofPrimitives.map(\.wrong))
  func `A mistake of tasks with locks is found, and found again by a replay`(program: AsyncProgram) async {
    await isFound(program)
  }

  #if os(Linux)
    @Test(arguments: (InterruptedPrograms.ofRuntime + InterruptedPrograms.ofBeginnings).map(\.right))
    func `A program without a mistake between suspensions passes, in every order that can be told apart`(
      program: AsyncProgram
    ) async {
      let report = await program.explored(.exhaustive)
      #expect(report.passedAllThatDiffer, "\(report)")
    }

    @Test(.withoutRecording, arguments: (InterruptedPrograms.ofRuntime + InterruptedPrograms.ofBeginnings).map(\.wrong))
    func `A mistake between suspensions is found, and found again by a replay`(program: AsyncProgram) async {
      await isFound(program)
    }
  #endif

  private func isFound(_ program: AsyncProgram) async {
    let report = await program.explored(.exhaustive)
    #expect(report.failure?.contains(program.failure ?? "") == true, "\(report)")
    let again = await program.explored(.replay(report.order ?? ""))
    #expect(again.failure == report.failure, "\(again)")
  }

  @Test func `Two tasks are interrupted at the same time`() async {
    let found = Locked<Set<String>>([])
    let report = await exploreTasks("all orders of four halves") { _ in
      let log = Locked("")
      let act: @Sendable (String) -> Void = { name in
        log.withLock { $0 += name }
        Explored.switchPoint()
        log.withLock { $0 += name }
      }
      async let first: Void = act("a")
      async let second: Void = act("b")
      _ = await (first, second)
      let order = log.withLock(\.self)
      found.withLock { _ = $0.insert(order) }
    }
    #expect(report.passed && report.isComplete, "\(report)")
    #expect(found.withLock(\.self) == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
  }

  /// One that is interrupted goes on when the order has failed, and comes to a lock that another one holds, who goes on later.
  @Test(.withoutRecording, arguments: ["an explored lock", "a real lock"])
  func `What a failing order has interrupted comes to its end`(kind: String) async {
    final class Locks: Sendable {
      let explored = Explored.Mutex(0)
      let real = Mutex(0)
      let isComing = Variable(false)
      let isInside = Variable(false)

      func use(_ kind: String, _ body: () -> Void) {
        if kind == "a real lock" { real.withLock { _ in body() } } else { explored.withLock { _ in body() } }
      }
    }
    let report = await exploreTasks("inside of a lock", .exhaustive) { scenario in
      let locks = Locks()
      async let coming: Void = {
        locks.isComing.value = true
        Explored.switchPoint()
        locks.isComing.value = false
        locks.use(kind) {}
      }()
      async let inside: Void = locks.use(kind) {
        locks.isInside.value = locks.isComing.value
        Explored.switchPoint()
        locks.isInside.value = false
      }
      async let other: Void = scenario.check(!locks.isInside.value || !locks.isComing.value, "one holds the lock")
      _ = await (coming, inside, other)
    }
    #expect(report.failure == "one holds the lock", "\(report)")
  }

  @Test func `The main actor serves no other call while one is interrupted`() async {
    let report = await exploreTasks("calls don't overlap") { scenario in
      let isBusy = Locked(false)
      let call: @MainActor @Sendable () -> Void = {
        let wasBusy = isBusy.withLock { busy in
          defer { busy = true }
          return busy
        }
        scenario.check(!wasBusy, "two calls at once")
        Explored.switchPoint()
        isBusy.withLock { $0 = false }
      }
      async let first: Void = call()
      async let second: Void = call()
      async let other: Void = Task.yield()
      _ = await (first, second, other)
    }
    #expect(report.passedAllThatDiffer && report.orders > 2, "\(report)")
  }

  @Test func `A lock that a task holds makes others wait, in handlers too`() async {
    let report = await exploreTasks("the handler has the lock alone") { scenario in
      let lock = Explored.Mutex(())
      let isHeld = Locked(false)
      let enter: @Sendable () -> Void = {
        lock.withLock { _ in
          let wasHeld = isHeld.withLock { held in
            defer { held = true }
            return held
          }
          scenario.check(!wasHeld, "two hold it")
          Explored.switchPoint()
          isHeld.withLock { $0 = false }
        }
      }
      let future = Future(label: "work")
      future.onComplete { enter() }
      future.complete()
      enter()
      _ = await future.handlersFinished
    }
    #expect(report.passed && report.isComplete && report.orders > 1, "\(report)")
  }

  @Test(.withoutRecording) func `A task that waits for its own lock is reported`() async {
    let report = await exploreTasks("a lock within itself") { _ in
      let lock = Explored.Mutex(())
      async let other: Void = Task.yield()
      lock.withLock { _ in lock.withLock { _ in } }
      await other
    }
    #expect(report.failure?.contains("it waits for itself") == true, "\(report)")
  }
}
