// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Dispatch
internal import RaceFreeFuture

/// A closed door at which threads and tasks wait until somebody opens it.
///
/// Once open it stays open. So a test that needs "now the work is running" or "not before I say so" has both without
/// sleeping:
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
/// A gate that nobody opens stops the program when somebody has waited at it until its deadline, with a message that
/// names the gate: a test that hangs would say nothing.
public final class Gate: Sendable {
  /// How messages name it.
  public let name: String

  /// How long somebody may wait at it.
  public let deadline: Duration

  private let site: String
  private let semaphore = DispatchSemaphore(value: 0)
  private let state = Locked(State())

  private struct State: Sendable {
    var isOpen = false
    var next = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  /// Makes a closed gate.
  ///
  /// - Parameters:
  ///   - name: What its being open means, for messages.
  ///   - deadline: How long somebody may wait at it. The environment variable `RACEFREEFUTURE_PATIENCE` is a factor for
  ///     it: `5` makes it five times as long.
  ///   - fileID: The caller's file.
  ///   - line: The caller's line.
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

  /// Whether it has been opened.
  ///
  /// If not, that may have changed when the answer is there.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets through everybody who waits, and whoever comes later.
  ///
  /// From any thread, any number of times. Doesn't block.
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
  /// Not for tasks, nor on a thread of the shared pool: whoever is to open the gate may need it. Stops the program at
  /// the deadline.
  @available(*, noasync, message: "a task would block a thread that others need: use passed()")
  public func wait(fileID: String = #fileID, line: Int = #line) {
    guard semaphore.wait(timeout: .after(deadline)) == .success else {
      stop(waitedAt: "\(fileID):\(line)")
    }
    // For the next one who comes.
    semaphore.signal()
  }

  /// Suspends until the gate is open.
  ///
  /// Blocks no thread. Cancelling the task doesn't end the wait. Stops the program at the deadline.
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
        // Who is gone from here has passed.
        guard let self, state.withLock({ $0.waiting[number] != nil }) else { return }
        stop(waitedAt: "\(fileID):\(line)")
      }
    }
  }

  private func stop(waitedAt place: String) -> Never {
    fatalError("nobody opened the gate \"\(name)\" (made at \(site)) within \(deadline); waited for at \(place)")
  }
}
