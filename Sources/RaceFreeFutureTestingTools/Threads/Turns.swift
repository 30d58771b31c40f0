// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Gives a resource to one caller after the other, or to a few at a time, in the order of their requests.
///
/// Testing libraries run tests at the same time. Races that ran so would keep each other's actors apart.
package final class Turns: Sendable {
  /// The turns of callers that need all cores.
  static let ofCores = Turns()

  private struct Line: Sendable {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let line: Locked<Line>

  /// Creates turns for at most so many callers at a time.
  package init(atATime places: Int = 1) {
    line = Locked(Line(free: places))
  }

  /// Runs a block when no other caller has the cores.
  package static func take<T: Sendable>(_ body: () async -> T) async -> T { await ofCores.take(body) }

  /// Runs a block when there is a place, and suspends until it has returned.
  ///
  /// The block must come to an end by itself. It must not request a turn.
  package func take<T: Sendable, E: Error>(_ body: () async throws(E) -> T) async throws(E) -> T {
    await enter()
    defer { leave() }
    return try await body()
  }

  /// Suspends until there is a place, which the caller has until it leaves.
  package func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = line.withLock { line in
        guard line.free > 0 else {
          line.waiting.append(continuation)
          return false
        }
        line.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Gives a place to the next one.
  package func leave() {
    let next = line.withLock { line -> CheckedContinuation<Void, Never>? in
      guard line.waiting.isEmpty else { return line.waiting.removeFirst() }
      line.free += 1
      return nil
    }
    next?.resume()
  }
}
