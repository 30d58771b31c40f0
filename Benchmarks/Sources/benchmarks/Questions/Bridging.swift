// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Synchronization

extension Question {
  static var bridging: Question {
    let peer = "continuation in a Mutex, by hand"
    return Question(
      name: "bridging",
      asks: "What does it cost to wrap a callback for `async`, beside a continuation that is guarded by hand?",
      rows: [
        Row("withFuture, completed inside its body", against: peer) {
          Sides(ours: completeInside(), peer: resumeInside())
        },
        Row("withFuture, completed while it waits", against: peer) {
          Sides(ours: completeLater(), peer: resumeLater())
        },
      ]
    )
  }
}

// Everything runs on the thread of the benchmark, as in `Awaiting`.

// MARK: - Inside the body

private func completeInside() -> Sides.Side {
  let tally = Tally()
  return { count in
    TaskLoop.start {
      for index in 0..<count {
        tally.add(try await withFuture(of: Int.self) { $0.complete(with: index) })
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

private func resumeInside() -> Sides.Side {
  let tally = Tally()
  return { count in
    TaskLoop.start {
      for index in 0..<count {
        tally.add(try await withBridge(of: Int.self) { $0.complete(with: index) })
      }
    }
    return timed { TaskLoop.runUntilIdle() }
  }
}

// MARK: - Later

private func completeLater() -> Sides.Side {
  let tally = Tally()
  return { count in
    let handover = Handover<Completer<ValueFuture<Int>>>()
    TaskLoop.start {
      for _ in 0..<count {
        tally.add(try await withFuture(of: Int.self) { handover.content = $0 })
      }
    }
    return timed {
      TaskLoop.runUntilIdle()
      for index in 0..<count {
        handover.content?.complete(with: index)
        TaskLoop.runUntilIdle()
      }
    }
  }
}

private func resumeLater() -> Sides.Side {
  let tally = Tally()
  return { count in
    let handover = Handover<Bridge<Int>>()
    TaskLoop.start {
      for _ in 0..<count {
        tally.add(try await withBridge(of: Int.self) { handover.content = $0 })
      }
    }
    return timed {
      TaskLoop.runUntilIdle()
      for index in 0..<count {
        handover.content?.complete(with: index)
        TaskLoop.runUntilIdle()
      }
    }
  }
}

// MARK: - By hand

/// What people write by hand if they get everything right: cancelled before the continuation is there, resolved twice, a value that comes too late.
///
/// A callback that never comes isn't noticed.
private func withBridge<Value: Sendable>(
  of type: Value.Type,
  _ body: (Bridge<Value>) throws -> Void
) async throws -> Value {
  let bridge = Bridge<Value>()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      guard bridge.wait(with: continuation) else { return }
      do {
        try body(bridge)
      } catch {
        bridge.resolve(.failure(error))
      }
    }
  } onCancel: {
    bridge.resolve(.failure(CancellationError()))
  }
}

private final class Bridge<Value: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Value, any Error>)
    /// Resolved before there was a continuation.
    case early(Result<Value, any Error>)
    case over
  }

  private let state = Mutex(State.new)

  /// Takes the continuation; false if it was resumed at once, because the task is cancelled.
  func wait(with continuation: CheckedContinuation<Value, any Error>) -> Bool {
    let result: Result<Value, any Error>? = state.withLock { state in
      guard case .early(let result) = state else {
        state = .waiting(continuation)
        return nil
      }
      state = .over
      return result
    }
    if let result { continuation.resume(with: result) }
    return result == nil
  }

  func complete(with value: Value) {
    resolve(.success(value))
  }

  /// Whether the result was taken; if not it came too late and still is the caller's.
  @discardableResult
  func resolve(_ result: Result<Value, any Error>) -> Bool {
    let (isTaken, continuation): (Bool, CheckedContinuation<Value, any Error>?) = state.withLock { state in
      switch state {
      case .new:
        state = .early(result)
        return (true, nil)
      case .waiting(let continuation):
        state = .over
        return (true, continuation)
      case .early, .over:
        return (false, nil)
      }
    }
    continuation?.resume(with: result)
    return isTaken
  }
}
