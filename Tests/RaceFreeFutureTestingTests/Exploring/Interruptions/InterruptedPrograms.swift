// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import RaceFreeFutureTesting
import Synchronization

/// Programs whose mistakes are between two suspensions, each with a mistake and mended.
enum InterruptedPrograms {
  /// Those with a point of interruption in the runtime.
  static let ofRuntime: [(wrong: AsyncProgram, right: AsyncProgram)] = [
    lateCancel, lostHandle, checkBeforeHop, lostOpening, handlerAtOnce,
  ]
  /// Those in which a task begins, or continues, too early.
  static let ofBeginnings: [(wrong: AsyncProgram, right: AsyncProgram)] = [
    fasterTask, fasterChild, fasterResume, fasterStream, fasterActor, fasterHandler,
  ]
  /// Those with primitives that the explorer sees.
  static let ofPrimitives: [(wrong: AsyncProgram, right: AsyncProgram)] = [
    loadedTwice, lostIncrement, lockOrder, lostWakeUp,
  ]

  // MARK: A cancellation before the continuation is stored

  /// A signal that tasks wait for, or until they are cancelled.
  private final class Signal: Sendable {
    private enum State {
      case idle, cancelled
      case waiting(CheckedContinuation<Void, any Error>)
    }
    private let state = Locked(State.idle)
    private let isMended: Bool

    init(isMended: Bool) { self.isMended = isMended }

