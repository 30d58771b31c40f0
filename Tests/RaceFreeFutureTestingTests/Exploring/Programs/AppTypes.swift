// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Synchronization

struct Unavailable: Error {}

/// Fetches one token for all who need one at the same time.
actor Session {
  private var token: Int?
  private var refreshing: Task<Int, Never>?
  private(set) var refreshes = 0

  func get(_ path: String) async -> String { "\(path): \(await validToken())" }

  private func validToken() async -> Int {
    if let token { return token }
    if let refreshing { return await refreshing.value }
    let task = Task { await refresh() }
    refreshing = task
    defer { refreshing = nil }
    let new = await task.value
    token = new
    return new
  }

  private func refresh() async -> Int {
    refreshes += 1
    try? await Task.sleep(for: .seconds(1))
    return refreshes
  }
}

/// Sends to all streams that are listened to.
actor Broadcaster<Element: Sendable> {
  private var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
  private var next = 0
  private let listeners = Mutex(0)

  var count: Int { continuations.count }
  nonisolated var hasListeners: Bool { listeners.withLock { $0 } > 0 }

  func subscribe() -> AsyncStream<Element> {
    next += 1
    let (stream, continuation) = AsyncStream<Element>.makeStream()
    continuation.onTermination = { [weak self, next] _ in
      guard let self else { return }
      Task { await self.remove(next) }
    }
    continuations[next] = continuation
    listeners.withLock { $0 += 1 }
    return stream
  }

  func send(_ element: Element) {
    for continuation in continuations.values { continuation.yield(element) }
  }

  func finish() {
    for (number, continuation) in continuations {
      remove(number)
      continuation.finish()
    }
  }

  private func remove(_ number: Int) {
    if continuations.removeValue(forKey: number) != nil { listeners.withLock { $0 -= 1 } }
  }
}

/// Senders wait while it is full, receivers while it is empty.
actor Channel<Element: Sendable> {
  private let capacity: Int
  private var buffer: [Element] = []
  private var isFinished = false
  private var senders: [CheckedContinuation<Void, Never>] = []
  private var receivers: [CheckedContinuation<Element?, Never>] = []

  init(capacity: Int) { self.capacity = capacity }

  func send(_ element: Element) async {
    while buffer.count >= capacity, receivers.isEmpty { await withCheckedContinuation { senders.append($0) } }
    if receivers.isEmpty { buffer.append(element) } else { receivers.removeFirst().resume(returning: element) }
  }

  func receive() async -> Element? {
    if !buffer.isEmpty {
      defer { if !senders.isEmpty { senders.removeFirst().resume() } }
      return buffer.removeFirst()
    }
    if isFinished { return nil }
    return await withCheckedContinuation { continuation in
      receivers.append(continuation)
      if !senders.isEmpty { senders.removeFirst().resume() }
    }
  }

  func finish() {
    isFinished = true
    for receiver in receivers { receiver.resume(returning: nil) }
    receivers = []
  }
}

/// Many may read, or one may write.
actor ReadersWriterLock {
  private var readers = 0
  private var isWriting = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated func read(_ body: @Sendable () async -> Void) async {
    await beginReading()
    await body()
    await endReading()
  }

  nonisolated func write(_ body: @Sendable () async -> Void) async {
    await beginWriting()
    await body()
    await endWriting()
  }

  private func beginReading() async {
    while isWriting { await withCheckedContinuation { waiting.append($0) } }
    readers += 1
  }

  private func beginWriting() async {
    while isWriting || readers > 0 { await withCheckedContinuation { waiting.append($0) } }
    isWriting = true
  }

  private func endReading() {
    readers -= 1
    if readers == 0 { wakeAll() }
  }

  private func endWriting() {
    isWriting = false
    wakeAll()
  }

  private func wakeAll() {
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// Tries again after pauses, each twice as long as the one before.
func retrying<Value: Sendable>(
  _ attempts: Int,
  from pause: Duration,
  on clock: any Clock<Duration>,
  _ body: () async throws -> Value
) async throws -> Value {
  var pause = pause
  for _ in 1..<attempts {
    do { return try await body() } catch is Unavailable { try await clock.sleep(for: pause) }
    pause *= 2
  }
  return try await body()
}

@MainActor final class SearchModel {
  private(set) var results: [String] = []
  private var task: Task<Void, Never>?

  func type(_ text: String, _ server: Server) {
    task?.cancel()
    task = Task {
      try? await Task.sleep(for: .milliseconds(300))
      guard !Task.isCancelled else { return }
      let answer = await server.answer(text)
      guard !Task.isCancelled else { return }
      results = [answer]
    }
  }

  func settled() async { await task?.value }
}

/// Loads again and again while it is shown.
@MainActor final class Feed {
  private(set) var items: [String] = []
  private let server: Server
  private var loading: Task<Void, Never>?

  init(_ server: Server) { self.server = server }

  func appear() {
    loading = Task { [weak self, server] in
      while !Task.isCancelled {
        let item = await server.answer("feed")
        guard let self, !Task.isCancelled else { return }
        self.items.append(item)
        try? await Task.sleep(for: .seconds(30))
      }
    }
  }

  func disappear() {
    loading?.cancel()
    loading = nil
  }
}

/// Maps with so many at once, and keeps the order.
func mapped<Input: Sendable, Output: Sendable>(
  _ inputs: [Input],
  atOnce: Int,
  _ transform: @escaping @Sendable (Input) async -> Output
) async -> [Output] {
  await withTaskGroup(of: (Int, Output).self) { group in
    var outputs: [Int: Output] = [:]
    for (index, input) in inputs.enumerated() {
      if index >= atOnce, let (done, output) = await group.next() { outputs[done] = output }
      group.addTask { (index, await transform(input)) }
    }
    for await (done, output) in group { outputs[done] = output }
    return inputs.indices.compactMap { outputs[$0] }
  }
}

/// Hands out what it has; who comes too late waits.
actor Pool {
  private var free: [String]
  private var waiting: [CheckedContinuation<String, Never>] = []

  init(_ connections: [String]) { free = connections }

  nonisolated func with(_ body: @Sendable (String) async -> Void) async {
    let connection = await take()
    await body(connection)
    await giveBack(connection)
  }

  private func take() async -> String {
    if let connection = free.popLast() { return connection }
    return await withCheckedContinuation { waiting.append($0) }
  }

  private func giveBack(_ connection: String) {
    if waiting.isEmpty { free.append(connection) } else { waiting.removeFirst().resume(returning: connection) }
  }
}

/// A value that comes once, for many.
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case waiting([CheckedContinuation<Value, Never>])
    case fulfilled(Value)
  }

  private let state = Mutex(State.waiting([]))

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state -> Value? in
          switch state {
          case .fulfilled(let value): return value
          case .waiting(let others):
            state = .waiting(others + [continuation])
            return nil
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }

  /// Whether this is the value.
  func fulfill(_ value: Value) -> Bool {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>]? in
      guard case .waiting(let continuations) = state else { return nil }
      state = .fulfilled(value)
      return continuations
    }
    for continuation in waiting ?? [] { continuation.resume(returning: value) }
    return waiting != nil
  }
}

/// Anybody may write, from anywhere; one task keeps the order.
final class Log: Sendable {
  private let lines: AsyncStream<String>.Continuation
  private let writer: Task<[String], Never>

  init() {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    lines = continuation
    writer = Task { await stream.reduce(into: []) { $0.append($1) } }
  }

  func write(_ line: String) { lines.yield(line) }

  func flush() async -> [String] {
    lines.finish()
    return await writer.value
  }
}
