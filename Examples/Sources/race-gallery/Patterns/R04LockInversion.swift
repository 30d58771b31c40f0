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
    rounds: 10_000,
    naive: naive,
    ours: ours
  )

  // `lock` guards everything, which is the mistake.
  private final class Cell: @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Void, Never>?
    private var isDone = false
    let parked = DispatchSemaphore(value: 0)

    func next() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          lock.withLock { if isDone { continuation.resume() } else { self.continuation = continuation } }
          parked.signal()
        }
      } onCancel: {
        update()
      }
    }

    var isWaiting: Bool { lock.withLock { continuation != nil } }

    func update() {
      lock.withLock {
        isDone = true
        continuation?.resume()  // takes the runtime's lock under ours
        continuation = nil
      }
    }
  }

  /// The queue on which other code reads the cell meanwhile.
  private static let watcher = DispatchQueue(label: "watcher")

  static func naive() async -> Bool {
    let cell = Cell()
    let task = Task { await cell.next() }
    watcher.async { for _ in 0..<200 { _ = cell.isWaiting } }
    // One takes the runtime's lock under ours, the other takes ours under the runtime's.
    atOnce(after: cell.parked, { cell.update() }, { task.cancel() })
    await task.value
    return false
  }

  static func ours() async -> Bool {
    let cell = Future()
    let started = DispatchSemaphore(value: 0)
    watcher.async { for _ in 0..<200 { _ = cell.isPending } }
    let task = Task {
      started.signal()
      try? await cell.value
    }
    atOnce(after: started, { cell.complete() }, { task.cancel() })
    await task.value
    return false
  }
}
