// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Dispatch

extension Explored {
  /// A counting semaphore, in place of `DispatchSemaphore`.
  ///
  /// In a thread of a scenario, waiting and signalling are steps. Timeouts take no time: a wait with one may end as
  /// soon as the count is 0.
  public final class Semaphore: @unchecked Sendable {
    // In an exploration, `count` and `released` are used by the one thread that runs; outside of one, `real` alone is.
    private let real: DispatchSemaphore
    private let first: Int
    private let identity: ExploredIdentity
    private var count = 0
    private var released = MemoryModel.Knowledge()

    /// Creates a semaphore.
    ///
    /// - Parameter value: The initial count: the number of waits that return at once.
    public init(value: Int, fileID: StaticString = #fileID, line: UInt = #line) {
      first = value
      // From 0, because Dispatch stops the program if one is released below its first value.
      real = OwnSemaphore.unnoticed {
        let real = DispatchSemaphore(value: 0)
        for _ in 0..<value { real.signal() }
        return real
      }
      identity = ExploredIdentity("semaphore", fileID, line)
      if let place = ExploredPlace.current { enter(place, isBeingMade: true) }
    }

    private func enter(_ place: ExploredPlace, isBeingMade: Bool = false) {
      if identity.enter(place, isBeingMade: isBeingMade) { (count, released) = (first, MemoryModel.Knowledge()) }
    }

    /// Waits until the count is greater than 0, and decrements it.
    public func wait() {
      guard let place = ExploredPlace.current else { return real.wait() }
      enter(place)
      _ = take(place, mayTimeOut: false)
    }

    /// Waits until the count is greater than 0, and decrements it; gives up at a deadline.
    ///
    /// - Parameter timeout: The deadline. In an exploration only `.distantFuture` is distinguished from other times.
    /// - Returns: Success if the count was decremented, otherwise a timeout.
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
      guard let place = ExploredPlace.current else { return real.wait(timeout: timeout) }
      enter(place)
      return take(place, mayTimeOut: timeout != .distantFuture) ? .success : .timedOut
    }

    /// Increments the count, and lets a waiting thread continue.
    ///
    /// - Returns: In an exploration always 0; otherwise the result of `DispatchSemaphore`: not 0 if a thread was woken.
    @discardableResult
    public func signal() -> Int {
      guard let place = ExploredPlace.current else { return real.signal() }
      enter(place)
      if let thread = place.thread {
        identity.isUsed(by: thread)
        let name = identity.name
        _ = thread.take(ThreadOperation(label: { "\(name).signal" }, touches: identity.changes))
      }
      count += 1
      released.learn(place.run.threads.memory.release(by: place.thread?.number ?? 0))
      return 0
    }

    /// Decrements the count; returns false if the timeout came first.
    private func take(_ place: ExploredPlace, mayTimeOut: Bool) -> Bool {
      let run = place.run
      guard let thread = place.thread else {
        if count == 0, mayTimeOut { return false }
        if count == 0 {
          run.cannotWait("\(run.currentStep) waits for \(identity.fullName), and nobody else acts before it is over")
        }
        count -= 1
        run.threads.memory.acquire(released, by: 0)
        return true
      }
      identity.isUsed(by: thread)
      let (name, fullName) = (identity.name, identity.fullName)
      let way = thread.take(
        ThreadOperation(
          label: { "\(name).wait" },
          touches: identity.waits,
          ways: { [self] in count > 0 ? [0] : mayTimeOut ? [1] : [] },
          waits: { "waits for \(fullName), which nobody signals any more" },
          mayLook: mayTimeOut
        )
      )
      if mayTimeOut { run.note(way == 0 ? "success" : "timed out") }
      guard way == 0 else {
        run.note(look: name, 0, by: thread)
        return false
      }
      thread.looks = [:]
      count -= 1
      run.threads.memory.acquire(released, by: thread.number)
      return true
    }
  }
}
