// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture

/// A gate at which threads and tasks wait until it is opened.
///
/// Once open, it stays open. So a test can wait until work is running, and can hold it, both without sleeping:
///
/// ```swift
/// let started = Gate("the work has started"), mayEnd = Gate("the work may end")
/// queue.async {
///   started.open()
///   mayEnd.wait()
/// }
/// await started.passed()
/// // … here the work is running, for as long as the test likes …
/// mayEnd.open()
/// ```
///
/// A gate that is never opened stops the program when a thread or task has waited at it until its deadline, with a
/// message that names the gate: a test that hangs would give no information.
public final class Gate: Sendable {
  /// The name of the gate in messages.
  public let name: String

  /// The longest time to wait at it.
  public let deadline: Duration

  private let site: String
  private let semaphore = DispatchSemaphore(value: 0)
  private let state = Locked(State())

  private struct State: Sendable {
    var isOpen = false
    var next = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  /// Creates a closed gate.
  ///
  /// - Parameters:
  ///   - name: The meaning of the open gate, for messages.
  ///   - deadline: The longest time to wait at it. The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for
  ///     it: `5` makes it five times as long.
  public init(
    _ name: String,
    deadline: Duration = .seconds(60),
    fileID: String = #fileID,
    line: Int = #line
  ) {
    self.name = name
    self.deadline = deadline.patiently
    site = "\(fileID):\(line)"
  }

  /// True if it has been opened.
  ///
  /// If false, that may have changed when the call returns.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens the gate for all current and later waiters.
  ///
  /// Callable from any thread, any number of times; never blocks.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    semaphore.signal()
    for continuation in waiting.values { continuation.resume() }
  }

  /// Blocks the calling thread until the gate is open.
  ///
  /// Not for tasks, nor for threads of the shared pool: the code that opens the gate may need the thread. Stops the
  /// program at the deadline.
  @available(*, noasync, message: "a task would block a thread that others need: use passed()")
  public func wait(fileID: String = #fileID, line: Int = #line) {
    guard semaphore.wait(timeout: .after(deadline)) == .success else {
      stop(waitedAt: "\(fileID):\(line)")
    }
    // For the next waiter.
    semaphore.signal()
  }

  /// Suspends until the gate is open.
  ///
  /// Blocks no thread. Cancelling the task doesn't end the wait. Stops the program at the deadline, but not in an explored
  /// order, where a wait without an end is a deadlock.
  public func passed(fileID: String = #fileID, line: Int = #line) async {
    await withCheckedContinuation { continuation in
      let number: Int? = state.withLock { state in
        if state.isOpen { return nil }
        state.next += 1
        state.waiting[state.next] = continuation
        return state.next
      }
      guard let number else { return continuation.resume() }
      Watchdog.bark(after: deadline) { [weak self] in
        // A waiter that is no longer listed has passed.
        guard let self, state.withLock({ $0.waiting[number] != nil }) else { return }
        stop(waitedAt: "\(fileID):\(line)")
      }
    }
  }

  private func stop(waitedAt place: String) -> Never {
    fatalError("nobody opened the gate \"\(name)\" (made at \(site)) within \(deadline); waited for at \(place)")
  }
}
