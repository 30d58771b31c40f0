// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch

/// One run of a kernel: its tasks or threads, and what has to hold.
///
/// It is set up by one thread, before any of its tasks begins; what comes later is under a lock.
final class Scene: @unchecked Sendable {
  let isMended: Bool
  private(set) var tasks: [SceneTask] = []
  private(set) var threads: [(name: String, body: @Sendable () -> Void)] = []
  private var last: (@Sendable () async -> Void)?
  private var endings: [@Sendable () -> String?] = []
  private let failure = RealMutex(String?.none)

  init(isMended: Bool) { self.isMended = isMended }

  /// Adds a task; an error that isn't a `CancellationError` is a violation.
  @discardableResult
  func task(_ name: String, _ body: @escaping @Sendable () async throws -> Void) -> SceneTask {
    let task = SceneTask(name: name) { [self] in
      do { try await body() } catch is CancellationError {} catch { fail("\(name) got \(error)") }
    }
    tasks.append(task)
    return task
  }

  /// Adds a thread; a kernel has tasks or threads.
  func thread(_ name: String, _ body: @escaping @Sendable () -> Void) { threads.append((name, body)) }

  /// Adds what is done when all tasks have ended.
  func afterwards(_ body: @escaping @Sendable () async -> Void) { last = body }

  /// Adds a condition that has to hold at the end.
  func atEnd(_ check: @escaping @Sendable () -> String?) { endings.append(check) }

  /// Records a violation.
  func fail(_ message: String) { failure.withLock { $0 = $0 ?? message } }

  /// Runs all tasks to their end.
  func run(on executor: (any TaskExecutor)? = nil) async {
    let handles = tasks.map { $0.start(on: executor) }
    for handle in handles { await handle.value }
    await last?()
  }

  /// What is wrong; nil if nothing is.
  func verdict() -> String? {
    if let failure = failure.withLock({ $0 }) { return failure }
    for check in endings { if let message = check() { return message } }
    return nil
  }

  /// What is wrong when what is done afterwards is done; blocks the thread.
  func verdictAfterAll() -> String? {
    if let last {
      let done = DispatchSemaphore(value: 0)
      Task {
        await last()
        done.signal()
      }
      done.wait()
    }
    return verdict()
  }
}

/// A task of a scene, which another one may cancel before or after it begins.
final class SceneTask: Sendable {
  private struct State {
    var handle: Task<Void, Never>?
    var isCancelled = false
    var isOwner = false
  }

  let name: String
  private let body: @Sendable () async -> Void
  private let state = RealMutex(State())

  init(name: String, body: @escaping @Sendable () async -> Void) {
    self.name = name
    self.body = body
  }

  func cancel() {
    let handle = state.withLock { state in
      state.isCancelled = true
      return state.handle
    }
    handle?.cancel()
  }

  func start(on executor: (any TaskExecutor)?) -> Task<Void, Never> {
    let handle = Task(name: name, executorPreference: executor, operation: body)
    let isCancelled = state.withLock { state in
      state.handle = handle
      return state.isCancelled
    }
    if isCancelled { handle.cancel() }
    return handle
  }

  /// Runs on the thread of a race: a task of its own only if somebody may cancel it.
  func race() async { await (canBeCancelled ? start(on: nil).value : body()) }

  private var canBeCancelled: Bool { state.withLock { $0.isOwner } }

  /// Says that another task may cancel this one.
  var cancellable: SceneTask {
    state.withLock { $0.isOwner = true }
    return self
  }
}
