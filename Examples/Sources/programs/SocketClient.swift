// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture

/// A client library over a socket that calls back: for tasks, and for programs that want to be called back themselves.
struct SocketClient<Answer: Sendable>: Sendable {
  typealias Callback = @Sendable (Answer?, (any Error)?) -> Void

  /// Sends a question over the socket, and returns what stops it.
  let send: @Sendable (String, @escaping Callback) -> @Sendable () -> Void
  let calls = Scope(limit: 2, label: "calls")

  init(send: @escaping @Sendable (String, @escaping Callback) -> @Sendable () -> Void) { self.send = send }

  func ask(_ name: String) async throws -> Answer {
    try await withFuture(label: name) { completer in
      completer.attach {
        send(name) { completer.complete(with: $0, $1) }
      } stop: { stop in
        stop()
      }
    }
  }

  /// Calls back exactly once: with the answer, an error, or the reason of a cancellation.
  @discardableResult
  func ask(
    _ name: String,
    within limit: Duration,
    whenDone: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) -> CancelToken {
    let answer = calls.addTask(name: name) { try await ask(name) }
    answer.cancel(after: limit)
    answer.onEnd(whenDone)
    return answer.cancelToken
  }

  func close() async throws { try await calls.cancelAndDrain(within: .seconds(60)) }
}
