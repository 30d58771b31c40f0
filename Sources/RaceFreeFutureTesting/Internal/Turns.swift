// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import RaceFreeFuture

/// Gives exclusive use of a resource to one caller after the other, in the order of their requests.
///
/// Testing libraries run tests at the same time. Races that ran so would keep each other's actors apart.
package final class Turns: Sendable {
  /// The turns of callers that need all cores.
  static let ofCores = Turns()
  /// The turns of callers that replace the concurrency runtime's executors.
  static let ofRuntime = Turns()

  private struct Line: Sendable {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let line = Locked(Line())

  /// Runs a block when no other caller has the cores.
  package static func take<T: Sendable>(_ body: () async -> T) async -> T { await ofCores.take(body) }

  /// Runs a block when no other caller does, and suspends until it has returned.
  ///
  /// The block must come to an end by itself. It must not request a turn.
  func take<T: Sendable>(_ body: () async -> T) async -> T {
    await withCheckedContinuation { continuation in
      let isFree = line.withLock { line in
        if line.isTaken { line.waiting.append(continuation) }
        defer { line.isTaken = true }
        return !line.isTaken
      }
      if isFree { continuation.resume() }
    }
    let result = await body()
    let next = line.withLock { line -> CheckedContinuation<Void, Never>? in
      line.isTaken = !line.waiting.isEmpty
      return line.waiting.isEmpty ? nil : line.waiting.removeFirst()
    }
    next?.resume()
    return result
  }
}
