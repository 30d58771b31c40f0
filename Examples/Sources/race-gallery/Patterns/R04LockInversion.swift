// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import RaceFreeFuture

/// A continuation is resumed under the lock that the cancellation handler takes, while the Swift runtime holds a lock of
/// its own that resuming takes.
enum R04LockInversion {
  static let pattern = Pattern(
    id: "R4",
    title: "Lock inversion with the Swift runtime",
    published: [
      "apple/swift-async-algorithms#303", "apple/swift-nio#2558", "unsignedapps/Vexil#153", "unsignedapps/Vexil#154",
      "swiftlang/swift-build#1362", "kylebrowning/BLESwift#25", "adamjcampbell/AsyncMeeting#5",
      "swiftlang/swift-corelibs-foundation#5412", "apple/swift-async-dns-resolver#86",
    ],
    rounds: 20_000,
    naive: naive,
    ours: ours
  )

  // `lock` guards everything, and that is what is wrong.
  private final class Cell: @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Void, Never>?
    private var isDone = false

    func next() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          lock.withLock { if isDone { continuation.resume() } else { self.continuation = continuation } }
        }
      } onCancel: {
        update()
      }
    }

    func update() {
      lock.withLock {
        isDone = true
        continuation?.resume()  // takes the runtime's lock under ours
        continuation = nil
      }
    }
  }

  static func naive() async -> Bool {
    let cell = Cell()
    let task = Task { await cell.next() }
    await giveWay()
    DispatchQueue.global().async { cell.update() }
    task.cancel()  // takes our lock under the runtime's
    await task.value
    return false
  }

  static func ours() async -> Bool {
    let cell = Future()
    let task = Task { _ = try? await cell.value }
    await giveWay()
    DispatchQueue.global().async { cell.complete() }
    task.cancel()
    await task.value
    return false
  }

  /// Lets the task get more or less far.
  private static func giveWay() async {
    for _ in 0..<Int.random(in: 0..<8) { await Task.yield() }
  }
}
