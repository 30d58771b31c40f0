// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

actor Counter {
  private(set) var value = 0
  func increment() { value += 1 }
  func add(_ amount: Int) -> Int {
    value += amount
    return value
  }
}

/// A counter that the naive code reads and writes in two calls.
actor Box {
  private(set) var value = 0
  func set(_ new: Int) { value = new }
}

@MainActor final class Screen {
  private(set) var text = ""
  private(set) var isLoading = false
  private var generation = 0

  nonisolated init() {}

  func load(_ name: String, _ server: Server) async {
    isLoading = true
    let answer = await server.answer(name)
    text = answer
    isLoading = false
  }

  /// The latest request wins.
  func loadLatest(_ name: String, _ server: Server) async {
    generation += 1
    let mine = generation
    isLoading = true
    let answer = await server.answer(name)
    guard mine == generation else { return }
    text = answer
    isLoading = false
  }
}

actor Server {
  private(set) var requests = 0
  func answer(_ name: String) async -> String {
    requests += 1
    await Task.yield()
    return "answer to \(name)"
  }
}

actor Cache {
  private var values: [String: Int] = [:]
  private var running: [String: Task<Int, any Error>] = [:]
  private(set) var loads = 0

  private func load(_ key: String) async throws -> Int {
    loads += 1
    try await Task.sleep(for: .seconds(1))
    return key.count
  }

  /// Loads twice if two ask at the same time.
  func naive(_ key: String) async throws -> Int {
    if let value = values[key] { return value }
    let value = try await load(key)
    values[key] = value
    return value
  }

  func shared(_ key: String) async throws -> Int {
    if let task = running[key] { return try await task.value }
    let task = Task { try await load(key) }
    running[key] = task
    return try await task.value
  }

  /// Whoever is cancelled takes the others along.
  func sharedUntilCancelled(_ key: String) async throws -> Int {
    let task = running[key] ?? Task { try await load(key) }
    running[key] = task
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// A semaphore for tasks.
final class AsyncSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting: [(Int, CheckedContinuation<Void, any Error>)] = []
    var next = 0
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>
  init(_ free: Int) { state = Mutex(State(free: free)) }

  func wait() async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        if let index = state.waiting.firstIndex(where: { $0.0 == number }) { return state.waiting.remove(at: index).1 }
        state.cancelled.insert(number)
        return nil
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  func signal() {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().1
    }
    continuation?.resume()
  }
}

/// A gate that opens once.
final class AsyncGate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Looks first, and stores its continuation later.
  func naiveWait() async {
    if isOpen { return }
    await Task.yield()
    await withCheckedContinuation { continuation in state.withLock { $0.waiting.append(continuation) } }
  }

  func open() {
    let waiting = state.withLock { state in
      defer { state = State(isOpen: true) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// A lock that an actor is, held across suspensions by those who obey it.
actor AsyncLock {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func lock() async {
    if !isTaken {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func unlock() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }

  /// Gives the lock free, so that somebody may take it before the one who is woken.
  func naiveUnlock() {
    isTaken = false
    if !waiting.isEmpty { waiting.removeFirst().resume() }
  }
}

/// The first of a body and a time limit.
func withTimeout<Value: Sendable>(
  _ limit: Duration,
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw TimedOut()
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw TimedOut() }
    return first
  }
}

struct TimedOut: Error {}

enum Trace {
  @TaskLocal static var name = "none"
}

final class GuardedCount: Sendable {
  let count = Mutex(0)
}
