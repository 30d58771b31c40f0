// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization
import TestSupport
import Testing

#if os(Linux)
  /// Code that the runtime calls under a lock of its own, and real locks at points of interruption.
  ///
  /// One at a time, as a process explores anyway: tests that wait for that turn would keep others from running.
  @Suite(.serialized) struct HandlerTests {
    private final class Things: Sendable {
      let atomic = Explored.Atomic(0)
      let explored = Explored.Mutex(0)
      let real = Mutex(0)
      let lock = NSLock()
      let isHeld = Atomic(false)
    }

    // MARK: Handlers

    @Test func `A cancellation that is forwarded by two children of a group passes`() async {
      @Sendable func load() async throws {
        let inner = Task(name: "inner") { try await Task.sleep(for: .seconds(1)) }
        try await withTaskCancellationHandler {
          try await inner.value
        } onCancel: {
          inner.cancel()
        }
      }
      let report = await exploreTasks("cancelled loads end", .exhaustive(maxOrders: iterations(400))) { _ in
        await withTaskGroup { group in
          for _ in 0..<2 { group.addTask { try? await load() } }
          await group.next()
          group.cancelAll()
        }
      }
      #expect(report.passed, "\(report)")
    }

    @Test(arguments: ["an atomic", "a mutex", "a switch point", "another task", "a stream"])
    func `A handler may use what is explored`(kind: String) async {
      let report = await exploreTasks("a handler with \(kind)", .exhaustive(maxOrders: iterations(400))) { scenario in
        let things = Things()
        let (stream, out) = AsyncStream<Int>.makeStream()
        let act: @Sendable () -> Void = {
          switch kind {
          case "an atomic": things.atomic.wrappingAdd(1, ordering: .relaxed)
          case "a mutex": things.explored.withLock { $0 += 1 }
          case "a switch point": Explored.switchPoint("in the handler")
          case "another task": Task { things.real.withLock { $0 += 1 } }.cancel()
          default: out.finish()
          }
        }
        out.onTermination = { _ in things.explored.withLock { $0 += 1 } }
        let task = Task(name: "task") {
          await withTaskCancellationHandler {
            await Task.yield()
            things.explored.withLock { $0 += 1 }
            for await _ in stream {}
          } onCancel: {
            act()
            out.finish()
          }
        }
        await Task.yield()
        things.explored.withLock { $0 += 1 }
        task.cancel()
        await task.value
      }
      #expect(report.passed, "\(report)")
    }

    @Test func `A handler that waits for a lock lets its holder continue`() async {
      let report = await exploreTasks("a lock in a handler") { scenario in
        let things = Things()
        let task = Task(name: "task") {
          await withTaskCancellationHandler {
            await Task.yield()
          } onCancel: {
            things.explored.withLock { $0 += 1 }
          }
        }
        @Sendable func hold() {
          things.explored.withLock { value in
            value += 1
            Explored.switchPoint()
          }
        }
        async let holds: Void = hold()
        task.cancel()
        await task.value
        await holds
      }
      #expect(report.passedAllThatDiffer, "\(report)")
    }

    // MARK: Half of a deadlock

    /// A place where a task waits, with a lock that its handler takes as well.
    private final class Place: Sendable {
      private let state: any Guard
      private let isMended: Bool

      init(_ state: any Guard, isMended: Bool) { (self.state, self.isMended) = (state, isMended) }

      func wait() async {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            let isOver = state.hold { waiting, isOver in
              if !isOver { waiting = continuation }
              return isOver
            }
            if isOver { continuation.resume() }
          }
        } onCancel: {
          state.hold { waiting, isOver in
            isOver = true
            return waiting.take()
          }?.resume()
        }
      }

      func open() {
        guard isMended else {
          // The mistake: the task is resumed under the lock that its handler takes.
          return state.hold { waiting, isOver in
            isOver = true
            waiting.take()?.resume()
          }
        }
        state.hold { waiting, isOver in
          isOver = true
          return waiting.take()
        }?.resume()
      }
    }

    private protocol Guard: Sendable {
      func hold<T: Sendable>(_ body: (inout CheckedContinuation<Void, Never>?, inout Bool) -> T) -> T
    }

    private final class ExploredGuard: Guard {
      private let state = Explored.Mutex<(CheckedContinuation<Void, Never>?, Bool)>((nil, false))
      func hold<T: Sendable>(_ body: (inout CheckedContinuation<Void, Never>?, inout Bool) -> T) -> T {
        state.withLock { body(&$0.0, &$0.1) }
      }
    }

    /// The lock guards the state: that makes it `@unchecked Sendable`.
    private final class FoundationGuard: Guard, @unchecked Sendable {
      private let lock = NSLock()
      private var continuation: CheckedContinuation<Void, Never>?
      private var isOpen = false
      func hold<T: Sendable>(_ body: (inout CheckedContinuation<Void, Never>?, inout Bool) -> T) -> T {
        lock.withLock { body(&continuation, &isOpen) }
      }
    }

    @Test(.withoutRecording, arguments: [false, true], [false, true])
    func `A lock that is held at a resume, and taken by the handler, is half of a deadlock`(
      isReal: Bool,
      isMended: Bool
    ) async {
      let report = await exploreTasks("waits end", .exhaustive(maxOrders: iterations(1_000))) { _ in
        let place = Place(isReal ? FoundationGuard() : ExploredGuard(), isMended: isMended)
        let waiter = Task(name: "waiter") { await place.wait() }
        let opener = Task(name: "opener") { place.open() }
        waiter.cancel()
        await waiter.value
        await opener.value
      }
      if isMended { return #expect(report.passed, "\(report)") }
      let failure = report.failure ?? ""
      #expect(failure.contains("while it resumes \"waiter\"") || failure.contains("deadlock"), "\(report)")
    }

    // MARK: Real locks

    @Test(arguments: ["Mutex", "NSLock", "a lock that is given back in the continuation's closure"])
    func `A real lock that is held at a point of interruption makes others wait`(kind: String) async {
      let report = await exploreTasks(kind, .exhaustive(maxOrders: iterations(400))) { scenario in
        let things = Things()
        let other = Task(name: "other") { try? await Task.sleep(for: .seconds(9)) }
        @Sendable func hold() {
          let wasHeld = things.isHeld.exchange(true, ordering: .relaxed)
          scenario.check(!wasHeld, "two hold it")
          // Three points.
          other.cancel()
          Task { await Task.yield() }
          Explored.switchPoint()
          things.isHeld.store(false, ordering: .relaxed)
        }
        @Sendable func act() async {
          switch kind {
          case "Mutex": things.real.withLock { _ in hold() }
          case "NSLock": things.lock.withLock { hold() }
          default:
            things.lock.lockNow()
            await unsafe withUnsafeContinuation { continuation in
              hold()
              things.lock.unlock()
              unsafe continuation.resume()
            }
          }
        }
        async let first: Void = act()
        async let second: Void = act()
        _ = await (first, second)
        await other.value
      }
      #expect(report.passed, "\(report)")
    }

    @Test(.withoutRecording, arguments: [false, true])
    func `Threads that hold real locks wait for each other`(isMended: Bool) async {
      let report = await explore("two locks") { scenario in
        let (one, other) = (NSLock(), NSLock())
        for (name, locks) in [("a", [one, other]), ("b", isMended ? [one, other] : [other, one])] {
          scenario.thread(name) {
            locks[0].lock()
            Explored.switchPoint()
            locks[1].lock()
            for lock in locks.reversed() { lock.unlock() }
          }
        }
      }
      #expect(isMended ? report.passed : report.failure?.contains("waits for lock ") == true, "\(report)")
    }
  }

  extension NSLock {
    fileprivate func lockNow() { lock() }
  }
#endif
