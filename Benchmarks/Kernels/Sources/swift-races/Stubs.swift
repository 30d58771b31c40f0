// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What the original code had around it, without mistakes of its own.

/// A value behind a lock, as most packages have one.
final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  init(_ value: Value) { content = Mutex(value) }

  var value: Value {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    content.withLock { value in
      let result = body(&value)
      return result
    }
  }
}

extension Box {
  /// Takes what is in it.
  func take<Wrapped>() -> Wrapped? where Value == Wrapped? {
    withLock { value in
      defer { value = nil }
      return value
    }
  }
}

/// A moment that tasks can wait for.
final class Signal: Sendable {
  private struct State {
    var isGiven = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Box(State())

  func give() {
    let waiting = state.withLock { state in
      defer { state = State(isGiven: true) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isGiven = state.withLock { state in
        if !state.isGiven { state.waiting.append(continuation) }
        return state.isGiven
      }
      if isGiven { continuation.resume() }
    }
  }
}

/// A transfer as those of `URLSession`: cancelled before it is resumed, it ends when it is resumed; it ends once.
final class Transfer: Sendable {
  private struct State {
    var isCancelled = false
    var isEnded = false
    var completion: (@Sendable (Result<String, any Error>) -> Void)?
  }

  private let state = Box(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func resume(completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
    let isCancelled = state.withLock { state in
      if state.isCancelled { state.isEnded = true } else { state.completion = completion }
      return state.isCancelled
    }
    if isCancelled { completion(.failure(CancellationError())) }
  }

  func cancel() {
    end(.failure(CancellationError())) { state in state.isCancelled = true }
  }

  /// The server's answer.
  func answer(_ text: String) { end(.success(text)) { _ in } }

  private func end(_ result: Result<String, any Error>, _ change: (inout State) -> Void) {
    let completion = state.withLock { state -> (@Sendable (Result<String, any Error>) -> Void)? in
      guard !state.isEnded else { return nil }
      change(&state)
      guard let completion = state.completion else { return nil }
      (state.isEnded, state.completion) = (true, nil)
      return completion
    }
    completion?(result)
  }
}

/// Work that goes on until its task is cancelled.
func untilCancelled() async {
  let (stream, continuation) = AsyncStream<Never>.makeStream()
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
}