    func wait() async throws {
      try Task.checkCancellation()
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          let isLate = state.withLock { state in
            // The mistake: a cancellation that came before finds nothing to resume, and isn't remembered.
            if isMended, case .cancelled = state { return true }
            state = .waiting(continuation)
            return false
          }
          if isLate { continuation.resume(throwing: CancellationError()) }
        }
      } onCancel: {
        let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
          defer { state = .cancelled }
          if case .waiting(let continuation) = state { return continuation }
          return nil
        }
        waiting?.resume(throwing: CancellationError())
      }
    }
  }

  private static let lateCancel = pair("a task that waits can be cancelled", fails: "deadlock") { isMended, _ in
    let signal = Signal(isMended: isMended)
    let waiting = Task { try await signal.wait() }
    waiting.cancel()
    _ = await waiting.result
  }

  // MARK: A handle that is stored too late

  private final class Download: Sendable {
    private let continuation = Locked<CheckedContinuation<Bool, Never>?>(nil)

    func start(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation.withLock { $0 = continuation } }

    func cancel() { continuation.withLock { $0.take() }?.resume(returning: false) }
  }

  private static let lostHandle = pair("a download can be cancelled", fails: "deadlock") { isMended, _ in
    let loading = Task {
      let current = Locked<Download?>(nil)
      return await withTaskCancellationHandler {
        await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
          let download = Download()
          download.start(continuation)
          current.withLock { $0 = download }
          // The mistake: nobody looks whether the cancellation came before.
          if isMended, Task.isCancelled { download.cancel() }
        }
      } onCancel: {
        current.withLock(\.self)?.cancel()
      }
    }
    loading.cancel()
    _ = await loading.value
  }

  // MARK: A check, and a call that suspends nothing

  private final class Session: Sendable {
    private let token = Locked<String?>(nil)
    private let isMended: Bool
    let logins = Locked(0)

    init(isMended: Bool) { self.isMended = isMended }

    @concurrent private func login() async -> String {
      logins.withLock { $0 += 1 }
      return "token"
    }

    @concurrent func begin() async {
      if isMended {
        let isFirst = token.withLock { token in
          defer { token = token ?? "" }
          return token == nil
        }
        if isFirst { _ = await login() }
      } else if token.withLock({ $0 == nil }) {
        // The mistake: others run while this one calls, although nothing is awaited in there.
        let new = await login()
        token.withLock { $0 = new }
      }
    }
  }

  private static let checkBeforeHop = pair("one login is enough", fails: "2 logins") { isMended, scenario in
    let session = Session(isMended: isMended)
    async let first: Void = session.begin()
    async let second: Void = session.begin()
    _ = await (first, second)
    let logins = session.logins.withLock(\.self)
    scenario.check(logins == 1, "\(logins) logins")
  }

  // MARK: A check, and a continuation that is stored

  private final class Door: Sendable {
    private struct State {
      var isOpen = false
      var waiting: CheckedContinuation<Void, Never>?
    }
    private let state = Locked(State())

    func pass(isMended: Bool) async {
      // The mistake: it may be opened, for nobody, before the continuation is stored.
      if state.withLock({ $0.isOpen }) { return }
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !isMended || !state.isOpen { state.waiting = continuation }
          return isMended && state.isOpen
        }
        if isOpen { continuation.resume() }
      }
    }

    func open() {
      let waiting = state.withLock { state in
        state.isOpen = true
        return state.waiting.take()
      }
      waiting?.resume()
    }
  }

  private static let lostOpening = pair("a task passes a door", fails: "deadlock") { isMended, _ in
    let door = Door()
    async let passes: Void = door.pass(isMended: isMended)
    async let opens: Void = door.open()
    _ = await (passes, opens)
  }

  // MARK: A handler that runs at once

  private static let handlerAtOnce = pair("begun, then over", fails: "over, then begun") { isMended, scenario in
    let work = Future()
    let log = Locked<[String]>([])
    let note: @Sendable (String) -> Void = { text in log.withLock { $0.append(text) } }
    let observe: @Sendable () async -> Void = {
      guard work.isPending else { return }
      await withTaskCancellationHandler {
        if isMended { note("begun") }
        work.onComplete(on: .inline) { note("over") }
        // The mistake: the work may have ended since it was looked at, and then the handler has already run.
        if !isMended { note("begun") }
      } onCancel: {
        work.cancel()
      }
    }
    async let observes: Void = observe()
    async let completes: Void = work.complete()
    _ = await (observes, completes)
    scenario.check(log.withLock(\.self) != ["over", "begun"], "over, then begun")
  }

  // MARK: Locks and atomics

  private static let loadedTwice = pair("a value is made once", fails: "made 2 times") { isMended, scenario in
    let cache = Explored.Mutex<Int?>(nil)
    let made = Locked(0)
    let make: @Sendable () -> Int = {
      made.withLock { made in
        made += 1
        return made
      }
    }
    let value: @Sendable () -> Int = {
      if isMended {
        return cache.withLock { value in
          let known = value ?? make()
          value = known
          return known
        }
      }
      // The mistake: the lock is released between the check and the act.
      if let known = cache.withLock({ $0 }) { return known }
      let new = make()
      cache.withLock { $0 = new }
      return new
    }
    async let first = value()
    async let second = value()
    _ = await (first, second)
    let count = made.withLock(\.self)
    scenario.check(count == 1, "made \(count) times")
  }

  private static let lostIncrement = pair("no increment is lost", fails: "the count is 1") { isMended, scenario in
    let count = Explored.Atomic(0)
    let increment: @Sendable () -> Void = {
      if isMended {
        count.wrappingAdd(1, ordering: .relaxed)
      } else {
        let before = count.load(ordering: .relaxed)
        count.store(before + 1, ordering: .relaxed)
      }
    }
    async let first: Void = increment()
    async let second: Void = increment()
    _ = await (first, second)
    let total = count.load(ordering: .relaxed)
    scenario.check(total == 2, "the count is \(total)")
  }

  private static let lockOrder = pair("two transfers come to an end", fails: "holds mutex") { isMended, scenario in
    let (one, other) = (Account(), Account())
    async let there: Void = one.give(1, to: other, inOrder: true)
    async let back: Void = other.give(1, to: one, inOrder: !isMended)
    _ = await (there, back)
    scenario.check(one.balance.withLock { $0 } == 10, "money is lost")
  }

  private final class Account: Sendable {
    let balance = Explored.Mutex(10)

    /// The mistake: both lock their own account first.
    func give(_ amount: Int, to other: Account, inOrder: Bool) {
      let (first, second) = inOrder ? (self, other) : (other, self)
      first.balance.withLock { one in
        second.balance.withLock { two in
          if inOrder { (one, two) = (one - amount, two + amount) } else { (one, two) = (one + amount, two - amount) }
        }
      }
    }
  }

  // MARK: A wake-up before the wait

  private final class Work: Sendable {
    private let isThere = Explored.Mutex(false)
    private let waiter = Explored.Mutex<CheckedContinuation<Void, Never>?>(nil)

    func wait(isMended: Bool) async {
      // The mistake: the work may come, and wake nobody, before the continuation is stored.
      if isThere.withLock({ $0 }) { return }
      await withCheckedContinuation { continuation in
        waiter.withLock { $0 = continuation }
        if isMended, isThere.withLock({ $0 }) { wake() }
      }
    }

    func come() {
      isThere.withLock { $0 = true }
      wake()
    }

    private func wake() { waiter.withLock { $0.take() }?.resume() }
  }

  private static let lostWakeUp = pair("a task waits for work", fails: "awaits a continuation") { isMended, _ in
    let work = Work()
    async let waits: Void = work.wait(isMended: isMended)
    work.come()
    await waits
  }

  static func pair(
    _ name: String,
    fails failure: String,
    _ body: @escaping @Sendable @concurrent (_ isMended: Bool, TaskScenario) async throws -> Void
  ) -> (wrong: AsyncProgram, right: AsyncProgram) {
    (
      AsyncProgram(name, fails: failure) { try await body(false, $0) },
      AsyncProgram("\(name) (mended)") { try await body(true, $0) }
    )
  }
}
