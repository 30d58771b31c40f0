// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture

/// The cancellation comes between the check of the task and the storing of its continuation.
enum R03NeverResumed {
  static let pattern = Pattern(
    id: "R3",
    title: "Continuation never resumed",
    published: [
      "swiftlang/swift-package-manager#8721", "apple/swift-async-algorithms#80", "apple/swift-nio#3453",
      "kean/Nuke#671",
    ],
    rounds: 2_000,
    naive: naive,
    ours: ours
  )

  // `lock` guards `waiting`.
  private final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]

    var isBusy: Bool { lock.withLock { !waiting.isEmpty } }

    func wait(_ id: Int) async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }  // 1. not cancelled yet
          lock.withLock { waiting[id] = continuation }  // 3. parked for ever
        }
      } onCancel: {
        lock.withLock { waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())  // 2. finds nothing
      }
    }
  }

  static func naive() async -> Bool {
    let gate = Gate()
    await cancelMany({ try await gate.wait($0) }, watched: { gate.isBusy })
    return false  // who was never resumed hangs
  }

  static func ours() async -> Bool {
    let gate = Future()
    await cancelMany({ _ in try await gate.value }, watched: { gate.isPending })
    return false
  }

  /// Runs a round: many tasks begin to wait, and are cancelled meanwhile, while other code checks the gate.
  private static func cancelMany(
    _ wait: @escaping @Sendable (Int) async throws -> Void,
    watched look: @escaping @Sendable () -> Bool
  ) async {
    DispatchQueue(label: "watcher").async { for _ in 0..<2_000 { _ = look() } }
    let tasks = (0..<200).map { number in Task { try await wait(number) } }
    for task in tasks { task.cancel() }
    for task in tasks { _ = try? await task.value }
  }
}
